import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  isAlive,
  listRemains,
  noteWhatRuns,
  openBox,
  runCli,
  runTool,
  startCli,
  useRegistry,
  waitUntil,
} from "./outside.ts";

const SIZE = { width: 800, height: 600 };
const registry = useRegistry();

test("a sandbox in the foreground prints its environment and closes on SIGTERM with exit code 0", async () => {
  const cli = startCli(["--size", "1000x700", "--format", "json"]);
  await waitUntil("the environment", () => cli.output.stdout.endsWith("\n"));
  const printed = JSON.parse(cli.output.stdout);
  const env = { ...process.env, ...printed.env };
  expect(runTool(env, "xdpyinfo").stdout).toContain("1000x700 pixels");
  const remains = noteWhatRuns(printed.pid, env);
  cli.child.kill("SIGTERM");
  expect(await cli.exited).toBe(0);
  expect(listRemains(remains, registry.directory)).toEqual([]);
});

test("with an app it closes when the app ends, passes its exit code on and leaves stdout to it", () => {
  const run = runCli(["--", "sh", "-c", 'echo "$1 $DISPLAY"; exit 7', "sh", "--size"]);
  expect(run.status).toBe(7);
  expect(run.stdout).toMatch(/^--size :\d+\n$/);
  expect(run.stderr).toContain("export DISPLAY=:");
  expect(run.stderr).toEndWith('deskmap: "sh" ended with exit code 7\n');
  expect(readdirSync(registry.directory)).toEqual([]);
});

test("an app named like a subcommand is an app after two dashes", () => {
  expect(runCli(["--", "env"]).stdout).toMatch(/^DESKMAP_SANDBOX=box-/m);
});

test("a detached sandbox stays until it is stopped; list, env and exec know it meanwhile", () => {
  const opened = runCli(["--detach", "--name", "stays", "--", "true"]);
  expect(opened.stdout).toContain("export DESKMAP_SANDBOX=stays");
  const [listed] = JSON.parse(runCli(["list", "--format", "json"]).stdout);
  expect(listed).toMatchObject({ name: "stays", width: 1280, height: 800, state: "ready", app: ["true"] });
  expect(runCli(["list"]).stdout).toContain(`stays  ${listed.display}`);
  const env = JSON.parse(runCli(["env", "stays", "--format", "json"]).stdout).env;
  const inShell = `${runCli(["env", "stays"]).stdout}\necho "$DISPLAY"; xdpyinfo >/dev/null`;
  expect(runTool({ PATH: process.env.PATH ?? "" }, "sh", "-c", inShell)).toMatchObject({
    status: 0,
    stdout: `${listed.display}\n`,
  });
  const exec = runCli(["exec", "stays", "--", "sh", "-c", 'echo "$DISPLAY $1"; exit 5', "sh", "--format"]);
  expect([exec.status, exec.stdout]).toEqual([5, `${listed.display} --format\n`]);
  const remains = noteWhatRuns(listed.pid, env);
  // Without a name nothing is stopped; it names those that run.
  expect(runCli(["stop"])).toMatchObject({ status: 2, stderr: expect.stringMatching(/running: .*stays/) });
  expect(runCli(["stop", "stays"])).toMatchObject({ status: 0, stdout: "stopped: stays\n" });
  expect(listRemains(remains, registry.directory)).toEqual([]);
});

test("a detached sandbox says that its app has opened no window, and what that said last", () => {
  const opened = runCli(["--detach", "--name", "blank", "--", "sh", "-c", "echo first >&2; echo no terminal here >&2"]);
  expect(opened.status).toBe(0);
  expect(opened.stderr).toContain(
    'deskmap: "sh" has opened no window within 3 s; its last words: "no terminal here"\n',
  );
  expect(runCli(["stop", "blank"]).status).toBe(0);
});

test("exec forwards signals, and stopping the sandbox ends what exec has started", async () => {
  const sandbox = await openBox({ ...SIZE, name: "signals" });
  const first = startCli([
    "exec",
    "signals",
    "--",
    "sh",
    "-c",
    "trap 'exit 9' USR1; echo on; while :; do sleep 0.05; done",
  ]);
  await waitUntil("the first command", () => first.output.stdout === "on\n");
  first.child.kill("SIGUSR1");
  expect(await first.exited).toBe(9);
  const second = startCli(["exec", "signals", "--", "sh", "-c", "echo on; exec sleep 1009"]);
  await waitUntil("the second command", () => second.output.stdout === "on\n");
  await sandbox.close();
  expect(await second.exited).toBe(128 + 15);
});

test("a sandbox can be listed and stopped from inside another and from inside itself", async () => {
  const [inner, outer] = await Promise.all(["inner", "outer"].map((name) => openBox({ ...SIZE, name })));
  if (inner === undefined || outer === undefined) throw new Error("two were opened");
  expect(runCli(["list"], outer.env).stdout).toContain("inner");
  expect(runCli(["stop", "inner"], outer.env).stdout).toBe("stopped: inner\n");
  expect(runCli(["stop", "outer"], outer.env)).toMatchObject({ status: 0, stdout: "stopped: outer\n" });
  expect((await Promise.all([inner.ended, outer.ended])).map((end) => end.reason)).toEqual(["asked", "asked"]);
  expect(isAlive(outer.pid)).toBe(false);
});

test("a sandbox opened inside another closes with it", async () => {
  const outer = await openBox({ ...SIZE, name: "outer" });
  const run = runCli(["--detach", "--name", "nested", "--format", "json"], outer.env);
  const nested = JSON.parse(run.stdout);
  const remains = noteWhatRuns(nested.pid, nested.env);
  await outer.close();
  await waitUntil("nothing left", () => listRemains(remains, registry.directory).length === 0);
});

test("a sandbox opened inside another closes with it, even if it has no time to clean up", async () => {
  const outer = await openBox({ ...SIZE, name: "outer" });
  const run = runCli(["--detach", "--name", "nested", "--format", "json"], outer.env);
  const nested = JSON.parse(run.stdout);
  const remains = noteWhatRuns(nested.pid, nested.env);
  process.kill(nested.pid, "SIGSTOP");
  await outer.close();
  expect(listRemains(remains, registry.directory)).toEqual([]);
});

test("stop --all closes every one", async () => {
  await Promise.all(["a", "b"].map((name) => openBox({ ...SIZE, name })));
  expect(
    runCli(["stop", "--all"])
      .stdout.trim()
      .split(/[ ,:]+/)
      .sort(),
  ).toEqual(["a", "b", "stopped"]);
  expect(readdirSync(registry.directory)).toEqual([]);
});

test("missing programs are named with the command that installs them", () => {
  const folder = mkdtempSync(join(tmpdir(), "dm-path-"));
  symlinkSync("/usr/bin/dbus-daemon", join(folder, "dbus-daemon"));
  symlinkSync("/usr/bin/dbus-send", join(folder, "dbus-send"));
  const run = runCli([], { ...process.env, PATH: folder });
  rmSync(folder, { recursive: true });
  expect(run.status).toBe(1);
  expect(run.stderr).toBe(
    `UNAVAILABLE  a sandbox needs Xvfb, openbox, not installed here (searched: PATH=${folder})\ntry: sudo apt-get install -y xvfb openbox   nothing was started.\n`,
  );
});

test("a part that does not start is named with the end of its output, and the others are ended", () => {
  const folder = mkdtempSync(join(tmpdir(), "dm-path-"));
  writeFileSync(join(folder, "openbox"), "#!/bin/sh\necho out of colours >&2\nexit 3\n", { mode: 0o755 });
  const run = runCli(["--name", "broken"], { ...process.env, PATH: `${folder}:${process.env.PATH}` });
  rmSync(folder, { recursive: true });
  expect([run.status, run.stdout]).toEqual([1, ""]);
  expect(run.stderr).toContain(
    "FAILED  the sandbox could not be opened: openbox did not start: it ended with exit code 3\n",
  );
  expect(run.stderr).toContain("\n last lines of its log:\n out of colours\n");
  expect(run.stderr).toContain("what had been started was ended and removed.");
  expect(readdirSync(registry.directory)).toEqual([]);
});

test.each(["axb", "0x0", "800", "20000x100", "-1x5", ""])("the size %p is refused with the accepted form", (size) => {
  const run = runCli([`--size=${size}`]);
  expect([run.status, run.stdout]).toEqual([2, ""]);
  expect(run.stderr).toContain("accepted: WIDTHxHEIGHT in pixels, each from 1 to 16384");
});

test("an unknown name is answered with the running sandboxes", async () => {
  expect(runCli(["stop", "nobody"]).stderr).toContain(", and no other");
  const sandbox = await openBox({ ...SIZE, name: "somebody" });
  for (const words of [
    ["stop", "nobody"],
    ["env", "nobody"],
    ["exec", "nobody", "--", "true"],
  ]) {
    const run = runCli(words);
    expect([run.status, run.stderr]).toEqual([
      1,
      `NOT_FOUND  no sandbox named "nobody" is running\nnearest: "somebody"\ntry: one of these names.   nothing was done.\n`,
    ]);
  }
  await sandbox.close();
});

test("a missing app, a bad name and a forgotten -- are refused before anything starts", () => {
  const noApp = runCli(["--format", "json", "--", "no-such-app"]);
  expect([noApp.status, JSON.parse(noApp.stderr).error.code]).toEqual([1, "NOT_FOUND"]);
  const badName = runCli(["--name", "../x"]);
  expect([badName.status, badName.stderr.slice(0, 5)]).toEqual([2, "USAGE"]);
  const noDashes = runCli(["exec", "work", "ls"]);
  expect([noDashes.status, noDashes.stderr]).toEqual([
    2,
    "USAGE  what is to run inside comes after --\ntry: deskmap sandbox exec work -- ls   nothing was done.\n",
  ]);
  expect(runCli(["--nonsense"]).status).toBe(2);
  expect(readdirSync(registry.directory)).toEqual([]);
});
