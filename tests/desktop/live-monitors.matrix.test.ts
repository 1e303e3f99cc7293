import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { openLivePlatform, openPlatform } from "../../src/platform/pick.ts";
import type { LivePlatform, Platform } from "../../src/platform/port.ts";
import { parseMonitors } from "../../src/sandbox/index.ts";
import { unwrap } from "./controls-scene.ts";
import { agree } from "./live-compare.ts";
import { openScene, type Scene } from "./scene.ts";
import { startWatch, type Watching } from "./watched.ts";

// Monitors appear, disappear and change size under a mirror and a watch.

const timeoutMs = 5000;
const size = { width: 800, height: 600 };

let scene: Scene;
let live: LivePlatform;
let cold: Platform;
let watching: Watching;

beforeAll(async () => {
  const monitors = parseMonitors("800x600,1024x768", size);
  if (!monitors.ok) throw new Error("a layout");
  scene = await openScene({ ...size, monitors: monitors.value });
  const pad = await scene.start(["mousepad", "--disable-server"], "Mousepad");
  expect(pad.exitCode).toBeNull();
  await scene.settle();
  live = unwrap(await openLivePlatform({ env: scene.sandbox.env, timeoutMs }));
  cold = unwrap(await openPlatform({ env: scene.sandbox.env, timeoutMs }));
  watching = startWatch(scene, "watch", "--app", "mousepad", "--points");
  await watching.expectLine("what is there", ({ kind }) => kind === "token");
});
afterAll(async () => {
  live.close();
  cold.close();
  scene.deskmap("serve", "stop");
  await scene.close();
});

/** The monitors' names and geometry, from xrandr. */
function readMonitors(): string[] {
  const { stdout } = scene.run("xrandr", "--listmonitors");
  return [...stdout.matchAll(/^ \d+: \+?\*?(\S+) (\d+)\/\d+x(\d+)\/\d+\+(\d+)\+(\d+)/gm)]
    .map(([, name, width, height, x, y]) => [name, x, y, width, height].join())
    .sort();
}

async function readKept(): Promise<string[]> {
  const { monitors } = unwrap(await live.listWindows());
  return monitors.map(({ name, bounds: { x, y, width, height } }) => [name, x, y, width, height].join()).sort();
}

async function expectAgreement(): Promise<void> {
  expect(await readKept()).toEqual(readMonitors());
  const [kept, fresh] = await Promise.all([live.listWindows(), cold.listWindows()]);
  expect(unwrap(kept)).toEqual(unwrap(fresh));
  expect((await agree(live, cold, 500)).differences).toEqual([]);
  const [, width, height] = /current (\d+) x (\d+)/.exec(scene.run("xrandr").stdout) ?? [];
  expect(unwrap(kept).screen).toMatchObject({ width: Number(width), height: Number(height) });
}

function findManager(): number {
  const found = readdirSync("/proc")
    .map(Number)
    .find((pid) => {
      try {
        const isInside = readFileSync(`/proc/${pid}/environ`, "utf8").includes(
          `DESKMAP_SANDBOX=${scene.sandbox.name}\0`,
        );
        return isInside && readFileSync(`/proc/${pid}/comm`, "utf8") === "openbox\n";
      } catch {
        return false;
      }
    });
  if (found === undefined) throw new Error("no window manager");
  return found;
}

function joinMonitors(): void {
  for (const name of ["right", "left"]) scene.run("xrandr", "--delmonitor", name);
}

test("monitors that are split and joined, without the window manager noticing", async () => {
  await expectAgreement();
  const manager = findManager();
  process.kill(manager, "SIGSTOP");
  try {
    const before = readMonitors();
    expect(scene.run("xrandr", "--setmonitor", "left", "400/100x600/150+0+0", "DUMMY0").status).toBe(0);
    expect(scene.run("xrandr", "--setmonitor", "right", "400/100x600/150+400+0", "none").status).toBe(0);
    expect(readMonitors()).not.toEqual(before);
    await expectAgreement();
    joinMonitors();
    expect(readMonitors()).toEqual(before);
    await expectAgreement();
  } finally {
    joinMonitors();
    process.kill(manager, "SIGCONT");
  }
});

test("windows of a disabled monitor move elsewhere, and the watch reports where", async () => {
  scene.run("xdotool", "search", "--onlyvisible", "--name", "Mousepad", "windowmove", "--sync", "900", "100");
  await scene.settle();
  await expectAgreement();
  expect(unwrap(await live.listWindows()).windows.map(({ monitor }) => monitor)).toEqual(["DUMMY1"]);
  expect(scene.run("xrandr", "--output", "DUMMY1", "--off", "--fb", "800x600").status).toBe(0);
  await watching.expectLine("that it moved", ({ was }) => was?.place?.includes("at 900,100") === true);
  await scene.settle();
  await expectAgreement();
  const [window] = unwrap(await live.listWindows()).windows;
  expect(window?.monitor).toBe("DUMMY0");
  await watching.expectLine("what is no longer in sight", ({ kind, t }) => kind === "gone" && t === "Help");
});

test("a monitor that is enabled again shows windows that had no place", async () => {
  const layout = ["--fb", "1824x768", "--output", "DUMMY1", "--mode", "1024x768", "--pos", "800x0"];
  expect(scene.run("xrandr", ...layout).status).toBe(0);
  expect(readMonitors()).toHaveLength(2);
  await watching.expectLine("what is in sight again", ({ kind, t }) => kind === "appeared" && t === "Help");
  await scene.settle();
  await expectAgreement();
  expect(watching.child.exitCode).toBeNull();
});
