import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import { fc } from "../property.ts";
import { button, Desk, makeMapFolder, text } from "./desk.ts";
import { contents, type Edit, editsWithRestarts, liveEdits } from "./edits.ts";
import { judge } from "./referee.ts";

// Identity laws on random desktops under random edits. The referee knows the true identity of each control.

const runs = { numRuns: 300, seed: 4711 };
const folder = makeMapFolder();
let store: SqliteStore;
beforeAll(() => {
  store = folder.open();
});
afterAll(() => {
  store.close();
  folder.remove();
});

function play(children: readonly ControlSketch[], edits: readonly Edit[]) {
  return judge(new Desk(store, { title: "One", children }), edits);
}

test("no mark is shown twice in one read, whatever happened before", async () => {
  await fc.assert(
    fc.asyncProperty(contents, editsWithRestarts, async (children, edits) => {
      expect((await play(children, edits)).twice).toEqual([]);
    }),
    runs,
  );
});

test("while an application runs, no mark passes from a living, unchanged control to another one", async () => {
  await fc.assert(
    fc.asyncProperty(contents, liveEdits, async (children, edits) => {
      const { mixUps } = await play(children, edits);
      expect(mixUps.filter(({ isAlive }) => isAlive)).toEqual([]);
    }),
    runs,
  );
});

test("while an application runs, no mark passes to a control that looks different", async () => {
  await fc.assert(
    fc.asyncProperty(contents, liveEdits, async (children, edits) => {
      const { mixUps } = await play(children, edits);
      expect(mixUps.filter(({ areAlike }) => !areAlike)).toEqual([]);
    }),
    runs,
  );
});

// Between two runs, a control can be replaced by an indistinguishable one; only then may a mark pass.
test("across restarts, no mark passes to a control that looks different", async () => {
  await fc.assert(
    fc.asyncProperty(contents, editsWithRestarts, async (children, edits) => {
      const { mixUps } = await play(children, edits);
      expect(mixUps.filter(({ areAlike }) => !areAlike)).toEqual([]);
    }),
    runs,
  );
});

test("a restart changes no mark", async () => {
  await fc.assert(
    fc.asyncProperty(contents, async (children) => {
      const desk = new Desk(store, { title: "One", children });
      const before = await desk.look();
      desk.app.restart();
      expect(await desk.look()).toEqual(before);
    }),
    runs,
  );
});

test("a control keeps its mark while rows come, go and change places around its own", async () => {
  const label: fc.Arbitrary<string> = fc.constantFrom("Alice", "Bob", "Carol", "Dora", "Emil");
  const order = fc.uniqueArray(label, { minLength: 1 });
  const makeRow = (name: string): ControlSketch => ({ role: "row", children: [text(name), button("Delete")] });
  await fc.assert(
    fc.asyncProperty(order, order, async (first, second) => {
      const desk = new Desk(store, {
        title: "One",
        children: [{ role: "list", name: "People", children: first.map(makeRow) }],
      });
      const before = new Map((await desk.look()).map(({ mark, control }) => [control, mark]));
      const list = desk.find("People");
      const rows = new Map(list.children.map((row) => [row.children[0]?.name ?? "", row]));
      for (const [name, row] of rows) if (!second.includes(name)) row.remove();
      second.forEach((name, index) => {
        const row = rows.get(name);
        if (row === undefined) list.insert(makeRow(name), index);
        else row.moveTo(index);
      });
      const after = await desk.look();
      const changed = after.filter(({ mark, control }) => (before.get(control) ?? mark) !== mark);
      expect(changed.map(({ control }) => `${control.role} ${control.name}`)).toEqual([]);
    }),
    runs,
  );
});
