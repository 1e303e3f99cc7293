import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openHands, openPlatform } from "../../src/platform/pick.ts";
import { casesOf } from "../tier.ts";
import { unwrap } from "./controls-scene.ts";
import { setPolicy } from "./policy.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { readShown, type Shown } from "./shown.ts";
import { StepsClient } from "./steps-client.ts";

// Lists and menus whose entries delete: any key or click that leads to one needs approval, and no person is there to give it.
// Each application records what was opened; harmless entries beside it are opened by the same means.

const apps = join(import.meta.dir, "../fixtures/apps");
type Listed = readonly [name: string, kit: string, title: string, x: number];
const qt: Listed = ["Qt", "qt5", "Quint", 830];
const kits = casesOf<Listed>([["GTK 3", "gtk3", "Three", 10], qt], [["GTK 4", "gtk4", "Four", 420]]);
/** Long enough that any two consecutive clicks would be a double click. */
const doubleClickMs = 1200;

let scene: Scene;
let client: StepsClient;
beforeAll(async () => {
  scene = await openScene({ width: 1240, height: 420 });
  setPolicy(scene, { sensitive: "ask", actionsPerMinute: 0, hotkey: false });
  const settings = scene.sandbox.spawn(
    ["/usr/bin/python3", join(import.meta.dir, "own-settings.py"), String(doubleClickMs)],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  await new Promise((resolve) => settings.stdout?.once("data", resolve));
  for (const [, kit, title, x] of kits) {
    await scene.start(["/usr/bin/python3", join(apps, `lists-${kit}.py`), stateOf(kit), title], title);
    scene.run("xdotool", "search", "--onlyvisible", "--name", title, "windowmove", "--sync", String(x), "40");
  }
  await scene.settle();
  client = new StepsClient(scene.sandbox.env);
});
afterAll(async () => {
  client.close();
  await scene.close();
});

function stateOf(kit: string): string {
  return join(scene.sandbox.env.HOME ?? "", `${kit}.json`);
}

for (const [name, kit, title] of kits) {
  describe(`in ${name}`, () => {
    const listOpened = (): string[] => JSON.parse(readFileSync(stateOf(kit), "utf8")).presses;
    const press = async (key: string): Promise<string> => tell(await client.call("type", { key, window: title }, 1000));
    const click = async (input: Record<string, unknown>) => tell(await client.call("click", input, 1000));
    const expectOpened = async (before: readonly string[], ...opened: string[]): Promise<void> => {
      await waitFor(opened.join(), () => listOpened().length >= before.length + opened.length);
      expect(listOpened()).toEqual([...before, ...opened]);
    };
    const find = (label: string): Shown => {
      const found = readShown(scene, "--window", title).find(({ t, p }) => t === label && p !== undefined);
      if (found === undefined) throw new Error(`no ${label}`);
      return found;
    };
    const place = ({ p = [0, 0] }: Shown) => ({ x: p[0], y: p[1] });
    beforeAll(() => {
      scene.run("xdotool", "search", "--onlyvisible", "--name", title, "windowactivate", "--sync");
    });

    test("the key that chooses an entry of an open menu", async () => {
      const before = listOpened();
      await press("alt+f");
      await press("Down");
      expect(await press("Return")).toBe("3 unasked");
      expect(await press("d")).toBe("3 unasked");
      expect(listOpened()).toEqual(before);
      await press("Up");
      expect(await press("Return")).toBe("done");
      await expectOpened(before, "menu Refresh");
    });

    test("one click on an entry of a single-click list", async () => {
      const before = listOpened();
      const dangerous = find("Delete account");
      expect(await click(place(dangerous))).toBe("3 unasked");
      expect(await click({ id: dangerous.i, at: "6,6" })).toBe("3 unasked");
      expect(await click({ id: dangerous.i, double: true })).toBe("3 unasked");
      expect(listOpened()).toEqual(before);
      expect(await click(place(find("Show more")))).toBe("done");
      await expectOpened(before, "row Show more");
    });

    test("the key that opens the selected entry of a list", async () => {
      const before = listOpened();
      await press("Up");
      expect(await press("Return")).toBe("3 unasked");
      expect(await press("space")).toBe("3 unasked");
      expect(await press("Delete")).toBe("3 unasked");
      expect(listOpened()).toEqual(before);
      await press("Up");
      expect(await press("Return")).toBe("done");
      await expectOpened(before, "row Open notes");
    });

    test("a double click on an entry; two single-click commands never open it", async () => {
      const before = listOpened();
      const song = find("Song");
      expect(await click({ ...place(find("Remove song")), double: true })).toBe("3 unasked");
      for (let time = 0; time < 2; time += 1) expect(await click(place(song))).toBe("done");
      await scene.settle();
      expect(listOpened()).toEqual(before);
      // With the same pause as those two clicks, but not sent by Deskmap.
      const [x, y] = song.p ?? [];
      scene.run("xdotool", "sleep", String(doubleClickMs / 1000), "mousemove", String(x), String(y));
      scene.run("xdotool", "click", "--repeat", "2", "--delay", "300", "1");
      await expectOpened(before, "song Song");
    });
  });
}

test("in a menu that exposes nothing, only movement needs no approval", async () => {
  const [, kit, title] = qt;
  const state = readFileSync(stateOf(kit), "utf8");
  const [x = 0, y = 0] = readShown(scene, "--window", title).find(({ t }) => t === "Open notes")?.p ?? [];
  await client.call("click", { x, y, button: "right" });
  for (const key of ["Down", "Down"]) expect(tell(await client.call("type", { key }, 1000))).toBe("done");
  for (const input of [{ key: "Return" }, { key: "space" }, { key: "r" }, { text: "r" }]) {
    expect([input, tell(await client.call("type", input))]).toEqual([input, "3 unasked"]);
  }
  expect(tell(await client.call("click", { x: x + 30, y: y + 30 }))).toBe("3 unasked");
  expect(readFileSync(stateOf(kit), "utf8")).toBe(state);
  // The menu was open all along: another program can choose the entry.
  scene.run("xdotool", "key", "Return");
  await waitFor("the entry", () => readFileSync(stateOf(kit), "utf8").includes("context Remove"));
});

test("a press that would complete a double click waits: for the desktop's interval, at the same place, with the same button", async () => {
  const platform = unwrap(await openPlatform({ env: scene.sandbox.env, timeoutMs: 5000 }));
  const hands = unwrap(await openHands(platform));
  try {
    const point = { x: 1200, y: 400 };
    unwrap(await hands.input({ kind: "click", point, button: "left", count: 1 }));
    const [here, near, far, right] = await Promise.all([
      platform.findPressPause(point, "left"),
      platform.findPressPause({ x: 1206, y: 396 }, "left"),
      platform.findPressPause({ x: 1100, y: 400 }, "left"),
      platform.findPressPause(point, "right"),
    ]);
    expect([unwrap(far), unwrap(right)]).toEqual([0, 0]);
    for (const pause of [here, near]) {
      expect(unwrap(pause)).toBeGreaterThan(0);
      expect(unwrap(pause)).toBeLessThan(doubleClickMs + 100);
    }
    await waitFor("the pause to be over", async () => unwrap(await platform.findPressPause(point, "left")) === 0);
  } finally {
    hands.close();
    platform.close();
  }
});

/** Some keys and clicks have no visible effect: that is not a refusal. */
function tell({ exit, reason, message }: Awaited<ReturnType<StepsClient["call"]>>): string {
  return exit === 0 || exit === 4 ? "done" : `${exit} ${reason ?? message}`;
}
