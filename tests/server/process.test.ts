import { afterEach, beforeEach, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findDaemonPlace } from "../../src/client/connect-place.ts";
import { waitFor } from "../desktop/scene.ts";
import { makeHome } from "./daemon-scene.ts";

// Daemons as processes, of a display that is not there: what they are is told by /proc and by their files.

const launcher = join(import.meta.dir, "../../deskmap");
let home: ReturnType<typeof makeHome>;
let socket: string;

beforeEach(() => {
  home = makeHome();
  ({ socket } = findDaemonPlace(home.env));
});
afterEach(() => {
  deskmap("serve", "stop");
  home.remove();
});

function deskmap(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(launcher, args, { env: home.env, encoding: "utf8" });
  return { status, stdout, stderr };
}

function findPid(): number {
  const { stdout } = deskmap("serve", "status", "--format", "json");
  const { pid }: { pid: number } = JSON.parse(stdout);
  return pid;
}

/** Every daemon of this home, by its environment. */
function listDaemons(): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      const read = spawnSync("cat", [`/proc/${entry}/cmdline`, `/proc/${entry}/environ`], { encoding: "utf8" }).stdout;
      return read.includes("\0serve\0") && read.includes(`HOME=${home.env.HOME}\0`);
    })
    .map(Number);
}

test("a daemon that is started in the background is there, says how it is, and leaves no file when it is stopped", () => {
  expect(deskmap("serve", "status")).toMatchObject({ status: 1 });
  expect(deskmap("serve", "--detach", "--format", "text").stdout).toContain("daemon      process ");
  const pid = findPid();
  expect(listDaemons()).toEqual([pid]);
  expect(deskmap("serve")).toMatchObject({ status: 1 });
  expect(deskmap("serve", "stop", "--format", "json").stdout).toBe(`{"stopped":${pid}}\n`);
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  expect(existsSync(dirname(socket))).toBe(false);
});

test("commands give the failure that they give without it, and start none by themselves", () => {
  const alone = deskmap("list", "--format", "json");
  expect(alone.status).toBe(1);
  expect(listDaemons()).toEqual([]);
  // Unless they are told to.
  const { status } = spawnSync(launcher, ["list"], { env: { ...home.env, DESKMAP_DAEMON: "start" } });
  expect([status, listDaemons().length]).toEqual([1, 1]);
  expect(deskmap("list", "--format", "json")).toEqual(alone);
  expect(deskmap("list", "--format", "json", "--no-daemon")).toEqual(alone);
});

test("one that is killed leaves a socket that the next one replaces", async () => {
  deskmap("serve", "--detach");
  const pid = findPid();
  process.kill(pid, "SIGKILL");
  await waitFor("its end", () => !existsSync(`/proc/${pid}`) || listDaemons().length === 0);
  expect(existsSync(socket)).toBe(true);
  // Whoever needs none is not held up by what is left.
  expect(deskmap("serve", "status").status).toBe(1);
  expect(deskmap("serve", "--detach").status).toBe(0);
  expect(findPid()).not.toBe(pid);
});

test("one that stands still holds nobody up who can do without it, and says so to who cannot", () => {
  const alone = deskmap("list", "--format", "json");
  deskmap("serve", "--detach");
  const pid = findPid();
  process.kill(pid, "SIGSTOP");
  expect(deskmap("list", "--format", "json")).toEqual(alone);
  const { status, stderr } = deskmap("begin", "--format", "text");
  expect([status, stderr]).toEqual([1, expect.stringContaining("it does not answer")]);
  process.kill(pid, "SIGCONT");
  expect(findPid()).toBe(pid);
}, 60_000);

test("one of another build is left alone by who can do without it, and replaced by who cannot", async () => {
  const main = join(import.meta.dir, "../../src/cli/main.ts");
  const other = Bun.spawn([process.execPath, main, "serve", "--quiet"], { env: home.env, stderr: "ignore" });
  await waitFor("the other daemon", () => existsSync(socket));
  expect(deskmap("serve", "status", "--format", "json").stderr).toContain("is of another build");
  expect(deskmap("list").status).toBe(1);
  expect(other.exitCode).toBeNull();
  expect(deskmap("serve", "--detach").status).toBe(0);
  expect(await other.exited).toBe(0);
  expect(listDaemons()).toEqual([findPid()]);
});

test("daemons that are started at the same moment become one", async () => {
  const starts = Array.from({ length: 6 }, () =>
    Bun.spawn([launcher, "serve", "--detach", "--format", "json"], { env: home.env, stdout: "pipe", stderr: "ignore" }),
  );
  const told = await Promise.all(starts.map((one) => new Response(one.stdout).text()));
  const pids = new Set(told.map((text): number => JSON.parse(text).pid));
  expect(pids.size).toBe(1);
  await waitFor("the others' end", () => listDaemons().length === 1);
});

test("a daemon that nobody needs leaves by itself", async () => {
  deskmap("serve", "--detach", "--idle-minutes", "0.005");
  await waitFor("its end", () => listDaemons().length === 0);
  expect(existsSync(dirname(socket))).toBe(false);
});

test("SIGTERM ends it as cleanly", async () => {
  deskmap("serve", "--detach");
  process.kill(findPid(), "SIGTERM");
  await waitFor("its end", () => listDaemons().length === 0);
  expect(existsSync(dirname(socket))).toBe(false);
});

test("desktops with other settings have daemons of their own; what goes with each client makes no other", () => {
  const place = (more: Record<string, string>): string => findDaemonPlace({ ...home.env, ...more }).socket;
  const others = [{ DISPLAY: ":4712" }, { HOME: "/" }, { DESKMAP_MAP: "/tmp/x" }, { XDG_STATE_HOME: "/tmp" }];
  expect(new Set([socket, ...others.map(place)]).size).toBe(1 + others.length);
  const own = [{ DESKMAP_CLIENT: "x" }, { DESKMAP_READ_ONLY: "1" }, { PATH: "/bin" }, { DESKMAP_TURN: "x" }];
  expect(new Set([socket, ...own.map(place)]).size).toBe(1);
});

test("a folder that others could reach into is closed to them; one that is no folder is refused", () => {
  writeFileSync(dirname(socket), "");
  const { status, stderr } = deskmap("serve");
  expect(status).toBe(1);
  expect(stderr).toContain("cannot listen");
});
