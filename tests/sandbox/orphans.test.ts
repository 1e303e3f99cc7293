import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listSandboxes, openSandbox, SandboxError } from "../../src/sandbox/index.ts";
import {
  describeProcess,
  isAlive,
  listRemains,
  listWindowNames,
  noteWhatRuns,
  openBox,
  startCli,
  useRegistry,
  waitUntil,
} from "./outside.ts";

const SIZE = { width: 800, height: 600 };
const registry = useRegistry();

const readRecord = (name: string) =>
  JSON.parse(readFileSync(join(registry.directory, `deskmap/sandboxes/${name}.json`), "utf8"));

test("everything is removed when the parent is killed", async () => {
  const parent = startCli(["--name", "orphan", "--", "sh", "-c", "setsid sleep 1004 & exec zenity --info"]);
  await waitUntil("the environment in print", () => parent.output.stderr.includes("unset"));
  const record = readRecord("orphan");
  const remains = noteWhatRuns(record.supervisor.pid, record.variables.set);
  expect(remains.pids.length).toBeGreaterThan(5);
  parent.child.kill("SIGKILL");
  await waitUntil("nothing left", () => listRemains(remains, registry.directory).length === 0);
});

test("everything is removed when the parent is killed while the sandbox opens", async () => {
  const parent = startCli(["--name", "hasty"]);
  await waitUntil("a record", () => {
    try {
      return readRecord("hasty").parts.length > 0;
    } catch {
      return false;
    }
  });
  const record = readRecord("hasty");
  const remains = noteWhatRuns(record.supervisor.pid, { DESKMAP_SANDBOX_ROOT: record.root, DISPLAY: record.display });
  parent.child.kill("SIGKILL");
  await waitUntil("nothing left", () => listRemains(remains, registry.directory).length === 0);
});

test("the watchdog cleans up when the supervisor is killed", async () => {
  const sandbox = await openBox({ ...SIZE, app: ["sh", "-c", "setsid sleep 1005 & exec zenity --info"] });
  const remains = noteWhatRuns(sandbox.pid, sandbox.env);
  process.kill(sandbox.pid, "SIGKILL");
  await waitUntil("nothing left", () => listRemains(remains, registry.directory).length === 0);
  expect((await sandbox.ended).reason).toBe("supervisor-killed");
});

test("list cleans up when supervisor, watchdog and parent are all killed", async () => {
  const parent = startCli(["--name", "lost", "--", "sh", "-c", "setsid sleep 1006 & exec sleep 1007"]);
  await waitUntil("the environment in print", () => parent.output.stderr.includes("unset"));
  const record = readRecord("lost");
  const remains = noteWhatRuns(record.supervisor.pid, record.variables.set);
  const watchdog = remains.pids.find((pid) => describeProcess(pid).includes("deskmap-watchdog"));
  for (const pid of [watchdog ?? 0, parent.child.pid ?? 0, record.supervisor.pid]) process.kill(pid, "SIGKILL");
  await waitUntil("the supervisor's end", () => !isAlive(record.supervisor.pid));
  expect(listRemains(remains, registry.directory)).not.toEqual([]);
  expect(await listSandboxes()).toEqual([]);
  expect(listRemains(remains, registry.directory)).toEqual([]);
});

test("list waits for a process that was already exiting and no longer reveals where it belongs", async () => {
  // The kernel takes hundreds of milliseconds to free its memory.
  const large =
    "import time; b = bytearray(700 << 20); b[::4096] = bytes(len(b) // 4096); print('full', flush=True); time.sleep(1012)";
  const parent = startCli(["--name", "large", "--", "sh", "-c", `setsid python3 -c "$0" & wait`, large]);
  await waitUntil("full memory", () => parent.output.stdout.includes("full"));
  const record = readRecord("large");
  const remains = noteWhatRuns(record.supervisor.pid, record.variables.set);
  const find = (part: string): number => {
    const found = remains.pids.find((pid) => describeProcess(pid).includes(part));
    if (found === undefined) throw new Error(`no process ${part}`);
    return found;
  };
  const [watchdog, app] = [find("deskmap-watchdog"), find("python3 -c import")];
  for (const pid of [watchdog, parent.child.pid ?? 0, record.supervisor.pid]) process.kill(pid, "SIGKILL");
  await waitUntil("nothing but the application", () => remains.pids.every((pid) => pid === app || !isAlive(pid)));
  process.kill(app, "SIGKILL");
  await waitUntil("no variables", () => describeProcess(app) === `${app} `);
  expect(await listSandboxes()).toEqual([]);
  expect(listRemains(remains, registry.directory)).toEqual([]);
});

test("a process that reused the pid of a dead one is left alone", async () => {
  const bystander = spawn("sleep", ["1008"]);
  const pid = bystander.pid ?? 0;
  const sandbox = await openBox({ ...SIZE, name: "model" });
  const record = readRecord("model");
  await sandbox.close();
  const directory = join(registry.directory, "deskmap/sandboxes");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stale = { ...record, supervisor: { pid, startTicks: 1 }, parts: [{ part: "xvfb", pid, startTicks: 1 }] };
  writeFileSync(join(directory, "model.json"), JSON.stringify(stale));
  expect(await listSandboxes()).toEqual([]);
  expect(isAlive(pid)).toBe(true);
  bystander.kill();
});

test("a registry that others can write is not believed", async () => {
  const directory = join(registry.directory, "deskmap/sandboxes");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o777);
  const refusal = await openSandbox(SIZE).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(SandboxError);
  expect(String(refusal)).toContain("others may write to it");
  rmSync(join(registry.directory, "deskmap"), { recursive: true });
});

test("everything is removed when the parent is killed while its other children live on", async () => {
  const script = `
    const { openSandbox } = await import(${JSON.stringify(join(import.meta.dir, "../../src/sandbox/index.ts"))});
    const sandbox = await openSandbox({ width: 640, height: 480, boundary: "off" });
    const other = Bun.spawn(["sleep", "1010"]);
    console.log(JSON.stringify({ pid: sandbox.pid, env: sandbox.env, other: other.pid }));
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(parent.stdout, "data");
  const { pid, env, other } = JSON.parse(String(line));
  const remains = noteWhatRuns(pid, env);
  parent.kill("SIGKILL");
  await waitUntil("nothing left", () => listRemains(remains, registry.directory).length === 0);
  expect(isAlive(other)).toBe(true);
  process.kill(other);
});

test("a process that overwrote its environment but draws on the display is ended with it", async () => {
  const sandbox = await openBox(SIZE);
  // Like Chromium, which overwrites its environment. Started from elsewhere, it has no parent inside either.
  const program = `
import ctypes, subprocess, gi
gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk
subprocess.Popen(["/bin/sleep", "1006"], env={}, start_new_session=True)
window = Gtk.Window(title="Nameless")
def forget():
    start, end = [int(field) for field in open("/proc/self/stat").read().rsplit(")", 1)[1].split()[47:49]]
    ctypes.memset(start, 0, end - start)
    window.set_title("Forgotten")
window.show_all()
GLib.idle_add(forget)
Gtk.main()
`;
  const child = spawn("/usr/bin/python3", ["-c", program], { env: sandbox.env, stdio: "ignore" });
  await waitUntil("its window", () => listWindowNames(sandbox.env).includes("Forgotten"));
  expect(readFileSync(`/proc/${child.pid}/environ`, "latin1")).not.toContain("=");
  const below = noteWhatRuns(child.pid ?? 0, sandbox.env).pids;
  expect(below).toHaveLength(2);
  await sandbox.close();
  await waitUntil("nothing left", () => below.every((pid) => !isAlive(pid)));
});
