import type { KeyRow } from "./keymap.ts";
import type { Locks, Xkb } from "./xkb.ts";
import type { XTest } from "./xtest.ts";

/** What must be done to the display so that it is as it was found. It tells nothing of what was typed. */
export interface Undo {
  readonly releaseButtons: readonly number[];
  readonly releaseKeys: readonly number[];
  /** Of the keys that were lent a meaning, as they were. */
  readonly rows: readonly KeyRow[];
  readonly locks: Locks | undefined;
  /** Keys that somebody else held down. */
  readonly pressKeys: readonly number[];
}

export const nothingToUndo: Undo = { releaseButtons: [], releaseKeys: [], rows: [], locks: undefined, pressKeys: [] };

export function encodeUndo(xtest: XTest, xkb: Xkb | undefined, undo: Undo): Buffer[] {
  return [
    ...undo.releaseButtons.map((button) => xtest.releaseButton(button)),
    ...undo.releaseKeys.map((keycode) => xtest.releaseKey(keycode)),
    ...(xkb === undefined || undo.rows.length === 0 ? [] : [xkb.setRows(undo.rows)]),
    ...undo.pressKeys.map((keycode) => xtest.pressKey(keycode)),
    ...(xkb === undefined || undo.locks === undefined ? [] : [xkb.lock(undo.locks)]),
  ];
}
