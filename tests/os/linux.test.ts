import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folders, locks, memory, type Peer, processes, sockets, terminals, user } from "../../src/os/index.ts";
import { startAtTerminal, type TerminalSession, until } from "../guard/terminal-session.ts";

const scratch = mkdtempSync(join(tmpdir(), "deskmap-os-"));
afterAll(() => rmSync(scratch, { recursive: true }));

test("a reserved abstract name refuses connections and cannot be taken until it is released", () => {
  const name = join(scratch, "reserved");
  const knock = `import socket; socket.socket(socket.AF_UNIX).connect("\\0${name}")`;
  const reservation = sockets.reserveName(name);
  expect([reservation === undefined, sockets.reserveName(name)]).toEqual([false, undefined]);
  expect(spawnSync("/usr/bin/python3", ["-c", knock], { encoding: "utf8" }).stderr).toContain("ConnectionRefusedError");
  reservation?.release();
  const again = sockets.reserveName(name);
  expect(again).toBeDefined();
  again?.release();
});

describe("processes", () => {
  let child: ChildProcess;
  const pidOf = (): number => child.pid ?? 0;

  beforeEach(() => {
    child = spawn("/bin/sleep", ["60"], { env: { DESKMAP_SEEN: "1" } });
  });
  afterEach(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });

  test("a child is alive, in the table, and below this process", async () => {
    await until("its own program", () => processes.readArguments(pidOf()).length === 2);
    const row = processes.read(pidOf());
    expect(row).toMatchObject({ pid: pidOf(), parentPid: process.pid, state: "running" });
    expect(processes.isAlive({ pid: pidOf(), startTicks: row?.startTicks ?? 0 })).toBe(true);
    expect(processes.listChildren(process.pid).map(({ pid }) => pid)).toContain(pidOf());
    expect(processes.listDescendants(process.ppid).map(({ pid }) => pid)).toContain(pidOf());
    expect(processes.listLineage(pidOf()).slice(0, 2)).toEqual([pidOf(), process.pid]);
    expect(processes.readArguments(pidOf())).toEqual(["/bin/sleep", "60"]);
    expect(processes.readVariables(pidOf())).toEqual(["DESKMAP_SEEN=1"]);
  });

  test("another process with the same pid is neither alive nor signalled", async () => {
    const startTicks = (processes.read(pidOf())?.startTicks ?? 0) + 1;
    expect(processes.isAlive({ pid: pidOf(), startTicks })).toBe(false);
    processes.signal({ pid: pidOf(), startTicks }, "SIGKILL");
    expect(processes.isRunning(pidOf())).toBe(true);
    const exit = once(child, "exit");
    processes.signal({ pid: pidOf(), startTicks: startTicks - 1 }, "SIGKILL");
    expect(await exit).toEqual([null, "SIGKILL"]);
    expect(processes.isRunning(pidOf())).toBe(false);
    expect(processes.read(pidOf())).toBeUndefined();
  });

  test("a stopped process is suspended", async () => {
    expect(processes.isSuspended(pidOf())).toBe(false);
    child.kill("SIGSTOP");
    await until("suspended", () => processes.isSuspended(pidOf()));
    expect(processes.isRunning(pidOf())).toBe(true);
  });

  test("this process has its own key", () => {
    expect(processes.own().pid).toBe(process.pid);
    expect(processes.isAlive(processes.own())).toBe(true);
    expect(processes.describePidScope()).toMatch(/^[0-9a-f-]{36} pid:/);
  });
});

describe("folders", () => {
  test("are where the variables say, if the path is absolute", () => {
    const env = { HOME: "/home/a", XDG_CONFIG_HOME: "/etc/a", XDG_DATA_HOME: "relative" };
    expect(folders.config(env)).toBe("/etc/a");
    expect(folders.data(env)).toBe("/home/a/.local/share");
    expect(folders.state(env)).toBe("/home/a/.local/state");
  });

  test("a missing runtime folder is undefined", () => {
    expect(folders.runtime({ XDG_RUNTIME_DIR: scratch })).toBe(scratch);
    expect(folders.runtime({ XDG_RUNTIME_DIR: join(scratch, "none") })).toBeUndefined();
    expect(folders.runtime({ XDG_RUNTIME_DIR: "." })).toBeUndefined();
    expect(folders.runtime({})).toBeUndefined();
  });

  test("the root is mounted", () => {
    expect(folders.listMountPoints()).toContain("/");
  });
});

test("a locked file cannot be locked again until it is closed", () => {
  const path = join(scratch, "lock");
  const [one, other] = [openSync(path, "a"), openSync(path, "a")];
  expect(locks.take(one)).toBe(true);
  expect(locks.take(other)).toBe(false);
  closeSync(one);
  expect(locks.take(other)).toBe(true);
  closeSync(other);
});

test("another process that holds a lock is named", async () => {
  const path = join(scratch, "held");
  const holder = spawn("flock", ["--no-fork", path, "sleep", "60"]);
  await until("the lock", () => locks.listHolders(path).length > 0);
  expect(locks.listHolders(path)).toEqual([holder.pid ?? 0]);
  holder.kill();
  await once(holder, "exit");
  expect(locks.listHolders(path)).toEqual([]);
  expect(locks.listHolders(join(scratch, "no such file"))).toEqual([]);
});

test("the peer of a socket is the process that connected", async () => {
  const path = join(scratch, "socket");
  const seen = Promise.withResolvers<Peer | undefined>();
  const open = (socket: unknown): void => {
    const { fd } = socket as { fd: number };
    seen.resolve(sockets.findPeer(fd));
  };
  const server = Bun.listen({ unix: path, socket: { open, data: () => undefined } });
  const client = spawn("python3", [
    "-c",
    "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.recv(1)",
    path,
  ]);
  const pid = client.pid ?? 0;
  const startTicks = processes.read(pid)?.startTicks ?? -1;
  expect(await seen.promise).toEqual({ pid, uid: user.id() ?? -1, startTicks });
  server.stop(true);
  await once(client, "exit");
});

test("shared memory can be written", () => {
  const shared = memory.share(4096);
  shared?.bytes.set([1, 2, 3], 4093);
  expect(shared?.bytes.at(-1)).toBe(3);
  shared?.close();
  expect(shared?.id).toBeGreaterThanOrEqual(0);
});

describe("the terminal of another process", () => {
  let session: TerminalSession;
  afterEach(() => session.leave());

  async function openAt(script: string) {
    session = startAtTerminal(["/bin/sh", "-c", script], process.env);
    const pid = await session.pid();
    await session.see("ready");
    const row = processes.read(pid);
    if (row === undefined) throw new Error("the command has ended");
    return terminals.openOf(row);
  }

  test("is opened where the command was typed, and reads and discards what is typed", async () => {
    const terminal = await openAt("echo ready; exec sleep 60");
    if (terminal === undefined) throw new Error("no terminal");
    writeSync(terminal.descriptor, "shown there\n");
    await session.see("shown there");
    expect(terminal.isForeground()).toBe(true);
    expect(terminal.hasInput()).toBe(false);
    session.type("yes\n");
    await until("input", () => terminal.hasInput());
    terminal.discardInput();
    expect(terminal.hasInput()).toBe(false);
    process.kill(await session.pid(), "SIGKILL");
    await until("its end", () => !terminal.isForeground());
    terminal.close();
  });

  test("is not opened for a command whose input or output is elsewhere", async () => {
    for (const redirection of ["</dev/null", "2>/dev/null"]) {
      expect(await openAt(`exec ${redirection}; echo ready; exec sleep 60`)).toBeUndefined();
      await session.leave();
    }
  });

  test("is not opened for another process that has reused the pid", async () => {
    const terminal = await openAt("echo ready; exec sleep 60");
    terminal?.close();
    const pid = await session.pid();
    expect(terminals.openOf({ pid, startTicks: 1 })).toBeUndefined();
  });

  test("is not opened for a command in the background", async () => {
    const folder = join(scratch, "background");
    mkdirSync(folder);
    await openAt(`echo ready; set -m; sleep 60 & echo $! >${folder}/pid; echo started; wait`).then((terminal) =>
      terminal?.close(),
    );
    await session.see("started");
    const pid = Number(await Bun.file(join(folder, "pid")).text());
    const row = processes.read(pid);
    expect(row).toBeDefined();
    if (row !== undefined) expect(terminals.openOf(row)).toBeUndefined();
    process.kill(pid, "SIGKILL");
  });

  test("is missing for a process without a terminal", () => {
    session = startAtTerminal(["/bin/true"], process.env);
    const child = spawn("/bin/sleep", ["60"], { detached: true });
    const row = processes.read(child.pid ?? 0);
    expect(row === undefined ? undefined : terminals.openOf(row)).toBeUndefined();
    child.kill("SIGKILL");
  });
});
