import { afterEach, beforeEach, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { findDaemonPlace } from "../../src/client/connect-place.ts";
import { tryLock } from "../../src/guard/lock.ts";
import { waitFor } from "../desktop/scene.ts";
import { matrix } from "../tier.ts";
import { makeHome } from "./daemon-scene.ts";

// Daemons as real processes, for a display that does not exist: /proc and their files show their state.

const launcher = join(import.meta.dir, "../../deskmap");
const cache = join(import.meta.dir, "../../node_modules/.cache/deskmap");
let home: ReturnType<typeof makeHome>;
let folder: string;

beforeEach(() => {
  home = makeHome();
  ({ folder } = findDaemonPlace(home.env));
});
afterEach(() => {
  deskmap("serve", "stop");
  home.remove();
});

function deskmap(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(launcher, args, { env: home.env, encoding: "utf8" });
  return { status, stdout, stderr };
}

function listSockets(): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".sock")) : [];
}

function findPid(): number {
  const { stdout } = deskmap("serve", "status", "--format", "json");
  const { pid }: { pid: number } = JSON.parse(stdout);
  return pid;
}

/** Every daemon of this home, found by its environment. */
function listDaemons(): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      const read = spawnSync("cat", [`/proc/${entry}/cmdline`, `/proc/${entry}/environ`], { encoding: "utf8" }).stdout;
      return read.includes("\0serve\0") && read.includes(`HOME=${home.env.HOME}\0`);
    })
    .map(Number);
}

test("a daemon started in the background runs, reports its status, and leaves no file when stopped", () => {
  expect(deskmap("serve", "status")).toMatchObject({ status: 1 });
  expect(deskmap("serve", "--detach", "--format", "text").stdout).toContain("daemon      process ");
  const pid = findPid();
  expect(listDaemons()).toEqual([pid]);
  expect(deskmap("serve")).toMatchObject({ status: 1 });
  expect(deskmap("serve", "stop", "--format", "json").stdout).toBe(`{"stopped":${pid}}\n`);
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  expect(existsSync(folder)).toBe(false);
});

test("commands give the same failure as without it, and start none by themselves", async () => {
  const alone = deskmap("list", "--format", "json");
  expect(alone.status).toBe(1);
  expect(listDaemons()).toEqual([]);
  // Unless requested explicitly; and one that has no desktop does not stay.
  const { status } = spawnSync(launcher, ["list"], { env: { ...home.env, DESKMAP_DAEMON: "start" } });
  expect(status).toBe(1);
  await waitFor("its end", () => listDaemons().length === 0);
  deskmap("serve", "--detach");
  expect(listDaemons()).toHaveLength(1);
  expect(deskmap("list", "--format", "json")).toEqual(alone);
  expect(deskmap("list", "--format", "json", "--no-daemon")).toEqual(alone);
});

test("a killed one leaves a socket that the next one replaces", async () => {
  deskmap("serve", "--detach");
  const pid = findPid();
  process.kill(pid, "SIGKILL");
  await waitFor("its end", () => !existsSync(`/proc/${pid}`) || listDaemons().length === 0);
  expect(listSockets()).toHaveLength(1);
  // A command that needs no daemon is not delayed by the leftovers.
  expect(deskmap("serve", "status").status).toBe(1);
  expect(deskmap("serve", "--detach").status).toBe(0);
  expect(findPid()).not.toBe(pid);
});

matrix.test("a suspended one delays no command that can do without it, and is reported to those that cannot", () => {
  const alone = deskmap("list", "--format", "json");
  deskmap("serve", "--detach");
  const pid = findPid();
  process.kill(pid, "SIGSTOP");
  expect(deskmap("list", "--format", "json")).toEqual(alone);
  const { status, stderr } = deskmap("begin", "--format", "text");
  expect([status, stderr]).toEqual([1, expect.stringContaining("it does not answer")]);
  process.kill(pid, "SIGCONT");
  expect(findPid()).toBe(pid);
});

test("daemons of two builds run side by side: neither ends the other's work", async () => {
  const main = join(import.meta.dir, "../../src/cli/main.ts");
  const other = Bun.spawn([process.execPath, main, "serve", "--quiet"], { env: home.env, stderr: "ignore" });
  await waitFor("the other daemon", () => listSockets().length === 1);
  expect(deskmap("serve", "status").status).toBe(1);
  expect(deskmap("serve", "--detach").status).toBe(0);
  const pid = findPid();
  expect(listDaemons().toSorted()).toEqual([pid, other.pid].toSorted());
  expect(deskmap("serve", "stop").status).toBe(0);
  expect(listDaemons()).toEqual([other.pid]);
  other.kill("SIGTERM");
  expect(await other.exited).toBe(0);
});

test("a program that was removed while running still finds and starts its daemon", async () => {
  const [, name = ""] = readFileSync(join(cache, "stamp"), "utf8").split("\n");
  const copy = join(home.env.HOME ?? "", "program");
  copyFileSync(join(cache, name), copy);
  const server = Bun.spawn([copy, "mcp"], { env: home.env, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
  await waitFor("it to run", () => readlinkSync(`/proc/${server.pid}/exe`) === copy);
  rmSync(copy);
  const init = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const say = (message: object): void => void server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  say({ id: 1, method: "initialize", params: init });
  say({ method: "notifications/initialized" });
  say({ id: 2, method: "tools/call", params: { name: "list", arguments: {} } });
  await server.stdin.flush();
  await waitFor("its daemon", () => listDaemons().length === 1);
  const [daemon = 0] = listDaemons();
  expect(readlinkSync(`/proc/${daemon}/exe`)).toBe(`${copy} (deleted)`);
  server.kill("SIGKILL");
  process.kill(daemon, "SIGTERM");
  await waitFor("its end", () => listDaemons().length === 0);
});

test("a daemon keeps only what it needs of its starter's environment", () => {
  const { status } = spawnSync(launcher, ["serve", "--detach"], {
    env: { ...home.env, API_KEY: "hunter2", LD_AUDIT: "", LC_TIME: "C", GTK_THEME: "x", DESKMAP_CLIENT: "y" },
  });
  expect(status).toBe(0);
  const told = readFileSync(`/proc/${listDaemons()[0]}/environ`, "utf8");
  expect(told).not.toMatch(/hunter2|LD_AUDIT|DESKMAP_CLIENT/);
  expect(told).toContain("GTK_THEME=x");
  process.kill(listDaemons()[0] ?? 0, "SIGTERM");
});

test("a daemon starts once its exiting predecessor has released the lock", async () => {
  const { build, pid } = JSON.parse(deskmap("serve", "--detach", "--format", "json").stdout);
  const { lock } = findDaemonPlace(home.env, build);
  expect(deskmap("serve", "stop").status).toBe(0);
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
  // Nothing answers, and the lock is held for a while.
  const held = tryLock(lock);
  const next = Bun.spawn([launcher, "serve", "--detach", "--format", "json"], { env: home.env, stdout: "pipe" });
  const hasChild = (): boolean => readFileSync(`/proc/${next.pid}/task/${next.pid}/children`, "utf8") !== "";
  await waitFor("one that is started", hasChild);
  await waitFor("its giving way", () => !hasChild());
  rmSync(lock);
  held?.release();
  expect(JSON.parse(await new Response(next.stdout).text())).toMatchObject({ build });
});

test("daemons started at the same moment become one", async () => {
  const starts = Array.from({ length: 6 }, () =>
    Bun.spawn([launcher, "serve", "--detach", "--format", "json"], { env: home.env, stdout: "pipe", stderr: "ignore" }),
  );
  const told = await Promise.all(starts.map((one) => new Response(one.stdout).text()));
  const pids = new Set(told.map((text): number => JSON.parse(text).pid));
  expect(pids.size).toBe(1);
  await waitFor("the others' end", () => listDaemons().length === 1);
});

test("an idle daemon exits by itself", async () => {
  deskmap("serve", "--detach", "--idle-minutes", "0.005");
  await waitFor("its end", () => listDaemons().length === 0);
  expect(existsSync(folder)).toBe(false);
});

test("SIGTERM ends it as cleanly", async () => {
  deskmap("serve", "--detach");
  process.kill(findPid(), "SIGTERM");
  await waitFor("its end", () => listDaemons().length === 0);
  expect(existsSync(folder)).toBe(false);
});

test("desktops with other settings have their own daemons; per-client settings do not matter", () => {
  const place = (more: Record<string, string>): string => findDaemonPlace({ ...home.env, ...more }).socket;
  const socket = place({});
  const others = [{ DISPLAY: ":4712" }, { HOME: "/" }, { DESKMAP_MAP: "/tmp/x" }, { XDG_STATE_HOME: "/tmp" }];
  expect(new Set([socket, ...others.map(place)]).size).toBe(1 + others.length);
  const own = [
    { DESKMAP_CLIENT: "x" },
    { DESKMAP_READ_ONLY: "1" },
    { PATH: "/bin" },
    { DESKMAP_TURN: "x" },
    { DESKMAP_FORMAT: "text" },
    { DESKMAP_TIMEOUT_MS: "9000" },
  ];
  expect(new Set([socket, ...own.map(place)]).size).toBe(1);
});

test("a folder that others could enter is made private; one that is not a folder is refused", () => {
  writeFileSync(folder, "");
  const { status, stderr } = deskmap("serve");
  expect(status).toBe(1);
  expect(stderr).toContain("cannot listen");
});
