import { afterEach, beforeEach, expect, test } from "bun:test";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { prepareFirefox } from "../desktop/scene.ts";
import { boundedTest } from "./bounded-test.ts";

// Every kind of private desktop and user has the boundary, and applications work within it.

const launcher = join(import.meta.dir, "../../deskmap");
const nobody = 65534;
const asNobody = ["--reuid", String(nobody), "--regid", String(nobody), "--clear-groups", "--"];

let home = "";
let prefix: string[] = [];
beforeEach(() => {
  home = mkdtempSync("/tmp/dm-home-");
  prefix = [];
});
afterEach(() => {
  run("stop", "--all");
  rmSync(home, { recursive: true, force: true });
});

function run(...args: string[]): SpawnSyncReturns<string> {
  const env = { PATH: process.env.PATH, HOME: home, DESKMAP_SANDBOX_DIR: join(home, "run/sandboxes") };
  const [program = "", ...words] = [...prefix, launcher, "sandbox", ...args];
  return spawnSync(program, words, { env, encoding: "utf8", timeout: 120_000 });
}

for (const [what, options, screen] of [
  ["two monitors", ["--monitors", "800x600,640x480*"], /DUMMY1 connected primary 640x480\+800\+0/],
  ["an XFCE session", ["--session", "xfce"], /1280 x 800/],
  ["another window manager", ["--wm", "xfwm4"], /1280 x 800/],
] as const)
  boundedTest(`${what} is bounded`, () => {
    const opened = run("--detach", "--bounded", "--name", "box", ...options);
    expect([opened.status, opened.stderr]).toEqual([0, ""]);
    expect(run("exec", "box", "--", "xrandr").stdout).toMatch(screen);
  });

const button = "data:text/html,<title>Page</title><button>Press me</button>";

function findButton(): [number | null, string] {
  const { status, stderr } = run(
    "exec",
    "box",
    "--",
    launcher,
    "wait",
    "--for",
    'button "Press me" appears',
    "--timeout",
    "60000",
  );
  return [status, stderr];
}

boundedTest("Chromium shows a page there, and Deskmap finds its button", () => {
  const options = ["--no-sandbox", "--no-first-run", "--force-renderer-accessibility", button];
  expect(run("--detach", "--bounded", "--name", "box", "--", "chromium", ...options).status).toBe(0);
  expect(findButton()).toEqual([0, ""]);
});

boundedTest("Firefox shows a page of a folder that is bound, and Deskmap finds its button", () => {
  const firefox = prepareFirefox("<title>Page</title><button>Press me</button>");
  try {
    const bind = ["--bind", dirname(firefox.page)];
    expect(run("--detach", "--bounded", "--name", "box", ...bind, "--", ...firefox.command).status).toBe(0);
    expect(findButton()).toEqual([0, ""]);
  } finally {
    run("stop", "--all");
    firefox.remove();
  }
});

const isReachable = spawnSync("setpriv", [...asNobody, "test", "-x", launcher]).status === 0;
const testAsNobody: typeof boundedTest = (sentence, body) =>
  isReachable
    ? boundedTest(sentence, body)
    : test.skip(`${sentence} (only root can become nobody, who must reach the checkout)`, body);

testAsNobody("an ordinary user has it, too, with Chromium's own sandbox inside", () => {
  chownSync(home, nobody, nobody);
  chmodSync(home, 0o700);
  prefix = ["setpriv", ...asNobody];
  const options = ["--no-first-run", "--force-renderer-accessibility", button];
  const opened = run("--detach", "--bounded", "--name", "box", "--", "chromium", ...options);
  expect([opened.status, opened.stderr]).toEqual([0, ""]);
  expect(run("exec", "box", "--", "id", "-u").stdout).toBe(`${nobody}\n`);
  expect(run("exec", "box", "--", "cat", `/proc/${process.ppid}/environ`).status).not.toBe(0);
  const found = run("exec", "box", "--", launcher, "wait", "--for", 'button "Press me" appears', "--timeout", "60000");
  expect([found.status, found.stderr]).toEqual([0, ""]);
});
