import { Database } from "bun:sqlite";
import { createCipheriv, pbkdf2Sync } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { prepareChromium } from "./chromium.ts";

/** Chromium's password store in the format of version 43; newer versions migrate it. */
const tables = [
  "CREATE TABLE meta(key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR)",
  `CREATE TABLE logins (origin_url VARCHAR NOT NULL, action_url VARCHAR, username_element VARCHAR, username_value VARCHAR,
    password_element VARCHAR, password_value BLOB, submit_element VARCHAR, signon_realm VARCHAR NOT NULL,
    date_created INTEGER NOT NULL, blacklisted_by_user INTEGER NOT NULL, scheme INTEGER NOT NULL, password_type INTEGER,
    times_used INTEGER, form_data BLOB, display_name VARCHAR, icon_url VARCHAR, federation_url VARCHAR,
    skip_zero_click INTEGER, generation_upload_status INTEGER, possible_username_pairs BLOB,
    id INTEGER PRIMARY KEY AUTOINCREMENT, date_last_used INTEGER NOT NULL DEFAULT 0, moving_blocked_for BLOB,
    date_password_modified INTEGER NOT NULL DEFAULT 0, sender_email VARCHAR, sender_name VARCHAR, date_received INTEGER,
    sharing_notification_displayed INTEGER NOT NULL DEFAULT 0, keychain_identifier BLOB, sender_profile_image_url VARCHAR,
    date_last_filled INTEGER NOT NULL DEFAULT 0, actor_login_approved INTEGER NOT NULL DEFAULT 0,
    UNIQUE (origin_url, username_element, username_value, password_element, signon_realm))`,
  "CREATE INDEX logins_signon ON logins (signon_realm)",
  "CREATE TABLE sync_entities_metadata (storage_key INTEGER PRIMARY KEY AUTOINCREMENT, metadata VARCHAR NOT NULL)",
  "CREATE TABLE sync_model_metadata (id INTEGER PRIMARY KEY AUTOINCREMENT, model_metadata VARCHAR NOT NULL)",
  `CREATE TABLE insecure_credentials (parent_id INTEGER REFERENCES logins ON UPDATE CASCADE ON DELETE CASCADE
    DEFERRABLE INITIALLY DEFERRED, insecurity_type INTEGER NOT NULL, create_time INTEGER NOT NULL,
    is_muted INTEGER NOT NULL DEFAULT 0, trigger_notification_from_backend INTEGER NOT NULL DEFAULT 0,
    UNIQUE (parent_id, insecurity_type))`,
  "CREATE INDEX foreign_key_index ON insecure_credentials (parent_id)",
  `CREATE TABLE password_notes (id INTEGER PRIMARY KEY AUTOINCREMENT, parent_id INTEGER NOT NULL REFERENCES logins
    ON UPDATE CASCADE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, key VARCHAR NOT NULL, value BLOB,
    date_created INTEGER NOT NULL, confidential INTEGER, UNIQUE (parent_id, key))`,
  "CREATE INDEX foreign_key_index_notes ON password_notes (parent_id)",
  `CREATE TABLE stats (origin_domain VARCHAR NOT NULL, username_value VARCHAR, dismissal_count INTEGER,
    update_time INTEGER NOT NULL, UNIQUE(origin_domain, username_value))`,
  "CREATE INDEX stats_origin ON stats(origin_domain)",
  "INSERT INTO meta VALUES ('mmap_status', '-1'), ('version', '43'), ('last_compatible_version', '40')",
];

/** Encrypted with Chromium's hard-coded key for systems without a keyring, which protects nothing. */
function encrypt(password: string): Buffer {
  const key = pbkdf2Sync("peanuts", "saltysalt", 1, 16, "sha1");
  const cipher = createCipheriv("aes-128-cbc", key, Buffer.alloc(16, " "));
  return Buffer.concat([Buffer.from("v10"), cipher.update(password, "utf8"), cipher.final()]);
}

interface SavedPage {
  readonly command: readonly [string, ...string[]];
  /** The field's content when the page's script last looked. */
  lastHeard(): string;
  remove(): void;
}

/** Chromium with a saved password for a test page, and the page on a local server. */
export function prepareSavedPassword(html: string, user: string, password: string): SavedPage {
  let heard = "";
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (request.method === "POST") heard = await request.text();
      return new Response(request.method === "POST" ? "" : html, { headers: { "content-type": "text/html" } });
    },
  });
  const address = `http://127.0.0.1:${server.port}/`;
  const chromium = prepareChromium("");
  const folder = join(dirname(chromium.page), "profile", "Default");
  mkdirSync(folder, { recursive: true });
  const store = new Database(join(folder, "Login Data"), { create: true });
  for (const sql of tables) store.run(sql);
  const nowUs = (Date.now() + 11_644_473_600_000) * 1000;
  store.run(
    `INSERT INTO logins (origin_url, action_url, username_element, username_value, password_element, password_value,
      submit_element, signon_realm, date_created, blacklisted_by_user, scheme, password_type, times_used, form_data,
      display_name, icon_url, federation_url, skip_zero_click, generation_upload_status, possible_username_pairs,
      date_last_used, moving_blocked_for, date_password_modified)
      VALUES (?, ?, 'user', ?, 'password', ?, '', ?, ?, 0, 0, 0, 1, x'', '', '', '', 0, 0, x'', ?, x'', ?)`,
    [address, address, user, encrypt(password), address, nowUs, nowUs, nowUs],
  );
  store.close();
  return {
    command: [chromium.command[0], ...chromium.command.slice(1, -1), address],
    lastHeard: () => heard,
    remove() {
      void server.stop(true);
      chromium.remove();
    },
  };
}
