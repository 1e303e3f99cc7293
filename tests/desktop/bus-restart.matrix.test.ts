import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { startWatch, type Watching } from "./watched.ts";

// The accessibility bus stops and restarts while a daemon reads and a watch runs.

let scene: Scene;
let pad: ChildProcess;
let daemon = 0;

beforeAll(async () => {
  scene = await openScene();
  // As in a session: clients ask for the address of the bus, which changes when it restarts.
  delete scene.sandbox.env.AT_SPI_BUS_ADDRESS;
  pad = await scene.start(["mousepad", "--disable-server"], "Mousepad");
  await scene.settle();
  expect(scene.deskmap("serve", "--detach").status).toBe(0);
  daemon = readStatus().pid;
});
/** Each test has its own watch: one that ended in an earlier test would fail the next. */
async function watchPad(): Promise<Watching> {
  const watching = startWatch(scene, "watch", "--app", "mousepad");
  await watching.expectLine("what is there", ({ kind }) => kind === "token");
  return watching;
}
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
});

function readStatus(): { pid: number; desktop: { state: string; reason?: string } } {
  return JSON.parse(scene.deskmap("serve", "status", "--format", "json").stdout);
}

/** The processes of the scene whose command line contains these words. */
function listProcesses(words: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => {
      try {
        const isInside = readFileSync(`/proc/${pid}/environ`, "utf8").includes(
          `DESKMAP_SANDBOX=${scene.sandbox.name}\0`,
        );
        return isInside && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(words);
      } catch {
        return false;
      }
    });
}

/**
 * Finds all processes before it kills any: the bus ends with its launcher, and a second search might find the restarted bus.
 */
function kill(...each: string[]): void {
  const pids = each.map(listProcesses);
  expect(pids.map(({ length }) => length)).toEqual(each.map(() => 1));
  for (const pid of pids.flat()) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended together with the one before.
    }
  }
}

/** Sets the command that the session bus runs when a client asks for the accessibility bus. */
function setLauncher(command: string): string {
  const path = join(scene.sandbox.env.XDG_RUNTIME_DIR ?? "", "dbus-1/services/org.a11y.Bus.service");
  const before = readFileSync(path, "utf8");
  writeFileSync(path, before.replace(/^Exec=.*$/m, `Exec=${command}`));
  const call = ["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"];
  expect(scene.run("dbus-send", ...call, "org.freedesktop.DBus.ReloadConfig").status).toBe(0);
  return /^Exec=(.*)$/m.exec(before)?.[1] ?? "";
}

const read = () => scene.deskmap("read", "--app", "mousepad", "--format", "json");
const [bus, launcher] = ["accessibility.conf", "at-spi-bus-launcher"];

test("a restarted registry finds every application again, and so does a watch", async () => {
  const watching = await watchPad();
  const take = (): string => read().stdout.replace(/"ts":\d+/, "");
  const before = take();
  kill("at-spi2-registryd");
  // Applications register again when they see the new registry.
  await waitFor("the same as before", () => take() === before && listProcesses("at-spi2-registryd").length === 1);
  scene.run("xdotool", "search", "--onlyvisible", "--name", "Mousepad", "windowactivate", "--sync");
  scene.run("xdotool", "type", "--delay", "3", "first words");
  await watching.expectLine("what was typed", ({ kind, v }) => kind === "changed" && v === "first words");
});

test("after a bus restart reads continue and say what has no tree, and a watch continues", async () => {
  const watching = await watchPad();
  kill(launcher, bus);
  const note = await watching.expectLine("that the tree is gone", ({ kind }) => kind === "note");
  expect(note.code).toBe("NO_TREE");
  await waitFor("one bus", () => listProcesses(bus).length === 1);
  const treeless = read();
  expect([treeless.status, JSON.parse(treeless.stdout)]).toMatchObject([0, { notes: [{ code: "NO_TREE" }] }]);
  // Applications do not reconnect to a new bus, so this one is restarted.
  pad.kill("SIGKILL");
  pad = await scene.start(["mousepad", "--disable-server"], "Mousepad");
  await scene.settle();
  scene.run("xdotool", "search", "--onlyvisible", "--name", "Mousepad", "windowactivate", "--sync");
  scene.run("xdotool", "type", "--delay", "3", "plain words");
  await watching.expectLine("what was typed", ({ kind, v }) => kind === "changed" && v === "plain words");
  expect(read().stdout).toContain("plain words");
  expect(readStatus()).toMatchObject({ pid: daemon, desktop: { state: "open" } });
});

test("a permanently lost bus gives a clear refusal and a clear end of the watch; everything works when it is back", async () => {
  const watching = await watchPad();
  const known = setLauncher("/bin/false");
  kill(launcher, bus);
  expect(await watching.ended()).toBe(1);
  expect(JSON.parse(watching.errors()).error).toMatchObject({ code: "UNAVAILABLE" });
  expect(watching.errors()).toContain("no accessibility bus");
  const refused = read();
  expect([refused.status, JSON.parse(refused.stderr).error.code]).toEqual([1, "UNAVAILABLE"]);
  expect(scene.deskmap("list", "--format", "json").stdout).toContain("Mousepad");
  const { pid, desktop } = readStatus();
  expect([pid, desktop.state]).toEqual([daemon, "open"]);
  expect(desktop.reason).toContain("no accessibility bus");
  setLauncher(known);
  await waitFor("a daemon that lacks nothing", () => readStatus().desktop.reason === undefined);
  pad.kill("SIGKILL");
  pad = await scene.start(["mousepad", "--disable-server"], "Mousepad");
  await scene.settle();
  expect(read().stdout).toContain('"t":"File"');
  expect(readStatus().pid).toBe(daemon);
});
