import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import { button, Desk, makeMapFolder, row, text } from "./desk.ts";

// A mark always refers to the same control, or to nothing. Each test is one way in which that could break.

const folder = makeMapFolder();
let store: SqliteStore;
beforeAll(() => {
  store = folder.open();
});
afterAll(() => {
  store.close();
  folder.remove();
});

function openEditor(...children: readonly ControlSketch[]): Desk {
  return new Desk(store, { title: "a.txt - Editor", children });
}

function openList(...rows: readonly ControlSketch[]): Desk {
  return openEditor({ role: "list", name: "People", children: rows });
}

describe("the same control keeps its mark", () => {
  test("when it is read again", async () => {
    const desk = openEditor(button("Save"), button("Open"));
    const first = await desk.look();
    expect(await desk.look()).toEqual(first);
    expect(new Set(first.map(({ mark }) => mark)).size).toBe(first.length);
  });

  test("when its application is restarted", async () => {
    const desk = openList(row("Alice"), row("Bob"));
    const first = await desk.look();
    desk.app.restart();
    expect(await desk.look()).toEqual(first);
  });

  test("when its window gets another title or position, restarted or not", async () => {
    const desk = openEditor(button("Save"));
    const [window] = desk.app.windows;
    const mark = await desk.markOf(desk.find("Save"));
    window?.retitle("b.txt - Editor");
    window?.moveTo(200, 100);
    expect(await desk.markOf(desk.find("Save"))).toBe(mark);
    desk.app.restart();
    window?.retitle("c.txt - Editor");
    expect(await desk.markOf(desk.find("Save"))).toBe(mark);
  });

  test("when other controls come, go and change places around it", async () => {
    const desk = openEditor(button("Open"), button("Save"), button("Close"));
    const save = desk.find("Save");
    const mark = await desk.markOf(save);
    save.parent?.insert(button("Save"), 0);
    expect(await desk.markOf(save)).toBe(mark);
    desk.find("Open").remove();
    expect(await desk.markOf(save)).toBe(mark);
    save.moveTo(0);
    expect(await desk.markOf(save)).toBe(mark);
  });

  test("when its row is sorted to another place and the application is restarted", async () => {
    const desk = openList(row("Alice"), row("Bob"), row("Carol"));
    const deletes = desk.findAll("Delete");
    const before = await Promise.all(deletes.map((control) => desk.markOf(control)));
    desk.find("Carol").parent?.moveTo(0);
    desk.app.restart();
    expect(await Promise.all(deletes.map((control) => desk.markOf(control)))).toEqual(before);
  });

  test("when the rows beside its own go until it is alone", async () => {
    const desk = openList(row("Alice"), row("Bob"));
    const [alice, bob] = desk.findAll("Delete");
    if (alice === undefined || bob === undefined) throw new Error("two rows were made");
    const mark = await desk.markOf(alice);
    bob.parent?.remove();
    expect(await desk.markOf(alice)).toBe(mark);
  });

  test("when a second row appears beside its own", async () => {
    const desk = openList(row("Alice"));
    const alice = desk.find("Delete");
    const mark = await desk.markOf(alice);
    desk.find("People").insert(row("Bob"));
    expect(await desk.markOf(alice)).toBe(mark);
  });

  test("whether only the screen, everything, or a part of it is read", async () => {
    const desk = openList(row("Alice"), row("Bob"));
    const bob = desk.findAll("Delete")[1] ?? desk.find("Delete");
    const mark = await desk.markOf(bob);
    expect(await desk.markOf(bob, {})).toBe(mark);
    expect(await desk.markOf(bob, { roles: new Set(["button"]) })).toBe(mark);
    expect(await desk.markOf(bob, { isInteractive: true })).toBe(mark);
    expect(await desk.markOf(bob, { bbox: desk.fake.screen })).toBe(mark);
  });

  test("when its row has hidden parts that only a read of everything shows", async () => {
    const hover = { role: "text", name: "Shortcut", hidden: true } as const;
    const withHover = (label: string) => row(label, { children: [hover, text(label), button("Delete")] });
    const desk = openList(withHover("Alice"), withHover("Bob"));
    const alice = desk.find("Delete");
    expect(await desk.markOf(alice)).toBe(await desk.markOf(alice, {}));
  });

  test.each(["row", "option"] as const)("when another button of its %s changes its words", async (role) => {
    const entry = (label: string) => row(label, { role, children: [text(label), button("Follow"), button("Delete")] });
    const desk = openList(entry("Alice"), entry("Bob"));
    const alice = desk.find("Delete");
    const mark = await desk.markOf(alice);
    desk.find("Follow").rename("Following");
    expect(await desk.markOf(alice)).toBe(mark);
  });

  test("when it is one of several unnamed boxes and the text beside it changes", async () => {
    const tabs = { role: "tablist", children: [{ role: "tab", name: "A" }] } as const;
    const desk = openEditor(text("Beside"), tabs, { role: "group", children: [{ ...tabs, children: [] }] });
    const [first] = desk.app.windows
      .flatMap((window) => window.listControls())
      .filter(({ role }) => role === "tablist");
    if (first === undefined) throw new Error("two lists of tabs were made");
    const mark = await desk.markOf(first);
    desk.find("Beside").rename("Changed");
    expect(await desk.markOf(first)).toBe(mark);
  });

  test("when it has a look-alike beside it and texts are added below them", async () => {
    const desk = openEditor({ role: "group", children: [button("Go"), button("Go")] });
    const [first, second] = desk.findAll("Go");
    const box = first?.parent;
    if (first === undefined || second === undefined || box === undefined) throw new Error("two buttons were made");
    const readBoth = (): Promise<number[]> => Promise.all([desk.markOf(first), desk.markOf(second)]);
    const marks = await readBoth();
    box.parent?.insert(text("Below the box"));
    expect(await readBoth()).toEqual(marks);
    box.insert(text("In the box"));
    expect(await readBoth()).toEqual(marks);
    desk.find("In the box").rename("Something else");
    expect(await readBoth()).toEqual(marks);
  });

  test("when a second window opens and closes", async () => {
    const desk = openEditor(button("Save"));
    const save = desk.find("Save");
    const mark = await desk.markOf(save);
    const second = desk.app.openWindow({ title: "b.txt - Editor", children: [button("Save")] });
    expect(await desk.markOf(save)).toBe(mark);
    desk.app.closeWindow(second);
    expect(await desk.markOf(save)).toBe(mark);
  });

  test("when its dialog is closed and opened again", async () => {
    const desk = openEditor(button("Save"));
    const sketch = { title: "Save As", role: "dialog", children: [button("OK"), button("Cancel")] } as const;
    const dialog = desk.app.openWindow(sketch);
    const mark = await desk.markOf(desk.find("OK"));
    desk.app.closeWindow(dialog);
    await desk.look();
    desk.app.openWindow(sketch);
    expect(await desk.markOf(desk.find("OK"))).toBe(mark);
  });

  test("when a text or a field's value changes", async () => {
    const desk = openEditor(text("Line 1"), { role: "input", name: "Title", value: "x", states: ["editable"] });
    const [line, field] = [desk.find("Line 1"), desk.find("Title")];
    const marks = [await desk.markOf(line), await desk.markOf(field)];
    line.rename("Line 2");
    field.value = "y";
    expect([await desk.markOf(line), await desk.markOf(field)]).toEqual(marks);
  });
});
