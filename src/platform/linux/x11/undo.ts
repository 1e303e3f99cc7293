import type { KeyRow } from "./keymap.ts";
import type { Locks, Xkb } from "./xkb.ts";
import type { XTest } from "./xtest.ts";

/** How to restore the display. It contains nothing of what was typed. */
export interface Undo {
  readonly releaseButtons: readonly number[];
  readonly releaseKeys: readonly number[];
  /** The original rows of remapped keys. */
  readonly rows: readonly KeyRow[];
  readonly locks: Locks | undefined;
  /** Keys held by someone else. */
  readonly pressKeys: readonly number[];
  /** The keys that were down before. Any other key that is down was left so. */
  readonly sparedKeys: readonly number[] | undefined;
}

export const nothingToUndo: Undo = {
  releaseButtons: [],
  releaseKeys: [],
  rows: [],
  locks: undefined,
  pressKeys: [],
  sparedKeys: undefined,
};

/** Parses JSON; undefined if it is invalid. */
export function parseUndo(text: string): Undo | undefined {
  try {
    const undo: Undo = { ...nothingToUndo, ...(JSON.parse(text) as Partial<Undo>) };
    const lists = [undo.releaseButtons, undo.releaseKeys, undo.rows, undo.pressKeys, undo.sparedKeys ?? []];
    return lists.every(Array.isArray) ? undo : undefined;
  } catch {
    return undefined;
  }
}

export function encodeUndo(xtest: XTest, xkb: Xkb | undefined, undo: Undo): Buffer[] {
  return [
    ...undo.releaseButtons.map((button) => xtest.releaseButton(button)),
    ...undo.releaseKeys.map((keycode) => xtest.releaseKey(keycode)),
    ...(xkb === undefined ? [] : splitIntoRuns(undo.rows).map((rows) => xkb.setRows(rows))),
    ...undo.pressKeys.map((keycode) => xtest.pressKey(keycode)),
    ...(xkb === undefined || undo.locks === undefined ? [] : [xkb.lock(undo.locks)]),
  ];
}

/** One request sets consecutive keys. */
function splitIntoRuns(rows: readonly KeyRow[]): KeyRow[][] {
  const runs: KeyRow[][] = [];
  for (const row of rows.toSorted((a, b) => a.keycode - b.keycode)) {
    const run = runs.at(-1);
    if (run?.at(-1)?.keycode === row.keycode - 1) run.push(row);
    else runs.push([row]);
  }
  return runs;
}
