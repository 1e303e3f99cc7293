import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { findPlaces } from "../../src/guard/places.ts";
import { resumeHere, stopHere } from "../../src/guard/stop/stop.ts";
import { openSession } from "../../src/host/session.ts";
import { annotate } from "../../src/tools/annotate.ts";
import { overlay } from "../../src/tools/overlay.ts";
import { runTool } from "../tools/run-tool.ts";
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
            { role: "button", name: "Save", actions: ["press"] },
            { role: "text", name: "A word" },
            { role: "input", name: "Password", secret: true, value: "hunter2" },
          ],
        },
      ],
    },
    {
      name: "Mail",
      windows: [
        {
          title: "Inbox",
          bounds: { x: 700, y: 100, width: 400, height: 300 },
          children: [{ role: "button", name: "Send", actions: ["press"] }],
        },
      ],
    },
    { name: "keepassxc", windows: [{ title: "Passwords", children: [{ role: "button", name: "Reveal" }] }] },
  ]);
});
afterEach(() => scene.close());

async function turnOn(input: Readonly<Record<string, unknown>> = {}) {
  return scene.ask("overlay", { what: "on", ...input });
}

describe("the overlay", () => {
  test("draws the marks of actionable controls, and reports how many", async () => {
    expect(await turnOn()).toMatchObject({ on: true, marks: 3, client: "test", hotkey: "Ctrl+Alt+P" });
    const [save, send] = [await scene.markOf("Save"), await scene.markOf("Send")];
    expect(scene.tags).toContain(String(save));
    expect(scene.tags).toContain(String(send));
    expect(scene.find(`box ${save}`)).toMatchObject({ kind: "box" });
  });

  test("draws nothing of a blind application, and no field content", async () => {
    await turnOn({ everything: true });
    const drawn = JSON.stringify(scene.surface.drawn);
    expect(drawn).not.toContain("hunter2");
    const status = await scene.ask("overlay", { what: "status" });
    expect(status).toMatchObject({ marks: 4 });
    const refused = await scene.call("overlay", { what: "on", app: "keepassxc" });
    expect(refused).toMatchObject({ exitCode: 3, failure: { code: "REFUSED", reason: "blind" } });
  });

  test("accepts the same filters as read", async () => {
    expect(await turnOn({ app: "mail" })).toMatchObject({ marks: 1 });
    expect(await turnOn({ roles: "text" })).toMatchObject({ marks: 1 });
    expect(await turnOn({ everything: true })).toMatchObject({ marks: 4 });
    expect(scene.openSurfaces).toBe(1);
  });

  test("shows a number that acts on exactly its control", async () => {
    await turnOn({ app: "mail" });
    const [tag] = scene.tags;
    const { outputs } = await scene.call("find", { words: "Send" });
    expect(JSON.parse(outputs.json ?? "").matches[0]).toMatchObject({ i: Number(tag), t: "Send" });
  });

  test("hides the marks of a moving window, and shows them at the new place when it stops", async () => {
    await turnOn();
    const save = await scene.markOf("Save");
    const before = scene.find(`box ${save}`);
    const drawnBefore = scene.surface.drawn.length;
    scene.move(scene.window("Letter"), 150, 350);
    await scene.until(() => scene.surface.drawn.length > drawnBefore && scene.find(`box ${save}`) !== undefined);
    const between = scene.surface.drawn.slice(drawnBefore);
    // It disappears first: it is never drawn where the window was.
    expect(between[0]?.some(({ key }) => key === `box ${save}`)).toBe(false);
    expect(between[0]?.some(({ kind }) => kind === "tag")).toBe(true);
    expect(before?.kind === "box" && scene.find(`box ${save}`)).toMatchObject({
      bounds: before?.kind === "box" ? { ...before.bounds, x: before.bounds.x + 50, y: before.bounds.y + 250 } : {},
    });
  });

  test("has no marks where another window covers them", async () => {
    await turnOn();
    const send = await scene.markOf("Send");
    scene.move(scene.window("Letter"), 700, 100);
    await scene.until(() => scene.find(`box ${send}`) === undefined && scene.tags.length === 2);
  });

  test("has no marks under a blind window", async () => {
    await turnOn();
    const [editor] = scene.desktop.applications;
    const secret = scene.desktop.applications.find(({ name }) => name === "keepassxc");
    const window = scene.window("Passwords");
    window.bounds = { x: 0, y: 0, width: 650, height: 800 };
    if (secret === undefined || editor === undefined) throw new Error("an application is missing");
    scene.desktop.bringToFront(secret, window);
    scene.tell({ isListChanged: true });
    const save = await scene.markOf("Save");
    await scene.until(() => scene.find(`box ${save}`) === undefined);
  });

  test("follows controls that come and go in a window", async () => {
    await turnOn({ app: "mail" });
    const window = scene.window("Inbox");
    window.root.insert({ role: "button", name: "Reply", actions: ["press"] });
    scene.tell({ windows: [window.id] });
    await scene.until(() => scene.tags.length === 2);
    for (const control of [...window.root.children]) control.remove();
    scene.tell({ windows: [window.id] });
    await scene.until(() => scene.tags.length === 0);
  });

  test("draws nothing while everything is stopped, and continues afterwards", async () => {
    await turnOn();
    const places = findPlaces(scene.home.env);
    await stopHere(places, "a test");
    await scene.until(() => scene.surface.drawings.length === 0);
    expect(await scene.ask("overlay", { what: "status" })).toMatchObject({ on: true, marks: 0 });
    resumeHere(places, "a test");
    await scene.until(() => scene.surface.drawings.length > 0);
  });

  test("draws again on a recreated surface", async () => {
    await turnOn();
    const count = scene.surface.drawn.length;
    scene.surface.renew();
    await scene.until(() => scene.surface.drawn.length > count);
    expect(scene.tags.length).toBe(3);
  });

  test("draws nothing twice", async () => {
    await turnOn();
    const count = scene.surface.drawn.length;
    scene.tell({ isListChanged: true, windows: [scene.window("Inbox").id] });
    await scene.ask("overlay", { what: "status" });
    await Bun.sleep(600);
    expect(scene.surface.drawn.length).toBe(count);
  });

  test("leaves nothing when it is off", async () => {
    await turnOn();
    expect(await scene.ask("overlay", { what: "off" })).toMatchObject({ on: false, marks: 0 });
    expect(scene.openSurfaces).toBe(0);
    expect(scene.keys.every(({ isEnded }) => isEnded)).toBe(true);
    expect(scene.runtime.overlay.isNeeded).toBe(false);
  });

  test("turns off with its display, and says so", async () => {
    await turnOn();
    const live = await scene.runtime.openPlatform();
    if (live.ok) live.value.close();
    await scene.until(() => scene.openSurfaces === 0);
    expect(scene.runtime.overlay.status).toMatchObject({ isOn: false, trouble: expect.stringContaining("turned off") });
  });

  test("is logged: that it was turned on, which applications it reads, that it ended", async () => {
    await turnOn({ app: "mail" });
    await scene.ask("overlay", { what: "off" });
    const lines = readFileSync(findPlaces(scene.home.env).audit, "utf8").trim().split("\n");
    const told = lines.map((line) => JSON.parse(line)).filter(({ tool }) => tool === "overlay");
    expect(told.map(({ words, apps }) => [words, apps])).toEqual([
      ["turned on", []],
      ["begins", ["Mail"]],
      [expect.stringContaining("ends, "), ["Mail"]],
      ["turned off", []],
    ]);
  });
});

describe("invalid options", () => {
  test("are refused with the valid ones", async () => {
    const wrong: readonly (readonly [Record<string, unknown>, string])[] = [
      [{ what: "off", app: "mail" }, "overlay off does not accept --app"],
      [{ what: "on", hotkey: "p" }, "is a key that applications need"],
      [{ what: "on", hotkey: "ctrl+nonsense" }, "nonsense"],
      [{ what: "pick", for: "2h" }, "is not a time"],
      [{ what: "on", roles: "nonsense" }, "nonsense"],
    ];
    for (const [input, words] of wrong) {
      const { failure } = await scene.call("overlay", input);
      expect(failure).toMatchObject({ code: "USAGE", message: expect.stringContaining(words) });
    }
    expect(scene.desktop.surfaces.length).toBe(0);
  });

  test("and so is an overlay that would end with its command", async () => {
    const session = openSession(scene.home.env, 1000);
    for (const run of [runTool(overlay, { what: "on" }, session), runTool(annotate, { what: "clear" }, session)]) {
      expect(await run).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE", suggestion: expect.any(String) } });
    }
    session.close();
  });
});
