import { afterAll, expect, jest, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openBrowser } from "../../src/server/inspector/open-browser.ts";
import { waitFor } from "../desktop/scene.ts";

const home = mkdtempSync(join(tmpdir(), "deskmap-browser-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const url = "http://127.0.0.1:4711/#token-that-works-once";
const said = join(home, "said");
const env = { HOME: home, XDG_STATE_HOME: join(home, "state"), PATH: join(home, "bin"), DISPLAY: ":1" };

function install(): void {
  const program = join(home, "bin", "xdg-open");
  mkdirSync(join(home, "bin"));
  writeFileSync(program, `#!/bin/sh\nprintf '%s' "$*" > '${said}'\n`);
  chmodSync(program, 0o755);
}

test("without a display or a browser opener it says so", () => {
  expect(openBrowser(url, { ...env, DISPLAY: "" }).words).toContain("No display");
  expect(openBrowser(url, env).words).toContain("no xdg-open");
});

test("the browser gets a file that only this user can read; the token is not in its arguments", async () => {
  install();
  const folder = join(home, "state", "deskmap");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ended = Bun.spawnSync(["/bin/true"]).pid;
  const [left, running] = [join(folder, `inspect-${ended}.html`), join(folder, `inspect-${process.ppid}.html`)];
  for (const path of [left, running]) writeFileSync(path, "a link");
  const opening = openBrowser(url, env);
  expect(opening.words).toBeUndefined();
  await waitFor("the browser", () => existsSync(said) && readFileSync(said, "utf8") !== "");
  expect([existsSync(left), existsSync(running)]).toEqual([false, true]);
  const words = readFileSync(said, "utf8");
  expect(words).toStartWith("file://");
  expect(words).not.toContain("token");
  const file = fileURLToPath(words);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toContain(url);
  opening.forget();
  expect(existsSync(file)).toBe(false);
});

test("the file is removed by itself, even if no browser came", () => {
  jest.useFakeTimers();
  try {
    openBrowser(url, env);
    const file = join(home, "state", "deskmap", `inspect-${process.pid}.html`);
    expect(existsSync(file)).toBe(true);
    jest.advanceTimersByTime(30_000);
    expect(existsSync(file)).toBe(false);
  } finally {
    jest.useRealTimers();
  }
});
