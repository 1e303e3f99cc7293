import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { LinuxMirror } from "../../src/platform/linux/live/mirror.ts";
import { openLinux } from "../../src/platform/linux/open.ts";
import { unwrap } from "./controls-scene.ts";
import { agree } from "./live-compare.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// What applications send on the accessibility bus, recorded by dbus-monitor, while they are followed and after following ends.

const timeoutMs = 5000;
const limits = { forgetAfterMs: 300, sweepMs: 100 };
let scene: Scene;
let monitor: ChildProcess;
let overheard = "";

beforeAll(async () => {
  scene = await openScene();
  const address = scene.sandbox.env.AT_SPI_BUS_ADDRESS ?? "";
  monitor = scene.sandbox.spawn(["dbus-monitor", "--address", address, "type=signal"]);
  monitor.stdout?.on("data", (piece) => {
    overheard += String(piece);
  });
  await scene.start(["mousepad", "--disable-server"], "Mousepad");
  await scene.start(["zenity", "--entry", "--title=Entry", "--text=Name"], "Entry");
  await scene.settle();
  await waitFor("what the monitor hears first", () => overheard.includes("NameAcquired"));
});
afterAll(async () => {
  monitor.kill("SIGTERM");
  await scene.close();
});

/** The kinds of events sent while text is typed into a window. */
async function overhear(title: string, words: string): Promise<readonly string[]> {
  await scene.settle();
  overheard = "";
  scene.run("xdotool", "search", "--onlyvisible", "--name", title, "windowactivate", "--sync");
  scene.run("xdotool", "type", "--delay", "3", words);
  await scene.settle();
  const told = overheard.matchAll(/interface=org\.a11y\.atspi\.Event\.Object; member=(\w+)/g);
  return [...new Set([...told].map(([, member = ""]) => member))];
}

test("an application that is no longer followed sends no more events, and none do when none is followed", async () => {
  expect(await overhear("Mousepad", "nobody ")).not.toContain("TextChanged");
  const parts = unwrap(await openLinux({ env: scene.sandbox.env, timeoutMs }));
  const mirror = new LinuxMirror(parts, limits);
  const { windows } = unwrap(await mirror.listWindows());
  const [pads, entries] = ["Mousepad", "Entry"].map((name) => windows.filter(({ title }) => title.includes(name)));
  const first = unwrap(await mirror.follow(pads ?? [], timeoutMs));
  const second = unwrap(await mirror.follow(entries ?? [], timeoutMs));
  expect(mirror.figures().followedApplications).toBe(2);
  expect(await overhear("Mousepad", "followed ")).toContain("TextChanged");

  first.release();
  await waitFor("the first to be let go", () => mirror.figures().followedApplications === 1);
  // GTK 3 sends state changes of cached objects to any client on the bus, other events only while they are requested.
  const left = await overhear("Mousepad", "let go ");
  for (const kind of ["TextChanged", "BoundsChanged"]) expect(left).not.toContain(kind);
  expect(await overhear("Entry", "followed ")).toContain("TextChanged");

  second.release();
  await waitFor("the other to be let go", () => mirror.figures().followedApplications === 0);
  const { events } = mirror.figures();
  expect(await overhear("Mousepad", "nobody ")).toEqual([]);
  expect(await overhear("Entry", "nobody ")).toEqual([]);
  expect(mirror.figures().events).toBe(events);

  // A new reader sees everything, and receives events again.
  const again = unwrap(await mirror.follow(unwrap(await mirror.listWindows()).windows, timeoutMs));
  const cold = unwrap(await openLinux({ env: scene.sandbox.env, timeoutMs }));
  const live = { listWindows: () => mirror.listWindows(), readWindows: mirror.readWindows.bind(mirror), mirror };
  expect((await agree(live, cold, 500)).differences).toEqual([]);
  expect(await overhear("Mousepad", "again ")).toContain("TextChanged");
  again.release();
  mirror.close();
  for (const platform of [parts, cold]) platform.close();
});
