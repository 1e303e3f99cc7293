import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type PageGrid, preparePage } from "./grid.ts";
import { prepareFirefox } from "./scene.ts";

export function prepareChromium(scale: number): PageGrid {
  const profile = mkdtempSync(join(tmpdir(), "deskmap-chromium-"));
  const options = [
    "--force-renderer-accessibility",
    `--force-device-scale-factor=${scale}`,
    `--user-data-dir=${profile}`,
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    "--disable-background-networking",
    // Its own sandbox refuses to run as root.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  ];
  const remove = (): void => rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  return preparePage((url) => ["chromium", ...options, url], remove);
}

export function prepareFirefoxPage(variables: readonly string[], settings: Readonly<Record<string, string>>): PageGrid {
  const { command, page, remove } = prepareFirefox("");
  const lines = Object.entries(settings).map(([key, value]) => `\nuser_pref("${key}", ${JSON.stringify(value)});`);
  appendFileSync(join(dirname(page), "user.js"), lines.join(""));
  return preparePage((url) => ["env", ...variables, ...command.slice(0, -1), url], remove);
}
