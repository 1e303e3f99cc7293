import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { openScene, type Scene, waitFor } from "./scene.ts";

interface JsonWindow {
  readonly app: string;
  readonly pid: number;
  readonly title: string;
  readonly id: number;
  readonly bounds: readonly [number, number, number, number];
  readonly focused: boolean;
  readonly class: string;
  readonly state: readonly string[];
  readonly monitor: string;
  readonly z: number;
}

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
  await scene.start(["mousepad"], "Mousepad");
  await scene.start(["zenity", "--info", "--text=Hello", "--title=Grüße „Welt“"], "Grüße");
  await scene.settle();
});
afterEach(() => scene.close());

describe("deskmap list", () => {
  test("agrees with xdotool, xprop and xwininfo on ids, processes, titles and places", () => {
    const windows = list();
    expect(windows).toHaveLength(2);
    for (const window of windows) {
      expect(scene.run("xdotool", "getwindowname", String(window.id)).stdout.trim()).toBe(window.title);
      expect(Number(scene.run("xdotool", "getwindowpid", String(window.id)).stdout)).toBe(window.pid);
      expect(scene.run("xprop", "-id", String(window.id), "WM_CLASS").stdout).toContain(`"${window.class}"`);
      // xwininfo reports the application's own area, without the window manager's frame.
      const inner = readGeometry(window.id);
      const [x, y, width, height] = window.bounds;
      expect(
        x <= inner.x && y <= inner.y && x + width >= inner.x + inner.width && y + height >= inner.y + inner.height,
      ).toBe(true);
      expect(width - inner.width + height - inner.height).toBeLessThan(80);
      expect(window.monitor).not.toBe("");
    }
    expect(windows.map((window) => window.title)).toContain("Grüße „Welt“");
  });

  test("follows focus, order and state as xdotool changes them", async () => {
    const mousepad = list().find((window) => window.app === "Mousepad");
    const id = String(mousepad?.id);
    scene.run("xdotool", "windowactivate", "--sync", id);
    await waitFor("mousepad in front", () => list()[0]?.app === "Mousepad" && list()[0]?.focused === true);
    expect(list().map((window) => window.z)).toEqual([0, 1]);
    scene.run("xdotool", "windowminimize", "--sync", id);
    await waitFor(
      "minimised",
      () =>
        list()
          .find((window) => window.app === "Mousepad")
          ?.state.includes("minimised") === true,
    );
    const read = scene.deskmap("read", "--app", "mousepad", "--format", "text").stdout;
    expect(read).toContain("! TRUNCATED the window is minimised");
    scene.run("xdotool", "windowactivate", "--sync", id);
    scene.run("wmctrl", "-i", "-r", id, "-b", "add,maximized_vert,maximized_horz");
    await waitFor(
      "maximised",
      () =>
        list()
          .find((window) => window.app === "Mousepad")
          ?.state.includes("maximised") === true,
    );
    scene.run("wmctrl", "-i", "-r", id, "-b", "add,fullscreen");
    await waitFor("fullscreen", () => {
      const window = list().find((one) => one.app === "Mousepad");
      return window?.state.includes("fullscreen") === true && JSON.stringify(window.bounds) === "[0,0,1280,800]";
    });
  });

  test("selects by application and process, and lists applications with whether they offer a tree", () => {
    const [zenity] = list("--app", "zenity");
    expect(list("--app", "ZEN")).toHaveLength(1);
    expect(list("--pid", String(zenity?.pid))).toEqual([zenity as JsonWindow]);
    const { apps } = JSON.parse(scene.deskmap("list", "--apps").stdout) as {
      apps: { app: string; windows: number; tree: boolean }[];
    };
    expect(apps.map(({ app, windows, tree }) => [app, windows, tree]).sort()).toEqual([
      ["Mousepad", 1, true],
      ["Zenity", 1, true],
    ]);
    expect(scene.deskmap("list", "--app", "nosuch").status).toBe(1);
    expect(scene.deskmap("list", "--apps", "--windows").status).toBe(2);
  });
});

function list(...args: string[]): JsonWindow[] {
  const { status, stdout, stderr } = scene.deskmap("list", ...args);
  if (status !== 0) throw new Error(stderr);
  const { space, windows } = JSON.parse(stdout) as { space: string; windows: JsonWindow[] };
  expect(space).toBe("screen-physical");
  return windows;
}

/** From xwininfo: xdotool and wmctrl count the frame twice. */
function readGeometry(id: number): { x: number; y: number; width: number; height: number } {
  const report = scene.run("xwininfo", "-id", String(id)).stdout;
  const read = (label: string): number => Number(new RegExp(`${label}:\\s+(-?\\d+)`).exec(report)?.[1]);
  return {
    x: read("Absolute upper-left X"),
    y: read("Absolute upper-left Y"),
    width: read("Width"),
    height: read("Height"),
  };
}
