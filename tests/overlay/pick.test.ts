import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { findPlaces } from "../../src/guard/places.ts";
import { resumeHere, stopHere } from "../../src/guard/stop/stop.ts";
import { findHolder } from "../../src/guard/turn.ts";
import { OverlayScene } from "./scene.ts";

let scene: OverlayScene;

beforeEach(() => {
  scene = new OverlayScene([
    {
      name: "Editor",
      windows: [
        {
          title: "Letter",
          bounds: { x: 100, y: 100, width: 400, height: 300 },
          children: [
            { role: "button", name: "Save", actions: ["press"], bounds: { x: 120, y: 120, width: 80, height: 30 } },
            { role: "button", name: "Print", actions: ["press"], bounds: { x: 120, y: 200, width: 80, height: 30 } },
          ],
        },
      ],
    },
    {
      name: "keepassxc",
      windows: [
        {
          title: "Passwords",
          bounds: { x: 700, y: 100, width: 300, height: 300 },
          children: [{ role: "button", name: "Reveal" }],
        },
      ],
    },
  ]);
});
afterEach(() => scene.close());

const onSave = { x: 130, y: 130 };
const onPrint = { x: 130, y: 210 };
const blind = { x: 750, y: 200 };
const nowhere = { x: 20, y: 700 };

/** In an object, because a promise returned by itself would be awaited. */
function pick(input: Readonly<Record<string, unknown>> = {}, options: { signal?: AbortSignal } = {}) {
  return { reply: scene.call("overlay", { what: "pick", ...input }, options) };
}

async function untilPicking(): Promise<void> {
  await scene.until(
    () => scene.openSurfaces > 0 && scene.surface.isPicking,
    () => scene.runtime.overlay.status,
  );
}

describe("a person who picks", () => {
  test("sees the control under the pointer, with its mark, role and name", async () => {
    const { reply } = pick();
    await untilPicking();
    scene.surface.move(onSave);
    await scene.until(() => scene.find("pick") !== undefined);
    expect(scene.find("pick")).toMatchObject({ kind: "box", bounds: { x: 120, y: 120, width: 80, height: 30 } });
    const mark = await scene.markOf("Save");
    expect(scene.find("pick label")).toMatchObject({ kind: "tag", text: `${mark} button "Save"` });
    scene.surface.move(nowhere);
    await scene.until(() => scene.find("pick") === undefined);
    scene.surface.leave();
    await reply;
  });

  test("returns the pressed control, as `at` describes it, and how it is found again", async () => {
    const { reply } = pick();
    await untilPicking();
    scene.surface.press(onPrint);
    const { outputs } = await reply;
    const told = await scene.ask("at", onPrint);
    const answer = JSON.parse(outputs.json ?? "{}");
    expect(answer).toMatchObject(told);
    expect(answer).toMatchObject({
      mark: await scene.markOf("Print"),
      ref: { app: expect.any(String), name: "Print" },
    });
    expect(outputs.text).toContain('"Print"');
    expect(scene.openSurfaces).toBe(0);
    expect(scene.runtime.overlay.isNeeded).toBe(false);
  });

  test("can be queried for the last pick", async () => {
    expect((await scene.call("overlay", { what: "picked" })).failure).toMatchObject({ code: "NOT_FOUND" });
    const { reply } = pick();
    await untilPicking();
    scene.surface.press(onPrint);
    await reply;
    expect(await scene.ask("overlay", { what: "picked" })).toMatchObject({ mark: await scene.markOf("Print") });
    expect(await scene.ask("overlay", { what: "status" })).toMatchObject({
      picked: { id: await scene.markOf("Print") },
    });
  });

  test("leaves with Esc", async () => {
    const { reply } = pick();
    await untilPicking();
    scene.surface.leave();
    expect(await reply).toMatchObject({ exitCode: 1, failure: { code: "CANCELLED" } });
    expect(scene.openSurfaces).toBe(0);
  });

  test.each([
    ["rest", "TIMEOUT"],
    ["screen", "CANCELLED"],
  ] as const)("who is not there, or whose screen changes, has not refused: %s", async (why, code) => {
    const { reply } = pick();
    await untilPicking();
    scene.surface.leave(why);
    expect((await reply).failure).toMatchObject({ code });
    const again = pick();
    await untilPicking();
    scene.surface.press(onSave);
    expect((await again.reply).failure).toBeUndefined();
  });

  test("is released when the client cancels, or its time is over", async () => {
    const ending = new AbortController();
    const { reply } = pick({}, { signal: ending.signal });
    await untilPicking();
    const { surface } = scene;
    ending.abort();
    expect((await reply).failure).toMatchObject({ code: "CANCELLED" });
    await scene.until(() => !surface.isPicking);
    expect((await scene.call("overlay", { what: "pick", for: "20ms" })).failure).toMatchObject({ code: "TIMEOUT" });
    expect(scene.openSurfaces).toBe(0);
  });

  test("can press empty or blind places, and continues", async () => {
    const { reply } = pick();
    await untilPicking();
    scene.surface.press(nowhere);
    scene.surface.press(blind);
    scene.surface.move(blind);
    await Bun.sleep(50);
    expect(scene.surface.isPicking).toBe(true);
    expect(JSON.stringify(scene.surface.drawn)).not.toContain("Reveal");
    scene.surface.press(onSave);
    expect((await reply).failure).toBeUndefined();
  });

  test("has the desktop to themselves: no Deskmap action runs meanwhile", async () => {
    const { reply } = pick();
    await untilPicking();
    expect(findHolder(findPlaces(scene.home.env))).toMatchObject({ tool: "overlay", client: "test" });
    expect((await scene.call("overlay", { what: "pick" })).failure).toMatchObject({ code: "UNAVAILABLE" });
    scene.surface.leave();
    await reply;
    expect(findHolder(findPlaces(scene.home.env))).toBe("free");
  });

  test("is released by a stop", async () => {
    const { reply } = pick();
    await untilPicking();
    const places = findPlaces(scene.home.env);
    await stopHere(places, "a test");
    expect((await reply).failure).toMatchObject({ code: "REFUSED", reason: "stopped" });
    expect(scene.openSurfaces).toBe(0);
    resumeHere(places, "a test");
  });

  test("may start with keys while the overlay is on", async () => {
    await scene.ask("overlay", { what: "on", hotkey: "ctrl+alt+k" });
    const [key] = scene.keys;
    expect(key?.combo).toEqual({ modifiers: ["ctrl", "alt"], key: "k" });
    key?.press();
    await untilPicking();
    scene.surface.press(onSave);
    await scene.until(() => !scene.surface.isPicking);
    expect(await scene.ask("overlay", { what: "status" })).toMatchObject({
      on: true,
      picked: { id: await scene.markOf("Save") },
    });
    expect(scene.openSurfaces).toBe(1);
  });

  test("is not offered keys that were not requested", async () => {
    await scene.ask("overlay", { what: "on", hotkey: "none" });
    expect(scene.keys).toEqual([]);
  });
});

describe("a region", () => {
  test("is what a person draws, with its marks and its picture", async () => {
    const reply = scene.call("overlay", { what: "region", frame: true });
    await untilPicking();
    scene.surface.press(onSave);
    scene.surface.drag({ x: 110, y: 110, width: 20, height: 20 }, false);
    await scene.until(() => scene.find("region") !== undefined);
    expect(scene.find("region")).toMatchObject({ kind: "box", stroke: "dashed" });
    scene.surface.drag({ x: 110, y: 110, width: 200, height: 60 }, true);
    const answer = JSON.parse((await reply).outputs.json ?? "{}");
    expect(answer).toMatchObject({
      region: { x: 110, y: 110, width: 200, height: 60 },
      marks: [{ i: await scene.markOf("Save"), t: "Save", app: "Editor" }],
      frame: { scope: "region", width: 200, height: 60, scale: 1, data: expect.any(String) },
    });
    expect(scene.openSurfaces).toBe(0);
  });

  test("has no marks of covered or blind controls", async () => {
    scene.window("Passwords").bounds = { x: 90, y: 90, width: 300, height: 80 };
    const secret = scene.desktop.applications.find(({ name }) => name === "keepassxc");
    if (secret !== undefined) scene.desktop.bringToFront(secret, scene.window("Passwords"));
    const reply = scene.call("overlay", { what: "region" });
    await untilPicking();
    scene.surface.drag({ x: 80, y: 80, width: 400, height: 300 }, true);
    const answer = JSON.parse((await reply).outputs.json ?? "{}");
    expect(answer.marks).toMatchObject([{ t: "Print" }]);
    expect(answer.marks.length).toBe(1);
  });
});
