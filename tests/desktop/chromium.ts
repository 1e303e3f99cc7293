import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PreparedChromium {
  readonly command: readonly [string, ...string[]];
  /** The same without the flag that makes it show its pages to accessibility from the start. */
  readonly plainCommand: readonly [string, ...string[]];
  readonly page: string;
  remove(): void;
}

/** Chromium with a page of our own and an empty profile, without connections of its own. */
export function prepareChromium(html: string): PreparedChromium {
  const directory = mkdtempSync(join(tmpdir(), "deskmap-chromium-"));
  const page = join(directory, "page.html");
  writeFileSync(page, html);
  const options = [
    // It refuses to run as root otherwise, as tests do in a container.
    "--no-sandbox",
    "--no-first-run",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // Where a secret service can be started it would ask a person for a new keyring's password.
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
