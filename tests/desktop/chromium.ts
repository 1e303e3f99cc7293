import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PreparedChromium {
  readonly command: readonly [string, ...string[]];
  /** Without the flag that exposes pages to accessibility from the start. */
  readonly plainCommand: readonly [string, ...string[]];
  readonly page: string;
  remove(): void;
}

/** Chromium with a test page, an empty profile, and no network connections of its own. */
export function prepareChromium(html: string): PreparedChromium {
  const directory = mkdtempSync(join(tmpdir(), "deskmap-chromium-"));
  const page = join(directory, "page.html");
  writeFileSync(page, html);
  const options = [
    // Chromium refuses to run as root otherwise, as tests do in a container.
    "--no-sandbox",
    "--no-first-run",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // If a secret service can be started, Chromium would prompt for a new keyring's password.
    "--password-store=basic",
    `--user-data-dir=${join(directory, "profile")}`,
  ];
  const address = `file://${page}`;
  return {
    command: ["chromium", ...options, "--force-renderer-accessibility", address],
    plainCommand: ["chromium", ...options, address],
    page,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
