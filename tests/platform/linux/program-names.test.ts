import { afterAll, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readProgramNames } from "../../../src/platform/linux/program-names.ts";

const folder = mkdtempSync(join(tmpdir(), "deskmap-programs-"));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a program and waits until the kernel reports its own name. */
async function start(command: string, args: readonly string[], argv0?: string): Promise<number> {
  const child = spawn(command, args, {
    stdio: ["pipe", "ignore", "ignore"],
    ...(argv0 === undefined ? {} : { argv0 }),
  });
  started.push(child);
  const pid = child.pid ?? 0;
  while (!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(args[0] ?? command)) await Bun.sleep(5);
  return pid;
}

test("a program is named after its file, whatever it calls itself", async () => {
  expect(readProgramNames(await start("/usr/bin/cat", ["-"], "mousepad"))).toEqual(["cat"]);
  copyFileSync("/usr/bin/cat", join(folder, "terminal-like"));
  expect(readProgramNames(await start(join(folder, "terminal-like"), ["-"]))).toEqual(["terminal-like"]);
});

test("a Python program is named after its script last, and so remembered by that", async () => {
  const script = join(folder, "terminator.py");
  writeFileSync(script, "import sys; sys.stdin.read()");
  const names = readProgramNames(await start("/usr/bin/python3", [script]));
  expect(names).toEqual([expect.stringMatching(/^python3/), "terminator.py", "terminator"]);
  const inline = readProgramNames(await start("/usr/bin/python3", ["-c", "import sys; sys.stdin.read()"]));
  expect(inline).toEqual([expect.stringMatching(/^python3/)]);
});

test("a process that is gone, or never existed, has no name", () => {
  expect([readProgramNames(0), readProgramNames(2 ** 22 + 1)]).toEqual([[], []]);
});
