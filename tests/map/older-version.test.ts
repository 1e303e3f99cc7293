import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { read } from "../../src/desktop/index.ts";
import { rescueMap } from "../../src/map/keep/rescue.ts";
import { SqliteStore } from "../../src/map/store/sqlite.ts";
import { flatten } from "../../src/model/element.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { button, makeMapFolder, row, text } from "./desk.ts";

// A map that an earlier version of Deskmap wrote when it read this very window.

let folder: ReturnType<typeof makeMapFolder>;
beforeEach(() => {
  folder = makeMapFolder();
});
afterEach(() => folder.remove());

function openEditor(): FakeDesktop {
  const children = [
    button("Save"),
    button("Open"),
    { role: "toolbar" as const, name: "Tools", children: [button("Bold"), button("Bold"), button("Italic")] },
    { role: "list" as const, name: "Files", children: [row("one.txt"), row("two.txt")] },
    text("Ready"),
  ];
  return new FakeDesktop({ applications: [{ name: "Editor", windows: [{ title: "notes", children }] }] });
}

async function readAll(store: SqliteStore): Promise<[string, number][]> {
  const query = { includeHidden: false, isWhole: true, timeoutMs: 1000 };
  const view = await read({ platform: openEditor().open(), marks: store }, query);
  if (!view.ok) throw new Error(view.failure.message);
  const elements = view.value.windows.flatMap((window) => flatten(window.elements));
  return elements.map(({ role, name, mark }) => [`${role} ${name}`, mark]);
}

const given: [string, number][] = [
  ["button Save", 1],
  ["button Open", 2],
  ["toolbar Tools", 3],
  ["button Bold", 4],
  ["button Bold", 5],
  ["button Italic", 6],
  ["list Files", 7],
  ["row ", 8],
  ["text one.txt", 9],
  ["button Delete", 10],
  ["row ", 11],
  ["text two.txt", 12],
  ["button Delete", 13],
  ["text Ready", 14],
];

test("a map of an older version is refused untouched; a rescue keeps its numbers and continues after the last", async () => {
  const database = new DatabaseSync(folder.path, { enableForeignKeyConstraints: false });
  database.exec(readFileSync(join(import.meta.dir, "../fixtures/maps/version-4.sql"), "utf8"));
  // The control with the last number was deleted since: the number stays used.
  database.exec("UPDATE sqlite_sequence SET seq = 20 WHERE name = 'targets'");
  database.close();
  const before = readFileSync(folder.path);
  expect(SqliteStore.open(folder.path)).toMatchObject({
    ok: false,
    failure: { code: "UNAVAILABLE", message: expect.stringContaining("older Deskmap (version 4)") },
  });
  expect(readFileSync(folder.path).equals(before)).toBe(true);
  expect(rescueMap(folder.path, 0)).toMatchObject({ ok: true, value: { isCounterKnown: true } });
  const store = folder.open();
  expect(store.findRef(13)).toMatchObject({ role: "button", name: "Delete", owner: "two.txt" });
  expect(store.findTempers([1])).toEqual(new Map([[1, true]]));
  expect([...store.listNames().keys()]).toEqual(["editor"]);
  // That version told these look-alikes apart by the text after them, which belongs to neither: they have new numbers.
  const isAlike = ([control]: readonly [string, number]): boolean => control === "button Bold";
  const marks = await readAll(store);
  expect(marks.filter((one) => !isAlike(one))).toEqual(given.filter((one) => !isAlike(one)));
  expect(marks.filter(isAlike).map(([, mark]) => mark > 20)).toEqual([true, true]);
  expect(store.countMarks()).toBeGreaterThan(20);
  store.close();
});
