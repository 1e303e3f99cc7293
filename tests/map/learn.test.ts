import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { read } from "../../src/desktop/index.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { succeed } from "../../src/model/failure.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import type { ReadRequest } from "../../src/sources/port.ts";
import { button, Desk, makeMapFolder } from "./desk.ts";

let folder: ReturnType<typeof makeMapFolder>;
let store: SqliteStore;
beforeEach(() => {
  folder = makeMapFolder();
  store = folder.open();
});
afterEach(() => {
  store.close();
  folder.remove();
});

const place = (y: number) => ({ x: 10, y, width: 80, height: 20 });
const bounds = { x: 0, y: 0, width: 400, height: 300 };
const bar = (name: string, ...children: readonly ControlSketch[]): ControlSketch => ({
  role: "toolbar",
  name,
  children,
});

async function learned(desk: Desk, name: string) {
  const mark = await desk.markOf(desk.find(name), {});
  const known = store.findLearned([mark]).get(mark);
  if (known === undefined) throw new Error(`${name} is not in the map`);
  return known;
}

function tell(mark: number) {
  const { same, moved, missing } = store.findLearned([mark]).get(mark) ?? { same: -1, moved: -1, missing: -1 };
  return { same, moved, missing };
}

describe("a snapshot", () => {
  test("of an unchanged window counts as none, however often it is taken", async () => {
    const desk = new Desk(store, { title: "Form", children: [button("Save"), button("Open")] });
    const { mark } = await learned(desk, "Save");
    for (let look = 0; look < 5; look += 1) await desk.lookAtScreen();
    expect(tell(mark)).toEqual({ same: 0, moved: 0, missing: 0 });
  });

  test("counts for controls that stay while others in their container come and go", async () => {
    const desk = new Desk(store, { title: "Form", bounds, children: [button("Save", { bounds: place(10) })] });
    const { mark } = await learned(desk, "Save");
    desk.app.windows[0]?.root.insert(button("Open", { bounds: place(40) }));
    await desk.lookAtScreen();
    expect(tell(mark)).toEqual({ same: 1, moved: 0, missing: 0 });
  });

  test("shows that a control has moved within its window", async () => {
    const desk = new Desk(store, { title: "Form", bounds, children: [button("Save"), button("Open")] });
    const { mark } = await learned(desk, "Save");
    // Each has its share of the window.
    desk.app.windows[0]?.root.insert(button("New"), 0);
    await desk.lookAtScreen();
    expect(tell(mark)).toEqual({ same: 0, moved: 1, missing: 0 });
  });

  test("of a moved window counts as none", async () => {
    const desk = new Desk(store, { title: "Form", bounds, children: [button("Save"), button("Open")] });
    const { mark } = await learned(desk, "Save");
    const [window] = desk.app.windows;
    if (window !== undefined) window.bounds = { ...bounds, x: 60, y: 40 };
    await desk.lookAtScreen();
    expect(tell(mark)).toEqual({ same: 0, moved: 0, missing: 0 });
  });

  test("counts a control as missing only if its container is seen without it", async () => {
    const [file, edit] = [bar("File", button("Save"), button("Open")), bar("Edit", button("Cut"), button("Copy"))];
    const desk = new Desk(store, { title: "Form", children: [file, edit] });
    const [save, cut] = [(await learned(desk, "Save")).mark, (await learned(desk, "Cut")).mark];
    desk.find("Save").remove();
    desk.find("Edit").isHidden = true;
    await desk.lookAtScreen();
    expect(tell(save).missing).toBe(1);
    expect(tell(cut).missing).toBe(0);
  });

  test("clears all misses of a control that is back", async () => {
    const desk = new Desk(store, { title: "Form", children: [button("Save"), button("Open")] });
    const { mark } = await learned(desk, "Save");
    desk.find("Save").isHidden = true;
    await desk.lookAtScreen();
    expect(tell(mark).missing).toBe(1);
    desk.find("Save").isHidden = false;
    await desk.lookAtScreen();
    expect(tell(mark).missing).toBe(0);
  });

  test("of only a part of a window teaches nothing about the rest", async () => {
    const desk = new Desk(store, { title: "Form", children: [button("Save"), button("Open")] });
    const { mark } = await learned(desk, "Save");
    desk.find("Save").isHidden = true;
    const platform = desk.fake.open();
    const partial = async (request: ReadRequest) => {
      const reads = await platform.readWindows(request);
      const notes = [{ code: "TIMEOUT" as const, text: "it did not tell all" }];
      return reads.ok ? succeed(reads.value.map((one) => ({ ...one, notes }))) : reads;
    };
    const slow = Object.assign(Object.create(platform), { readWindows: partial });
    await read({ platform: slow, marks: store }, { includeHidden: false, timeoutMs: 1000 });
    expect(tell(mark).missing).toBe(0);
  });

  test("does not count controls as missing that may be scrolled out of view", async () => {
    const page: ControlSketch = { role: "scroll", children: [button("Save"), button("Open")] };
    const desk = new Desk(store, { title: "Page", children: [page] });
    const { mark } = await learned(desk, "Save");
    desk.find("Save").isHidden = true;
    await desk.lookAtScreen();
    expect(tell(mark).missing).toBe(0);
  });

  test("does not count list entries as missing, which may be scrolled out of view", async () => {
    const entries = ["Ann", "Bob", "Cem"].map((name): ControlSketch => ({ role: "option", name }));
    const desk = new Desk(store, { title: "People", children: [{ role: "list", name: "People", children: entries }] });
    const { mark } = await learned(desk, "Bob");
    desk.find("Bob").isHidden = true;
    await desk.lookAtScreen();
    expect(tell(mark).missing).toBe(0);
  });
});

describe("the layout of a window", () => {
  const names = ["One", "Two", "Three", "Four", "Five", "Six"];
  const readLayout = (): number => {
    const { layoutVersion = 0 } =
      [...store.findLearned(Array.from({ length: 40 }, (_, at) => at + 1)).values()].at(-1) ?? {};
    return layoutVersion;
  };

  test("stays the same while single controls come and go, and is new when most have gone", async () => {
    const desk = new Desk(store, { title: "Form", children: names.map((name) => button(name)) });
    await desk.lookAtScreen();
    desk.find("One").remove();
    await desk.lookAtScreen();
    expect(readLayout()).toBe(1);
    for (const name of names.slice(1, 5)) desk.find(name).remove();
    desk.app.windows[0]?.root.insert(button("Other"));
    await desk.lookAtScreen();
    desk.app.windows[0]?.root.insert(button("Another"));
    await desk.lookAtScreen();
    expect(readLayout()).toBe(2);
  });
});

test("parent, depth, source, and the position within the window are learned", async () => {
  const inside = bar("File", button("Save", { bounds: { x: 110, y: 70, width: 80, height: 20 } }));
  const desk = new Desk(store, { title: "Form", bounds: { ...bounds, x: 100, y: 50 }, children: [inside] });
  const sightings = await desk.lookAtScreen();
  const markOf = (name: string) => sightings.find(({ control }) => control.name === name)?.mark ?? 0;
  const [target] = store.listTargets({ marks: [markOf("Save")] });
  expect(target?.learned).toMatchObject({ source: "a11y", parent: markOf("File"), depth: 1, hits: 0, taught: "" });
  expect(target?.ref.bounds).toEqual({ x: 10, y: 20, width: 80, height: 20 });
  expect(target?.clickPoint).toEqual({ x: 50, y: 30 });
});
