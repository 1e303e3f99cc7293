import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import type { Role } from "../../src/model/role.ts";
import type { FakeControl } from "../../src/platform/fake/control.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import { button, Desk, makeMapFolder, row, type Sighting, text } from "./desk.ts";

// A mark is never given to another control. Each test is one way in which two controls could be mixed up.

const folder = makeMapFolder();
let store: SqliteStore;
beforeAll(() => {
  store = folder.open();
});
afterAll(() => {
  store.close();
  folder.remove();
});

function openList(...rows: readonly ControlSketch[]): Desk {
  return new Desk(store, { title: "Contacts", children: [{ role: "list", name: "People", children: rows }] });
}

/** The marks that were shown for one control before and for another one now. */
function listMixedUp(before: readonly Sighting[], after: readonly Sighting[]): string[] {
  const earlier = new Map(before.map(({ mark, control }) => [mark, control]));
  return after
    .filter(({ mark, control }) => earlier.has(mark) && earlier.get(mark) !== control)
    .map(({ mark, control }) => `${mark}: ${describe(earlier.get(mark))} → ${describe(control)}`);
}

function describe(control: FakeControl | undefined): string {
  const owner = control?.parent?.children[0]?.name ?? "";
  return `${control?.role} "${control?.name}" of "${owner}"`;
}

function listTwice(sightings: readonly Sighting[]): number[] {
  const marks = sightings.map(({ mark }) => mark);
  return marks.filter((mark, index) => marks.indexOf(mark) !== index);
}

/** A row that has no name of its own and is named after its content: GTK 4's lists consist of these. */
function item(label: string, more: Partial<ControlSketch> = {}): ControlSketch {
  return { role: "option", children: [text(label), button("Delete")], ...more };
}

test("a row object that shows another item now gives its controls new marks", async () => {
  const desk = openList(row("Alice"), row("Bob"));
  const before = await desk.look();
  desk.find("Alice").parent?.recycle(row("Carol"));
  expect(listMixedUp(before, await desk.look())).toEqual([]);
});

test.each([
  ["the button", [button("Go")]],
  ["the row with two equal buttons", [{ role: "group", children: [button("Go"), button("Go")] }]],
] as const)("a text after %s that shows another item gives new marks, though nothing is a list", async (_, buttons) => {
  const people = ["Alice", "Bob"].flatMap((name) => [...buttons, text(name)]);
  const desk = new Desk(store, { title: "Contacts", children: [{ role: "group", children: people }] });
  const [first] = desk.findAll("Go");
  if (first === undefined) throw new Error("buttons were made");
  const mark = await desk.markOf(first);
  desk.find("Alice").rename("Carol");
  expect(await desk.markOf(first)).not.toBe(mark);
});

test("the only row of a list that shows another item now gives its controls new marks", async () => {
  const desk = openList(row("Alice"));
  const before = await desk.lookAtScreen();
  desk.find("Alice").parent?.recycle(row("Carol"));
  const buttons = (sightings: Sighting[]) => sightings.filter(({ control }) => control.role === "button");
  expect(listMixedUp(buttons(before), buttons(await desk.lookAtScreen()))).toEqual([]);
});

test("a row named by its content that shows another item now gives its controls new marks", async () => {
  const desk = openList(item("Alice"), item("Bob"));
  const before = await desk.look();
  desk.find("Alice").parent?.recycle(item("Carol"));
  expect(listMixedUp(before, await desk.look())).toEqual([]);
});

test("files of the same name in two folders have marks of their own, and a folder that is shown again has its former", async () => {
  const cell = (name: string): ControlSketch => ({ role: "cell", name });
  const files = ["notes.txt", "Today", "plan.txt", "Today"].map(cell);
  const desk = new Desk(store, { title: "", children: [{ role: "table", name: "Files", children: files }] });
  const show = async (folder: string): Promise<readonly number[]> => {
    desk.app.restart();
    desk.app.windows[0]?.retitle(folder);
    const cells = (await desk.look()).filter(({ control }) => control.role === "cell");
    return cells.map(({ mark }) => mark);
  };
  const reports = await show("reports");
  const drafts = await show("drafts");
  expect(drafts).toHaveLength(4);
  expect(drafts.filter((mark) => reports.includes(mark))).toEqual([]);
  expect(await show("reports")).toEqual(reports);
});

test("a hidden row that holds another item now gives its controls new marks", async () => {
  const desk = new Desk(store, {
    title: "Contacts",
    children: [{ role: "list", name: "People", hidden: true, children: [row("Alice"), row("Bob")] }],
  });
  const before = await desk.look();
  desk.find("Alice").parent?.recycle(row("Carol"));
  expect(listMixedUp(before, await desk.look())).toEqual([]);
});

test("a row without words is not confused with one whose words are elsewhere in the window", async () => {
  const desk = new Desk(store, { title: "Contacts", children: [text("Alice"), row("Alice"), button("Delete")] });
  const before = await desk.look();
  const silent: ControlSketch = { role: "row", children: [{ role: "image" }, button("Delete")] };
  desk.findAll("Alice")[1]?.parent?.recycle(silent);
  expect(listMixedUp(before, await desk.look())).toEqual([]);
});

test("the rows of a list that scrolls by making new objects never inherit marks", async () => {
  const desk = openList(item("Alice"), item("Bob"));
  const before = await desk.look();
  desk.find("Alice").parent?.remove();
  desk.find("Bob").parent?.remove();
  desk.find("People").insert(item("Carol"));
  expect(listMixedUp(before, await desk.look())).toEqual([]);
});

test("a row named by its content keeps marks apart when rows are sorted and the application is restarted", async () => {
  const desk = openList(item("Alice"), item("Bob"));
  const before = await desk.look();
  desk.find("Bob").parent?.moveTo(0);
  desk.app.restart();
  expect(listMixedUp(before, await desk.look())).toEqual([]);
});

test("nameless rows are distinguished by their content when they are sorted and restarted", async () => {
  const desk = openList(row("Alice"), row("Bob"));
  const before = await desk.look();
  desk.find("Bob").parent?.moveTo(0);
  desk.app.restart();
  expect(listMixedUp(before, await desk.look())).toEqual([]);
});

test("the second page of a wizard is not confused with the first one, though they look alike", async () => {
  const page = (hidden: boolean): ControlSketch => ({
    role: "group",
    hidden,
    children: [text("Step"), button("Next")],
  });
  const desk = new Desk(store, { title: "Wizard", children: [page(false), page(true)] });
  const before = await desk.lookAtScreen();
  const [first, second] = desk.findAll("Next").map((next) => next.parent);
  if (first === undefined || second === undefined) throw new Error("two pages were made");
  first.isHidden = true;
  second.isHidden = false;
  expect(listMixedUp(before, await desk.lookAtScreen())).toEqual([]);
});

test("a new look-alike does not get the mark of a living one that this read left out", async () => {
  const desk = new Desk(store, { title: "Bar", children: [button("Go"), button("Go")] });
  const [first, second] = desk.findAll("Go");
  if (first === undefined || second === undefined) throw new Error("two buttons were made");
  const before = await desk.look();
  first.remove();
  await desk.look();
  const parent = second.parent;
  parent?.insert(button("Go"));
  // Only the lower half: the older button is in the upper one.
  const after = await desk.look({ bbox: { x: 0, y: 280, width: 1280, height: 520 } });
  expect(after).toHaveLength(1);
  expect(listMixedUp(before, after)).toEqual([]);
});

test("controls that share an id in two rows are not mixed up when one row is gone and the application restarted", async () => {
  const withId = (label: string) => row(label, { children: [text(label), button("Delete", { id: "delete" })] });
  const desk = openList(withId("Alice"), withId("Bob"), withId("Carol"));
  const before = await desk.look();
  desk.find("Alice").parent?.remove();
  desk.app.restart();
  expect(listMixedUp(before, await desk.look({ isInteractive: true }))).toEqual([]);
});

test("two dialogs of the same title have their own marks in one read", async () => {
  const dialog = { title: "Enter", role: "dialog", children: [button("OK"), button("Cancel")] } as const;
  const desk = new Desk(store, dialog, dialog);
  expect(listTwice(await desk.look())).toEqual([]);
});

test("two windows of the same title have their own marks in one read", async () => {
  const window = { title: "Untitled 1", children: [button("Save")] };
  const desk = new Desk(store, window, window);
  expect(listTwice(await desk.look())).toEqual([]);
});

test("a new window with a title that another one had before does not get its marks", async () => {
  const desk = new Desk(
    store,
    { title: "Untitled 1", children: [button("Save")] },
    { title: "Untitled 2", children: [button("Save")] },
  );
  const before = await desk.look();
  desk.app.windows.find(({ title }) => title === "Untitled 1")?.retitle("letter.txt");
  await desk.look();
  desk.app.openWindow({ title: "Untitled 1", children: [button("Save")] });
  const after = await desk.look();
  expect(listTwice(after)).toEqual([]);
  expect(listMixedUp(before, after)).toEqual([]);
});

test("a removed control takes its mark with it, even if another kind of control takes its place", async () => {
  const desk = new Desk(store, { title: "Bar", children: [button("Go"), button("Stop")] });
  const before = await desk.look();
  const go = desk.find("Go");
  const parent = go.parent;
  go.remove();
  parent?.insert({ role: "toggle", name: "Go" }, 0);
  parent?.insert(button("Pause"), 0);
  expect(listMixedUp(before, await desk.look())).toEqual([]);
});

test.each([
  // An object with the same words is the same control: a page may change its own address.
  { what: "the same objects show it", isNew: false, isRestarted: false, others: [] },
  { what: "it has new objects", isNew: true, isRestarted: false, others: [button("Same")] },
  { what: "the browser was restarted", isNew: true, isRestarted: true, others: [button("Same")] },
])("a page at another address has its own marks, though title and ids are the same: $what", async (one) => {
  const page = (file: string, words: string): ControlSketch => ({
    role: "web",
    name: "Trial",
    url: `https://example.org/${file}`,
    children: [text("Beside"), button(words, { id: "main-action" }), ...one.others],
  });
  const desk = new Desk(store, { title: "Trial", children: [page("one", "Click Me!")] });
  // A script gives its page another address: then the page is the same, and only its controls are new ones.
  const roles: ReadonlySet<Role> = new Set(one.isNew ? ["button", "web"] : ["button"]);
  const before = await desk.look({ roles });
  const web = desk.find("Trial");
  if (one.isNew) {
    web.parent?.insert(page("two", "ONE"));
    web.remove();
  } else web.recycle(page("two", "ONE"));
  if (one.isRestarted) desk.app.restart();
  expect(listMixedUp(before, await desk.look({ roles }))).toEqual([]);
});

test("the same control in another application has another mark", async () => {
  const one = new Desk(store, { title: "Window", children: [button("Save")] });
  const two = new Desk(store, { title: "Window", children: [button("Save")] });
  expect(await one.markOf(one.find("Save"))).not.toBe(await two.markOf(two.find("Save")));
});
