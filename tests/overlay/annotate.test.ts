import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { findPlaces } from "../../src/guard/places.ts";
import { maxAnnotations, maxOfClient } from "../../src/overlay/annotation.ts";
import { OverlayScene } from "./scene.ts";

let scene: OverlayScene;
let [save, print] = [0, 0];

beforeEach(async () => {
  scene = new OverlayScene([
    {
      name: "Editor",
      windows: [
        {
          title: "Letter",
          bounds: { x: 100, y: 100, width: 400, height: 300 },
          children: [
            { role: "button", name: "Save", actions: ["press"] },
            { role: "button", name: "Print", actions: ["press"] },
          ],
        },
      ],
    },
    { name: "keepassxc", windows: [{ title: "Passwords", children: [{ role: "button", name: "Reveal" }] }] },
  ]);
  // A read assigns marks.
  await scene.call("read", { app: "editor" });
  [save, print] = [await scene.markOf("Save"), await scene.markOf("Print")];
});
afterEach(() => scene.close());

function annotate(input: Readonly<Record<string, unknown>>) {
  return scene.ask("annotate", input);
}

const topHalf = { x: 100, y: 100, width: 400, height: 150 };

describe("an annotation", () => {
  test("frames its control and shows a text beside it, without any marks", async () => {
    expect(await annotate({ what: "highlight", id: save, label: "Press this" })).toEqual({
      annotation: 1,
      shown: true,
      untilMs: expect.any(Number),
    });
    expect(scene.surface.drawings).toMatchObject([
      { kind: "box", key: "annotation 1", bounds: topHalf, stroke: "thick" },
      { kind: "tag", key: "annotation 1 label", text: "test: Press this" },
    ]);
    expect(await scene.ask("overlay", { what: "status" })).toMatchObject({ on: false, marks: 0 });
  });

  test("may be a label, a line to another control, or a shape in the control's own units", async () => {
    await annotate({ what: "label", id: save, label: "1", colour: "#1864ab" });
    await annotate({ what: "connect", id: save, to: print, arrow: "both", route: "orthogonal", stroke: "dashed" });
    await annotate({ what: "shape", id: print, path: "M0 0 L10 10", size: "10x10", filled: true });
    expect(scene.surface.drawings).toMatchObject([
      { kind: "line", key: "annotation 2", arrows: "both", stroke: "dashed" },
      { kind: "shape", key: "annotation 3", size: { width: 10, height: 10 }, path: "M0 0 L10 10", isFilled: true },
      { kind: "tag", key: "annotation 1 label", text: "test: 1", colour: "#1864ab" },
    ]);
  });

  test("is pointed at by mark, words, role, point and order", async () => {
    await annotate({ what: "highlight", words: "save", app: "editor" });
    await annotate({ what: "highlight", at: "300,150" });
    await annotate({ what: "highlight", role: "btn", nth: 1, app: "editor" });
    await annotate({ what: "connect", on: "save", toOn: "print", app: "editor" });
    await annotate({ what: "connect", id: save, toAt: "300,350" });
    const drawn = scene.surface.drawings;
    expect(drawn.filter(({ kind }) => kind === "box")).toMatchObject([1, 2, 3].map(() => ({ bounds: topHalf })));
    expect(drawn.filter(({ kind }) => kind === "line")).toHaveLength(2);
  });

  test("moves and stretches with its control", async () => {
    await annotate({ what: "shape", id: save, path: "M0 0 L10 10" });
    const window = scene.window("Letter");
    scene.move(window, 300, 200);
    await scene.until(() => isAt("annotation 1", { x: 300, y: 200, width: 400, height: 150 }));
    window.bounds = { x: 300, y: 200, width: 200, height: 100 };
    scene.tell({ isListChanged: true });
    await scene.until(() => isAt("annotation 1", { x: 300, y: 200, width: 200, height: 50 }));
  });

  test("hides with its control, and returns only with the same one", async () => {
    await annotate({ what: "highlight", id: save });
    const window = scene.window("Letter");
    const control = window.root.children[0];
    if (control === undefined) throw new Error("no control");
    control.isHidden = true;
    scene.tell({ windows: [window.id] });
    await scene.until(() => scene.find("annotation 1") === undefined);
    expect(await scene.ask("overlay", { what: "status" })).toMatchObject({ annotations: [{ shown: false }] });
    control.isHidden = false;
    scene.tell({ windows: [window.id] });
    await scene.until(() => scene.find("annotation 1") !== undefined);
    control.remove();
    scene.tell({ windows: [window.id] });
    await scene.until(() => scene.find("annotation 1") === undefined);
  });

  test("disappears when its window is minimised or covered", async () => {
    await annotate({ what: "highlight", id: save });
    const secret = scene.desktop.applications.find(({ name }) => name === "keepassxc");
    if (secret === undefined) throw new Error("no application");
    scene.window("Passwords").bounds = { x: 0, y: 0, width: 1280, height: 800 };
    scene.desktop.bringToFront(secret, scene.window("Passwords"));
    scene.tell({ isListChanged: true });
    await scene.until(() => scene.surface.drawings.length === 0);
  });

  test("ends when it is cleared, by its number or with all others", async () => {
    for (const mark of [save, print, save]) await annotate({ what: "highlight", id: mark });
    expect(await annotate({ what: "clear", annotation: 2 })).toEqual({ cleared: 1 });
    expect(scene.surface.drawings.map(({ key }) => key)).toEqual(["annotation 1", "annotation 3"]);
    expect((await scene.call("annotate", { what: "clear", annotation: 2 })).failure).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await annotate({ what: "clear" })).toEqual({ cleared: 2 });
    expect(scene.openSurfaces).toBe(0);
  });

  test("expires", async () => {
    await annotate({ what: "highlight", id: save, for: "50ms" });
    await scene.until(() => scene.openSurfaces === 0);
    expect(scene.runtime.overlay.isNeeded).toBe(false);
  });

  test("ends with its client if requested, and otherwise stays", async () => {
    const client = scene.connect("passer-by");
    const request = (input: object) => ({ tool: "annotate", input: { ...input }, formats: ["json" as const] });
    await client.call(request({ what: "highlight", id: save, whileConnected: true }));
    await client.call(request({ what: "highlight", id: print }));
    await client.close();
    await scene.until(() => scene.surface.drawings.length === 1);
    expect(scene.find("annotation 2")).toBeDefined();
  });

  test("ends with the overlay", async () => {
    await scene.ask("overlay", { what: "on" });
    await annotate({ what: "highlight", id: save });
    expect(scene.openSurfaces).toBe(1);
    await scene.ask("overlay", { what: "off" });
    expect(scene.openSurfaces).toBe(0);
    expect(await scene.ask("overlay", { what: "status" })).toMatchObject({ annotations: [] });
  });

  test("stays when only the marks change", async () => {
    await annotate({ what: "highlight", id: save });
    await scene.ask("overlay", { what: "on", roles: "link" });
    expect(scene.surface.drawings.map(({ key }) => key)).toEqual(["annotation 1"]);
  });

  test("is logged with its target, without its text", async () => {
    await annotate({ what: "highlight", id: save, label: "private words" });
    const log = readFileSync(findPlaces(scene.home.env).audit, "utf8");
    expect(log).toContain(`draws highlight at ${save}`);
    expect(log).not.toContain("private words");
  });
});

describe("an invalid annotation", () => {
  test("is refused with the valid form", async () => {
    const wrong: readonly (readonly [Record<string, unknown>, string])[] = [
      [{ what: "highlight" }, "no control is named"],
      [{ what: "label", id: save }, "a label needs its words"],
      [{ what: "connect", id: save }, "connect needs another control"],
      [{ what: "connect", id: save, to: save }, "cannot be connected with itself"],
      [{ what: "connect", id: save, toOn: "save", app: "editor" }, "cannot be connected with itself"],
      [{ what: "connect", id: save, toAt: "x" }, '--to-at "x" is not a point'],
      [{ what: "highlight", id: save, on: "save" }, "name a control each"],
      [{ what: "highlight", id: save, toId: print }, "does not accept --to-id"],
      [{ what: "shape", id: save }, "a shape needs --path"],
      [{ what: "shape", id: save, path: "nonsense" }, "invalid --path"],
      [{ what: "highlight", id: save, colour: "red" }, "invalid --colour"],
      [{ what: "highlight", id: save, for: "tomorrow" }, "is not a time"],
      [{ what: "highlight", id: save, for: "25h" }, "is not a time"],
      [{ what: "highlight", id: save, path: "M0 0" }, "annotate highlight does not accept --path"],
    ];
    for (const [input, words] of wrong) {
      const { failure } = await scene.call("annotate", input);
      expect(failure).toMatchObject({ code: "USAGE", message: expect.stringContaining(words) });
    }
    expect(scene.desktop.surfaces.length).toBe(0);
  });

  test("is refused at an unknown mark", async () => {
    expect((await scene.call("annotate", { what: "highlight", id: 4711 })).failure).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(scene.desktop.surfaces.length).toBe(0);
  });

  test("is refused if there are too many", async () => {
    const { overlay } = scene.runtime;
    await annotate({ what: "highlight", id: save });
    const [one] = overlay.status.annotations;
    if (one === undefined) throw new Error("no annotation");
    const source = () => {
      throw new Error("it looks already");
    };
    const addFor = (client: string) =>
      Promise.all(
        Array.from({ length: maxOfClient + 1 }, () =>
          overlay.annotate({ annotation: one.annotation, client, forMs: 60_000, gone: undefined }, source),
        ),
      );
    expect((await addFor("hostile")).filter(({ ok }) => ok).length).toBe(maxOfClient);
    expect((await addFor("greedy")).at(-1)).toMatchObject({
      failure: { message: expect.stringContaining("this client has") },
    });
    for (const client of ["third", "fourth"]) await addFor(client);
    expect(overlay.status.annotations.length).toBe(maxAnnotations);
    expect((await scene.call("annotate", { what: "highlight", id: save })).failure).toMatchObject({
      code: "UNAVAILABLE",
    });
  });
});

function isAt(key: string, bounds: object): boolean {
  const drawing = scene.find(key);
  return drawing !== undefined && "bounds" in drawing && Bun.deepEquals(drawing.bounds, bounds);
}
