import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isListening, locateXSocket } from "../../src/sandbox/traces.ts";
import { type ForeignDisplay, openForeignDisplay } from "../sandbox/foreign-display.ts";
import { isAlive, listRemains, noteWhatRuns } from "../sandbox/outside.ts";
import { waitFor } from "../wait.ts";
import { boundedTest } from "./bounded-test.ts";

// What a program in a sandbox can reach, tried from inside by a program that uses nothing of Deskmap.

const launcher = join(import.meta.dir, "../../deskmap");
const attempts = join(import.meta.dir, "03-boundary.py");
const secret = "planted-4711";
const plain = { encoding: "utf8", timeout: 60_000 } as const;

let home = "";
let outside: Record<string, string>;
let server: Server;
let port = 0;
let other: ForeignDisplay;
beforeAll(async () => {
  other = await openForeignDisplay();
  // Else the attempt by this name would prove nothing.
  expect(await isListening(`\0${locateXSocket(other.display)}`)).toBe(true);
  server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await waitFor("a server", () => server.listening);
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(async () => {
  await other.close();
  server.close();
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "dm-home-"));
  mkdirSync(join(home, "documents"));
  writeFileSync(join(home, "documents", "diary.txt"), "Dear diary");
  mkdirSync(join(home, ".local/state/deskmap"), { recursive: true });
  writeFileSync(join(home, ".local/state/deskmap/seal.key"), "key");
  const { XDG_STATE_HOME: _state, XDG_CONFIG_HOME: _config, XDG_DATA_HOME: _data, ...rest } = process.env;
  mkdirSync(join(home, "run"));
  const set = { HOME: home, DESKMAP_SANDBOX_DIR: join(home, "run/deskmap/sandboxes"), DESKMAP_TEST_SECRET: secret };
  outside = Object.fromEntries(Object.entries({ ...rest, ...set }).filter((entry) => entry[1] !== undefined)) as Record<
    string,
    string
  >;
});
afterEach(() => {
  run("stop", "--all");
  rmSync(home, { recursive: true, force: true });
});

function run(...args: string[]): SpawnSyncReturns<string> {
  return spawnSync(launcher, ["sandbox", ...args], { env: outside, ...plain });
}

/** What the program reports that tries to get out, as the application of a sandbox. */
function tryToLeave(...options: string[]) {
  const known = {
    pid: process.pid,
    secret,
    port,
    file: join(home, "documents", "diary.txt"),
    state: join(home, ".local/state/deskmap/seal.key"),
    records: join(home, "run/deskmap/sandboxes"),
    display: locateXSocket(other.display),
    checkout: join(import.meta.dir, "../../package.json"),
  };
  const words = Object.entries(known).map(([name, value]) => `${name}=${value}`);
  const { stdout, stderr } = run(...options, "--", "/usr/bin/python3", attempts, ...words);
  if (!stdout.startsWith("{")) throw new Error(`it reported nothing: ${stdout}${stderr}`);
  return { ...JSON.parse(stdout), stderr };
}

const nothing = {
  file: "FileNotFoundError",
  write: "FileNotFoundError",
  throughProcess: "PermissionError",
  state: "FileNotFoundError",
  records: "FileNotFoundError",
  variable: null,
  environments: [],
  display: "FileNotFoundError",
  abstractDisplay: "ConnectionRefusedError",
  network: "ConnectionRefusedError",
  checkout: "OSError",
  // As root, CAP_SETFCAP of its own user namespace: see limitRights.
  capabilities: [process.getuid?.() === 0 ? "0000000080000000" : "0000000000000000"],
  privileges: ["1"],
};

boundedTest("an application reaches no file, variable, display, network, process or state of the user", () => {
  const found = tryToLeave();
  expect(found).toMatchObject(nothing);
  expect([found.own, found.remount, found.ownRemount].map(Boolean)).toEqual([false, true, true]);
  expect(found.stderr).toContain("# bounded: programs inside have their own home and environment; ");
});

boundedTest("with --bind and --net it reaches exactly those, and never Deskmap's own files", () => {
  const reading = tryToLeave("--bind", `${home}:ro`);
  expect(reading).toMatchObject({ ...nothing, file: "Dear diary", write: "OSError", records: [] });
  expect([reading.own, reading.ownUncover].map(Boolean)).toEqual([false, true]);
  const writing = tryToLeave("--bind", join(home, "documents"), "--net");
  expect(writing).toMatchObject({
    ...nothing,
    file: "Dear diary",
    write: "written",
    network: "connected",
    abstractDisplay: "connected",
  });
  expect(readFileSync(join(home, "documents", "diary.txt"), "utf8")).toBe("Dear diarychanged");
});

boundedTest(
  "Deskmap's own files are hidden whatever a folder around them is called, and whenever they are made",
  () => {
    symlinkSync(join(home, ".local/state"), join(home, "to-state"));
    mkdirSync(join(home, "dot/deskmap"), { recursive: true });
    writeFileSync(join(home, "dot/deskmap/policy.json"), "{}");
    writeFileSync(join(home, "dot/other.txt"), "shown");
    symlinkSync(join(home, "dot"), join(home, ".config"));
    mkdirSync(join(home, ".local/share"));
    const folders = ["to-state", "dot", ".local/share"].map((name) => join(home, name));
    const script = 'echo $$; read -r _; find "$@" -type f';
    const words = [...folders.flatMap((folder) => ["--bind", `${folder}:ro`]), "--", "sh", "-c", script, "sh"];
    const later = `mkdir -p ${home}/.local/share/deskmap && touch ${home}/.local/share/deskmap/map && echo`;
    const command = 'exec 3<>"$0"; "$@" <&3 | { read -r pid; echo "$pid"; eval "$LATER" >&3; cat; }';
    expect(spawnSync("mkfifo", [join(home, "go")], plain).status).toBe(0);
    const found = spawnSync("sh", ["-c", command, join(home, "go"), launcher, "sandbox", ...words, ...folders], {
      env: { ...outside, LATER: later },
      ...plain,
    });
    expect(existsSync(join(home, ".local/share/deskmap/map"))).toBe(true);
    expect(found.stdout.split("\n").slice(1)).toEqual([join(home, "dot/other.txt"), ""]);
  },
);

test("what belongs to Deskmap is not shown itself, and nothing around it can be written", () => {
  symlinkSync("/", join(home, "to-root"));
  symlinkSync(join(home, ".local/state"), join(home, "to-state"));
  expect(run("--bind", join(home, "to-root")).stderr).toContain("the sandbox has this folder for itself");
  const key = run("--bind", `${join(home, "to-state/deskmap/seal.key")}:ro`);
  expect([key.status, key.stderr]).toEqual([2, expect.stringContaining("it belongs to Deskmap, and is not shown")]);
  for (const folder of [home, join(home, "to-state"), join(home, ".local")]) {
    const refused = run("--bind", folder, "--", "true");
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringMatching(/ contains .*\n.*:ro" shows the rest/)]);
  }
});

test("--trust gives everything, and says so", () => {
  const found = tryToLeave("--trust");
  expect(found).toMatchObject({
    file: "Dear diary",
    state: "key",
    variable: secret,
    network: "connected",
    checkout: "opened",
  });
  expect(found).toMatchObject({ display: "connected", throughProcess: expect.stringContaining("Dear diary") });
  expect(found.stderr).toContain("# trusted: programs inside run as you, with your files, environment and network");
});

boundedTest(
  "a command of exec is kept in, has the same pid inside and outside, and no way into the caller's terminal",
  () => {
    expect(run("--detach", "--name", "box").status).toBe(0);
    const { stdout } = run(
      "exec",
      "box",
      "--",
      "sh",
      "-c",
      'cat "$1"; echo "$DESKMAP_TEST_SECRET $$"',
      "sh",
      join(home, "documents", "diary.txt"),
    );
    expect(stdout).toMatch(/^ \d+\n$/);
    // In a terminal of this test: without a controlling terminal, nothing can be put into its input.
    const command = `${launcher} sandbox exec box -- sh -c 'test -t 0 && cut -d" " -f7 /proc/self/stat'`;
    const atTerminal = spawnSync("script", ["-qec", command, "/dev/null"], { env: outside, ...plain });
    expect(atTerminal.stdout).toBe("0\r\n");
  },
);

boundedTest("Deskmap reads, presses and captures the same application from inside and from outside", async () => {
  expect(
    run("--detach", "--name", "box", "--size", "900x700", "--", "zenity", "--question", "--text=Stay?").status,
  ).toBe(0);
  const env = { ...outside, ...JSON.parse(run("env", "box", "--format", "json").stdout).env };
  const fromOutside = (...args: string[]) => spawnSync(launcher, args, { env, ...plain });
  const readPid = (text: string): number => JSON.parse(text.split("\n")[0] ?? "").pid;
  const inside = run("exec", "box", "--", launcher, "read", "--format", "json");
  const pid = readPid(inside.stdout);
  expect(readPid(fromOutside("read", "--format", "json").stdout)).toBe(pid);
  expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).toContain("--text=Stay?");
  // Another program than Deskmap, from outside.
  expect(spawnSync("xdotool", ["search", "--pid", String(pid)], { env, ...plain }).status).toBe(0);
  const picture = join(home, "picture.png");
  expect(fromOutside("screenshot", "--scale", "1", "--output", picture).status).toBe(0);
  expect(spawnSync("identify", ["-format", "%wx%h %k", picture], plain).stdout).toMatch(/^900x700 [1-9]\d/);
  expect(run("exec", "box", "--", launcher, "click", "Yes").status).toBe(0);
  await waitFor("the end of the dialog", () => !existsSync(`/proc/${pid}`));
});

boundedTest("nothing outside follows what a program inside has put into its home or in the place of a socket", () => {
  expect(run("--detach", "--name", "box").status).toBe(0);
  const bait = join(home, "bait");
  mkdirSync(bait);
  const script = [
    "rm -rf ~/.local ~/.config; ln -s $1 ~/.local; ln -s $1 ~/.config; echo 'touch $1/rc' > ~/.bashrc",
    "for one in $XDG_RUNTIME_DIR/bus $XDG_RUNTIME_DIR/at-spi/* /tmp/.X11-unix/X*; do rm $one; ln -s /nowhere $one; done",
  ].join("; ");
  expect(run("exec", "box", "--", "sh", "-c", script, "sh", bait).status).toBe(0);
  const env = { ...outside, ...JSON.parse(run("env", "box", "--format", "json").stdout).env };
  const listed = spawnSync(launcher, ["list", "--format", "json"], { env, ...plain });
  expect([listed.status, listed.stderr]).toEqual([0, ""]);
  spawnSync("bash", ["-i", "-c", "true"], { env, ...plain });
  expect(spawnSync("find", [bait], plain).stdout).toBe(`${bait}\n`);
});

boundedTest("a program that has cleared its environment and left its parent ends with the sandbox", async () => {
  const opened = JSON.parse(run("--detach", "--name", "box", "--format", "json").stdout);
  const left = run("exec", "box", "--", "sh", "-c", "env -i setsid sleep 1013 >/dev/null 2>&1 & echo $!");
  const pid = Number(left.stdout);
  await waitFor("the program", () => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("1013"));
  const remains = noteWhatRuns(opened.pid, opened.env);
  expect(run("stop", "box").status).toBe(0);
  const isLeft = isAlive(pid);
  if (isLeft) process.kill(pid, "SIGKILL");
  expect(isLeft).toBe(false);
  expect(listRemains(remains, join(home, "run"))).toEqual([]);
});

boundedTest("when its supervisor is killed, nothing is left of it", async () => {
  const opened = JSON.parse(run("--detach", "--name", "box", "--format", "json", "--", "xterm").stdout);
  const remains = noteWhatRuns(opened.pid, opened.env);
  process.kill(opened.pid, "SIGKILL");
  await waitFor(
    () => `nothing left: ${listRemains(remains, join(home, "run"))}`,
    () => listRemains(remains, join(home, "run")).length === 0,
  );
});

test("without bubblewrap it opens, says that it is not bounded, and passes no variable on; --bounded refuses", () => {
  const folder = join(home, "bin");
  mkdirSync(folder);
  for (const program of ["Xvfb", "openbox", "dbus-daemon", "dbus-send", "sh", "env", "find", "setpriv"])
    symlinkSync(spawnSync("which", [program], plain).stdout.trim(), join(folder, program));
  outside.PATH = folder;
  const opened = run("--", "env");
  expect(opened.stderr).toContain(
    "# NOT BOUNDED: bubblewrap is not installed (sudo apt-get install -y bubblewrap); programs inside run as you",
  );
  expect(opened.stdout).not.toContain(secret);
  const refused = run("--bounded", "--", "env");
  expect([refused.status, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toStartWith(
    "UNAVAILABLE  the sandbox was to be bounded, and cannot be: bubblewrap is not installed",
  );
});

boundedTest("list, doctor and a sandbox within it say what it is; what cannot be combined or shown is refused", () => {
  expect(run("--detach", "--name", "box").stdout).toContain("# bounded: ");
  expect(JSON.parse(run("list", "--format", "json").stdout)).toMatchObject([{ name: "box", boundary: "bounded" }]);
  const { checks } = JSON.parse(run("exec", "box", "--", launcher, "doctor", "--format", "json").stdout);
  expect(checks).toContainEqual({ subject: "sandbox", health: "ok", text: expect.stringMatching(/^box, bounded: /) });
  const nested = run("exec", "box", "--", launcher, "sandbox", "--", "true");
  expect(nested.stderr).toContain("this is the inside of a sandbox with a boundary");
  expect(run("--trust", "--net").stderr).toContain("--trust gives programs inside everything, so --net has no meaning");
  expect(run("--bind", "/").stderr).toContain("the sandbox has this folder for itself");
  expect(run("--bind", join(home, "missing")).status).toBe(2);
  const program = join(home, "documents", "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  expect(run("exec", "box", "--", program).stderr).toContain(`NOT_FOUND  ${program} is not visible inside the sandbox`);
});
