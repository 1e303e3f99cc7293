import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { publishPage } from "../../src/guard/approval/pages.ts";
import { requestPath } from "../../src/guard/approval/surface.ts";
import { tryLock } from "../../src/guard/lock.ts";
import { findPlaces, makeStateFolder } from "../../src/guard/places.ts";
import { userPolicy } from "../../src/guard/policy/defaults.ts";
import { resumeHere, stopHere } from "../../src/guard/stop/stop.ts";
import type { LocalHost } from "../../src/host/local-host.ts";
import { OverlayScene } from "./scene.ts";

let scene: OverlayScene;
let save = 0;

beforeEach(async () => {
  scene = new OverlayScene(
    [
      {
        name: "Editor",
        windows: [
          {
            title: "Letter",
            bounds: { x: 100, y: 100, width: 400, height: 300 },
            children: [
              { role: "button", name: "Save", actions: ["press"], bounds: { x: 120, y: 120, width: 80, height: 30 } },
            ],
          },
        ],
      },
      {
        name: "xterm",
        windows: [
          {
            title: "Shell",
            bounds: { x: 600, y: 100, width: 300, height: 300 },
            children: [{ role: "button", name: "Menu", actions: ["press"] }],
          },
        ],
      },
    ],
    300,
  );
  await scene.call("read", {});
  save = await scene.markOf("Save");
});
afterEach(() => scene.close());

const onSave = { x: 130, y: 130 };

function ask(host: LocalHost, tool: string, input: Readonly<Record<string, unknown>>) {
  return host.call({ tool, input, formats: ["json", "text"], timeoutMs: 2000 });
}

/** In an object, because a promise returned by itself would be awaited. */
async function beginPick(host: LocalHost = scene.host) {
  const reply = ask(host, "overlay", { what: "pick" });
  await scene.until(
    () => scene.openSurfaces > 0 && scene.surface.isPicking,
    () => scene.runtime.overlay.status,
  );
  return { reply };
}

function readLog(): string {
  return readFileSync(findPlaces(scene.home.env).audit, "utf8");
}

/** Like a command that waits for a person's answer. */
function askPerson(): () => void {
  const places = findPlaces(scene.home.env);
  makeStateFolder(places);
  mkdirSync(places.surfaces, { recursive: true, mode: 0o700 });
  const path = requestPath(places, "nonce");
  const lock = tryLock(path);
  if (lock === undefined) throw new Error("somebody asks already");
  return () => {
    rmSync(path);
    lock.release();
  };
}

describe("the person's pointer and keyboard", () => {
  test("are not taken by a read-only client", async () => {
    const reader = scene.connect("reader", { DESKMAP_READ_ONLY: "1" });
    for (const what of ["pick", "region"]) {
      expect((await ask(reader, "overlay", { what })).failure).toMatchObject({ code: "REFUSED", reason: "read-only" });
    }
    expect(scene.desktop.surfaces.length).toBe(0);
    expect(readLog()).toContain('"effect":"read-only"');
  });

  test("are taken only after that is logged, and so is how it ended", async () => {
    const { reply } = await beginPick();
    expect(readLog()).toContain("takes the pointer and the keyboard");
    scene.surface.press(onSave);
    await reply;
    expect(readLog()).toMatch(/"what":"end".*"way":"pick","effect":"picked"/);
  });

  test("are not taken if no process listens for the keys that stop everything", async () => {
    scene.endHotkey();
    const { failure } = await scene.call("overlay", { what: "pick" });
    expect(failure).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("double Esc") });
    expect(scene.desktop.surfaces.length).toBe(0);
  });

  test("are taken within the rate limit of actions", async () => {
    for (let count = 0; count < userPolicy.actionsPerMinute; count += 1) {
      const { reply } = await beginPick();
      scene.surface.press(onSave);
      expect((await reply).failure).toBeUndefined();
    }
    const { failure } = await scene.call("overlay", { what: "pick" });
    expect(failure).toMatchObject({ code: "REFUSED", reason: "rate" });
  });

  test("are not taken for a while by a client that a person left with Esc", async () => {
    const { reply } = await beginPick();
    scene.surface.leave();
    await reply;
    const refused = await scene.call("overlay", { what: "region" });
    expect(refused.failure).toMatchObject({ code: "REFUSED", reason: "denied", retryAfterMs: expect.any(Number) });
    const other = await beginPick(scene.connect("other"));
    scene.surface.press(onSave);
    expect((await other.reply).failure).toBeUndefined();
  });

  test("are released when picking fails", async () => {
    await scene.ask("overlay", { what: "on" });
    const { surface } = scene;
    const { pick } = surface;
    surface.pick = () => Promise.reject(new Error("the display broke"));
    await scene.call("overlay", { what: "pick" }).catch(() => undefined);
    expect(scene.runtime.overlay.status.isPicking).toBe(false);
    surface.pick = pick.bind(surface);
    const { reply } = await beginPick();
    scene.surface.press(onSave);
    expect((await reply).failure).toBeUndefined();
  });

  test("are not requested by keys that people press in their applications", async () => {
    for (const hotkey of ["shift+a", "alt+p", "alt+a", "ctrl+c", "ctrl+shift+c", "alt+F4", "super+Escape", "Return"]) {
      expect((await scene.call("overlay", { what: "on", hotkey })).failure).toMatchObject({ code: "USAGE" });
    }
    for (const hotkey of ["ctrl+alt+k", "super+p", "F9", "ctrl+super+x"]) {
      expect((await scene.call("overlay", { what: "on", hotkey })).failure).toBeUndefined();
    }
  });
});

describe("a picked control", () => {
  test("is looked up again, only by the client that asked for it, and that is logged", async () => {
    const { reply } = await beginPick();
    scene.surface.press(onSave);
    await reply;
    const other = scene.connect("other");
    expect((await ask(other, "overlay", { what: "picked" })).failure).toMatchObject({ code: "NOT_FOUND" });
    expect((await ask(other, "overlay", { what: "status" })).outputs.json).not.toContain("picked");
    const control = scene.window("Letter").root.children[0];
    control?.remove();
    scene.tell({ windows: [scene.window("Letter").id] });
    expect((await scene.call("overlay", { what: "picked" })).failure?.code).toBe("NOT_FOUND");
  });

  test("is available to every client if the person started with keys", async () => {
    await scene.ask("overlay", { what: "on", hotkey: "ctrl+alt+k" });
    scene.keys[0]?.press();
    await scene.until(() => scene.surface.isPicking);
    scene.surface.press(onSave);
    await scene.until(() => !scene.surface.isPicking);
    const { outputs } = await ask(scene.connect("other"), "overlay", { what: "picked" });
    expect(JSON.parse(outputs.json ?? "{}")).toMatchObject({ mark: save });
    expect(readLog()).toContain("a person began it, with keys");
  });

  test("is not reported after a stop, nor after resuming", async () => {
    const { reply } = await beginPick();
    scene.surface.press(onSave);
    await reply;
    const places = findPlaces(scene.home.env);
    await stopHere(places, "a test");
    expect((await scene.call("overlay", { what: "picked" })).failure).toMatchObject({ reason: "stopped" });
    await scene.until(() => scene.runtime.overlay.picks.findLast("test") === undefined);
    resumeHere(places, "a test");
    expect((await scene.call("overlay", { what: "picked" })).failure).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("while a person is asked a question", () => {
  test("nothing is drawn, and everything comes back with the answer", async () => {
    await scene.ask("overlay", { what: "on", app: "editor" });
    await scene.ask("annotate", { what: "highlight", id: save });
    expect(scene.surface.drawings.length).toBeGreaterThan(0);
    const end = askPerson();
    await scene.until(() => scene.surface.drawings.length === 0);
    const calls = [
      ["annotate", { what: "highlight", id: save }],
      ["overlay", { what: "on" }],
      ["overlay", { what: "pick" }],
    ] as const;
    for (const [tool, input] of calls) {
      expect((await scene.call(tool, input)).failure).toMatchObject({ code: "REFUSED", reason: "turn" });
    }
    end();
    await scene.until(() => scene.find("annotation 1") !== undefined);
  });

  test("the page where they answer is never drawn on", async () => {
    const end = publishPage(findPlaces(scene.home.env), ["Letter"]);
    await scene.ask("overlay", { what: "on" });
    expect(scene.tags).not.toContain(String(save));
    expect((await scene.call("annotate", { what: "highlight", id: save })).failure).toMatchObject({
      code: "REFUSED",
      reason: "hands-off",
    });
    end();
  });
});

describe("an annotation of a client", () => {
  test("is not drawn at a hands-off application", async () => {
    const menu = await scene.markOf("Menu");
    const refused = await scene.call("annotate", { what: "label", id: menu, label: "type rm -rf" });
    expect(refused.failure).toMatchObject({ code: "REFUSED", reason: "hands-off" });
    const line = await scene.call("annotate", { what: "connect", id: save, to: menu });
    expect(line.failure).toMatchObject({ code: "REFUSED", reason: "hands-off" });
  });

  test("expires within an hour by default", async () => {
    const { untilMs } = await scene.ask("annotate", { what: "highlight", id: save });
    expect(Number(untilMs) - Date.now()).toBeLessThanOrEqual(60 * 60_000);
  });

  test("is cleared by another client only if that requests it", async () => {
    await scene.ask("annotate", { what: "highlight", id: save });
    const other = scene.connect("other");
    expect((await ask(other, "annotate", { what: "clear" })).outputs.json).toContain('"cleared":0');
    const one = await ask(other, "annotate", { what: "clear", annotation: 1 });
    expect(one.failure).toMatchObject({ code: "NOT_FOUND", message: expect.stringContaining("another client's") });
    expect(scene.find("annotation 1")).toBeDefined();
    expect((await ask(other, "annotate", { what: "clear", everybody: true })).outputs.json).toContain('"cleared":1');
    expect(scene.openSurfaces).toBe(0);
  });

  test("ends when its application has been gone for long, and does not keep the daemon running", async () => {
    await scene.ask("annotate", { what: "highlight", id: save });
    const { applications } = scene.desktop;
    const at = applications.findIndex(({ name }) => name === "Editor");
    applications[at]?.windows.splice(0);
    scene.tell({ isListChanged: true });
    await scene.until(() => !scene.runtime.overlay.isNeeded);
  });
});
