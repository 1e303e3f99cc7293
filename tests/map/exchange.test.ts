import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { BadLine, importMap } from "../../src/map/keep/import.ts";
import { exportMap } from "../../src/map/keep/lines.ts";
import { forget } from "../../src/map/store/forget.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { makeMapFolder } from "./desk.ts";
import { openBar, readMarks } from "./tool-bar.ts";

let here: ReturnType<typeof makeMapFolder>;
let there: ReturnType<typeof makeMapFolder>;
beforeEach(() => {
  [here, there] = [makeMapFolder(), makeMapFolder()];
});
afterEach(() => {
  here.remove();
  there.remove();
});

const nowMs = Date.UTC(2031, 3, 5);
const listLines = (store: SqliteStore): string[] => [...exportMap(store, { apps: undefined, nowMs })].flat();
const take = (store: SqliteStore, lines: readonly string[], isBlind = (_names: readonly string[]) => false) =>
  importMap(store, { lines, isBlind });

/** Read from the file itself. */
function readCounts(path: string, mark: number): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare("SELECT hits, misses, taught FROM targets WHERE mark = ?").get(mark);
  database.close();
  return { ...row };
}

describe("a map imported on another machine", () => {
  test("keeps its numbers, counts and taught names, and recognises the same controls", async () => {
    const old = here.open();
    const marks = await readMarks(openBar("Save", "Open"), old);
    old.teach(marks.Save ?? 0, "the one that keeps it");
    old.countAct(marks.Save ?? 0, true);
    const lines = listLines(old);
    old.close();
    const fresh = there.open();
    expect(take(fresh, lines)).toMatchObject({ added: 2, merged: 0, renumbered: 0, refused: 0 });
    expect(readCounts(there.path, marks.Save ?? 0)).toEqual({ hits: 1, misses: 0, taught: "the one that keeps it" });
    expect(await readMarks(openBar("Save", "Open"), fresh)).toEqual(marks);
    fresh.close();
  });

  test("contains no value, no runtime id and nothing but JSON, one line per control", async () => {
    const store = here.open();
    const bar = openBar("Save");
    const [save] = bar.applications[0]?.windows[0]?.listControls().slice(1) ?? [];
    if (save === undefined) throw new Error("the bar has a button");
    save.value = "what the user typed";
    await readMarks(bar, store);
    const lines = listLines(store);
    store.close();
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ deskmap: "map", version: 1, lastMark: 1 });
    expect(lines.slice(1).map((line) => JSON.parse(line).ref.role)).toContain("button");
    expect(lines.join()).toContain("Save");
    expect(lines.join()).not.toContain("what the user typed");
    expect(lines.join()).not.toContain(save.handle);
  });

  test("is merged with existing data, gives new controls a new number if theirs is taken, and says so", async () => {
    const [old, fresh] = [here.open(), there.open()];
    const marks = await readMarks(openBar("Save", "Open"), old);
    old.countAct(marks.Open ?? 0, true);
    const known = await readMarks(openBar("Print", "Open"), fresh);
    fresh.countAct(known.Open ?? 0, true);
    const report = take(fresh, listLines(old));
    expect(report.renumbered).toBe(report.added);
    expect(report.examples.every(([, now]) => now > 2)).toBe(true);
    expect(readCounts(there.path, known.Open ?? 0)).toMatchObject({ hits: 2 });
    const after = await readMarks(openBar("Print", "Open", "Save"), fresh);
    expect(after).toMatchObject(known);
    expect(Object.values(known)).not.toContain(after.Save ?? 0);
    for (const store of [old, fresh]) store.close();
  });

  test("counts nothing twice: not the same file, not a later one, not a re-import", async () => {
    const [old, fresh] = [here.open(), there.open()];
    const { Save: mark = 0 } = await readMarks(openBar("Save"), old);
    old.countAct(mark, true);
    const first = listLines(old);
    take(fresh, first);
    take(fresh, first);
    expect(readCounts(there.path, mark)).toMatchObject({ hits: 1 });
    old.countAct(mark, true);
    take(fresh, listLines(old));
    expect(readCounts(there.path, mark)).toMatchObject({ hits: 2 });
    fresh.countAct(mark, false);
    take(old, listLines(fresh));
    expect(readCounts(here.path, mark)).toMatchObject({ hits: 2, misses: 1 });
    take(fresh, listLines(old));
    expect(readCounts(there.path, mark)).toMatchObject({ hits: 2, misses: 1 });
    for (const store of [old, fresh]) store.close();
  });

  test("restores forgotten controls under new numbers: a forgotten number is never reused", async () => {
    const store = here.open();
    const marks = await readMarks(openBar("Save", "Open"), store);
    store.countAct(marks.Save ?? 0, true);
    const lines = listLines(store);
    forget(here.path, { by: "all" });
    take(store, lines);
    const again = await readMarks(openBar("Save", "Open"), store);
    expect(Math.min(...Object.values(again))).toBeGreaterThan(Math.max(...Object.values(marks)));
    expect(readCounts(here.path, again.Save ?? 0)).toMatchObject({ hits: 1 });
    expect(store.findRef(marks.Save ?? 0)).toBeUndefined();
    store.close();
  });

  test("reserves the numbers that lead to its controls, even if nothing was added", async () => {
    const [old, fresh] = [here.open(), there.open()];
    await readMarks(openBar("A", "B", "C", "Save"), old);
    const marks = await readMarks(openBar("Save"), old);
    const known = await readMarks(openBar("Save"), fresh);
    const lines = listLines(old).filter((line) => line.startsWith('{"deskmap"') || line.includes('"name":"Save"'));
    expect(take(fresh, lines)).toMatchObject({ added: 0, merged: 1 });
    expect(fresh.followAlias(marks.Save ?? 0)).toBe(known.Save ?? 0);
    const others = await readMarks(openBar("Save", "D", "E", "F", "G"), fresh);
    expect(Object.values(others)).not.toContain(marks.Save ?? 0);
    for (const store of [old, fresh]) store.close();
  });

  test("is distinguished from a diverged copy: one number never refers to two controls", async () => {
    const store = here.open();
    await readMarks(openBar("Save"), store);
    store.close();
    copyFileSync(here.path, there.path);
    const [mine, copy] = [here.open(), there.open()];
    const own = await readMarks(openBar("Save", "Delete"), mine);
    const other = await readMarks(openBar("Save", "Send"), copy);
    expect(own.Delete).toBe(other.Send ?? 0);
    take(mine, listLines(copy));
    expect(mine.findRef(own.Delete ?? 0)?.name).toBe("Delete");
    const after = await readMarks(openBar("Save", "Delete", "Send"), mine);
    expect(after).toMatchObject(own);
    expect(after.Send).not.toBe(own.Delete ?? 0);
    for (const one of [mine, copy]) one.close();
  });

  test("keeps places apart that are known only by pointing", async () => {
    const [old, fresh] = [here.open(), there.open()];
    const ref = { app: "canvas", windows: ["window:Board"], path: [], role: "button", name: "" } as const;
    const rest = {
      platformId: "",
      index: 0,
      count: 1,
      owner: "",
      sisters: ["", ""],
      twins: 0,
      hasTwin: false,
    } as const;
    const point = (store: SqliteStore, x: number, name: string): number =>
      store.inTransaction(() => {
        const bounds = { x, y: 0, width: 50, height: 30 };
        const [mark = 0] = store.allotMarks([
          { ...ref, ...rest, handle: "", life: "", bounds, space: "window-physical" },
        ]);
        store.setPlace(mark, { source: "learned", certainty: undefined, point: { x, y: 0 }, bounds, visualHash: "" });
        store.teach(mark, name);
        return mark;
      });
    const save = point(fresh, 10, "Save");
    point(old, 900, "Delete");
    take(fresh, listLines(old));
    expect(fresh.findLearned([save]).get(save)?.taught).toBe("Save");
    expect([...fresh.findTaught(["canvas"]).values()].sort()).toEqual(["Delete", "Save"]);
    for (const store of [old, fresh]) store.close();
  });

  test("brings nothing of a blind application", async () => {
    const [old, fresh] = [here.open(), there.open()];
    await readMarks(openBar("Save"), old);
    const report = take(fresh, listLines(old), (names) => names.includes("editor"));
    expect(report).toMatchObject({ added: 0, refused: report.lines });
    expect(fresh.listNames().size).toBe(0);
    for (const store of [old, fresh]) store.close();
  });
});

test("an invalid line rejects the whole file, and is named", async () => {
  const [old, fresh] = [here.open(), there.open()];
  await readMarks(openBar("Save", "Open", "Print"), old);
  const lines = listLines(old);
  const bad: readonly [string[], number][] = [
    [lines.with(3, "{"), 4],
    [lines.with(2, '{"mark": 2}'), 3],
    [lines.with(2, (lines[2] ?? "").replace('"hits":0', '"hits":-1')), 3],
    [lines.slice(1), 1],
    [lines.with(0, (lines[0] ?? "").replace('"version":1', '"version":2')), 1],
    [[], 1],
  ];
  for (const [given, at] of bad) {
    const attempt = () => take(fresh, given);
    expect(attempt).toThrow(BadLine);
    expect(attempt).toThrow(new RegExp(`^line ${at}:`));
    expect(fresh.listTargets({})).toEqual([]);
  }
  expect(take(fresh, lines).added).toBe(3);
  for (const store of [old, fresh]) store.close();
});

test("a file with absurd numbers does not use up the numbers of this map", async () => {
  const [old, fresh] = [here.open(), there.open()];
  const { Save: mark = 0 } = await readMarks(openBar("Save"), old);
  const lines = listLines(old).map((line) =>
    line.replace(`"mark":${mark},`, '"mark":900000000000,').replace(/"lastMark":\d+/, '"lastMark":900000000000'),
  );
  expect(take(fresh, lines).renumbered).toBe(1);
  const after = await readMarks(openBar("Save", "Open"), fresh);
  expect(Math.max(...Object.values(after))).toBeLessThan(1_000_000_100);
  for (const store of [old, fresh]) store.close();
});
