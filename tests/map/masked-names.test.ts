import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { read } from "../../src/desktop/index.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { flatten } from "../../src/model/element.ts";
import { button, Desk, makeMapFolder } from "./desk.ts";

const folder = makeMapFolder();
afterAll(() => folder.remove());
let store: SqliteStore;
beforeEach(() => {
  store = folder.open();
});
afterEach(() => {
  store.close();
});

test("controls with identical masked names keep separate marks", async () => {
  const cards = ["4242 4242 4242 4242", "5555 5555 5555 4444", "4000 0566 5566 5556"];
  const desk = new Desk(store, { title: "Cards", children: [...cards.map((card) => button(card)), button("Add")] });
  const desktop = { platform: desk.fake.open(), marks: store };
  const look = async (): Promise<(readonly [number, string])[]> => {
    const view = await read(desktop, { includeHidden: false, timeoutMs: 500 });
    if (!view.ok) throw new Error(view.failure.message);
    const elements = flatten(view.value.windows.flatMap((window) => window.elements));
    return elements.filter(({ role }) => role === "button").map(({ mark, name }) => [mark, name]);
  };
  const first = await look();
  expect(first.map(([, name]) => name)).toEqual(["[card number]", "[card number]", "[card number]", "Add"]);
  expect(new Set(first.map(([mark]) => mark)).size).toBe(4);
  expect(await look()).toEqual(first);
});
