import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseMonitors, type Sandbox } from "../../src/sandbox/index.ts";
import { findPrograms } from "../../src/sandbox/programs.ts";
import {
  describeProcess,
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
const THREE = "1280x1024,1920x1080*,1025x767+3200+256";
const registry = useRegistry();

test("xrandr and GTK find every output of a layout, its position and the primary, which is not the leftmost", async () => {
  const sandbox = await openWith(THREE);
  expect(readOutputs(sandbox.env)).toEqual([
    "DUMMY0 1280x1024+0+0",
    "DUMMY1 primary 1920x1080+1280+0",
    "DUMMY2 1025x767+3200+256",
  ]);
  expect(readGdkMonitors(sandbox.env)).toEqual(["1025x767+3200+256", "1280x1024+0+0", "1920x1080+1280+0 primary"]);
  expect([sandbox.width, sandbox.height]).toEqual([4225, 1080]);
  await sandbox.close();
});

test("a number gives that many monitors of one size, side by side, up to sixteen", () => {
  const run = runCli(["--size", "640x480", "--monitors", "16", "--", "xrandr", "--listactivemonitors"]);
  expect(run.status).toBe(0);
  expect(run.stdout).toContain("Monitors: 16");
  for (const index of Array.from({ length: 16 }).keys())
    expect(run.stdout).toContain(`+${index * 640}+0  DUMMY${index}`);
});

test("one monitor is a plain screen of that size", () => {
  for (const words of [
    ["--monitors", "1", "--size", "900x700"],
    ["--monitors", "900x700"],
  ]) {
    const run = runCli([...words, "--", "xdpyinfo"]);
    expect(run.stdout).toContain("900x700 pixels");
    expect(run.stdout).not.toContain("DUMMY");
  }
});

test("XTEST moves the pointer to every monitor, and a key reaches an application there", async () => {
  const sandbox = await openWith(THREE);
  for (const [x, y] of [
    [5, 1000],
    [3199, 1079],
    [4224, 1022],
  ]) {
    runTool(sandbox.env, "xdotool", "mousemove", String(x), String(y));
    expect(runTool(sandbox.env, "xdotool", "getmouselocation").stdout).toStartWith(`x:${x} y:${y} `);
  }
  const dialog = sandbox.spawn(["zenity", "--question", "--text=Go on?"], { stdio: "ignore" });
  const ended = new Promise<number | null>((resolve) => dialog.once("exit", resolve));
  const search = ["search", "--sync", "--onlyvisible", "--name", "Question"];
  runTool(sandbox.env, "xdotool", ...search, "windowmove", "--sync", "3300", "300", "windowfocus", "--sync");
  runTool(sandbox.env, "xdotool", "key", "Escape");
  expect(await ended).toBe(1);
  await sandbox.close();
});

test("the server has a cookie, does not listen on the network and holds no console, keyboard or graphics card", async () => {
  const sandbox = await openWith("2");
  expect(runTool({ ...sandbox.env, XAUTHORITY: "/dev/null" }, "xdpyinfo").status).not.toBe(0);
  const server = findServer(sandbox);
  const command = describeProcess(server);
  expect(command).toContain(" -nolisten tcp ");
  expect(command).toContain(" -seat deskmap-sandbox ");
  const open = readdirSync(`/proc/${server}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${server}/fd/${fd}`);
    } catch {
      return "";
    }
  });
  expect(open.filter((path) => /^\/dev\/(tty|console|input|dri|fb|mem|uinput)/.test(path))).toEqual([]);
  expect(open).toContain(join(sandbox.env.DESKMAP_SANDBOX_ROOT ?? "", "log/xorg.log"));
  expect(runTool(sandbox.env, "sh", "-c", "printenv DBUS_SYSTEM_BUS_ADDRESS").status).toBe(1);
  await sandbox.close();
});

test("closing, and killing the server or the caller, leave no process and no file", async () => {
  const closed = await openWith("2");
  const remains = noteWhatRuns(closed.pid, closed.env);
  await closed.close();
  expect(listRemains(remains, registry.directory)).toEqual([]);

  const beheaded = await openWith("2");
  const left = noteWhatRuns(beheaded.pid, beheaded.env);
  process.kill(findServer(beheaded), "SIGKILL");
  expect((await beheaded.ended).reason).toBe("x-server-ended");
  expect(listRemains(left, registry.directory)).toEqual([]);

  const parent = startCli(["--monitors", "2", "--format", "json"]);
  await waitUntil("the environment", () => parent.output.stdout.endsWith("\n"));
  const printed = JSON.parse(parent.output.stdout);
  const orphans = noteWhatRuns(printed.pid, printed.env);
  parent.child.kill("SIGKILL");
  await waitUntil("nothing left", () => listRemains(orphans, registry.directory).length === 0);
});

test.each(["0", "17", "two", "800x600,", "800x600*,800x600*", "20000x600,20000x600", "10x10,800x600", "800x600-5+0"])(
  "the layout %p is refused with the accepted forms",
  (layout) => {
    const run = runCli([`--monitors=${layout}`]);
    expect([run.status, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toContain("accepted: ");
    expect(run.stderr).toContain("nothing was started.");
  },
);

test("duplicate sizes, and a limit that is not a number, are refused; too short a limit ends what was started", () => {
  expect(runCli(["--monitors", "800x600,800x600", "--size", "800x600"]).stderr).toContain("leave --size out");
  expect(runCli(["--timeout-ms", "soon"]).status).toBe(2);
  const run = runCli(["--timeout-ms", "1"]);
  expect([run.status, run.stdout]).toEqual([1, ""]);
  expect(run.stderr).toStartWith("TIMEOUT  the sandbox could not be opened");
  expect(run.stderr).toContain("what had been started was ended and removed.");
  expect(readdirSync(registry.directory)).toEqual([]);
});

test("without the server and its driver, the command that installs them is named", () => {
  const nowhere = mkdtempSync(join(tmpdir(), "dm-root-"));
  const found = findPrograms(process.env, true, "openbox", nowhere);
  rmSync(nowhere, { recursive: true });
  expect(found).toMatchObject({
    ok: false,
    failure: {
      suggestion: expect.stringContaining("sudo apt-get install -y xserver-xorg-core xserver-xorg-video-dummy"),
    },
  });
});

function openWith(layout: string): Promise<Sandbox> {
  const monitors = parseMonitors(layout, SIZE);
  if (!monitors.ok) throw new Error(layout);
  return openBox({ ...SIZE, monitors: monitors.value });
}

function findServer(sandbox: Sandbox): number {
  const { pids } = noteWhatRuns(sandbox.pid, sandbox.env);
  return pids.find((pid) => describeProcess(pid).includes("/Xorg ")) ?? 0;
}

function readOutputs(env: Record<string, string>): string[] {
  const lines = runTool(env, "xrandr", "--query").stdout.split("\n");
  const shown = lines.map((line) => /^(\w+) connected (primary )?(\d+x\d+\+\d+\+\d+)/.exec(line));
  return shown.flatMap((found) => (found === null ? [] : [`${found[1]} ${found[2] ?? ""}${found[3]}`])).sort();
}

function readGdkMonitors(env: Record<string, string>): string[] {
  const script = `
import gi
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk
display = Gdk.Display.get_default()
for index in range(display.get_n_monitors()):
    monitor = display.get_monitor(index)
    place = monitor.get_geometry()
    primary = " primary" if monitor.is_primary() else ""
    print(f"{place.width}x{place.height}+{place.x}+{place.y}{primary}")`;
  return runTool(env, "/usr/bin/python3", "-c", script).stdout.trim().split("\n").sort();
}
