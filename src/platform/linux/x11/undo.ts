import type { Env } from "../../../model/env.ts";
import { XConnection } from "./connection.ts";
import type { KeyRow } from "./keymap.ts";
import { XUnavailable } from "./transport.ts";
import { KeyboardTurn } from "./turn.ts";
import { changeTextProperty, deleteProperty, encodeRequest } from "./wire.ts";
import { type Locks, Xkb } from "./xkb.ts";
import { sendTogether, XTest } from "./xtest.ts";

/** How to restore the display. It contains nothing of what was typed. */
export interface Undo {
  readonly releaseButtons: readonly number[];
  readonly releaseKeys: readonly number[];
  readonly rows: readonly KeyRow[];
  readonly locks: Locks | undefined;
  /** Keys held by someone else. */
  readonly pressKeys: readonly number[];
  /** The keys that were down before. Any other key that is down was left by the killed process. */
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

const queryKeymap = 44;

/** The keycodes that are down on any keyboard. */
export async function readPressedKeys(x: XConnection): Promise<number[]> {
  const bits = (await x.request(encodeRequest(queryKeymap, 0))).subarray(8, 40);
  return Array.from({ length: 256 }, (_, keycode) => keycode).filter(
    (keycode) => ((bits[keycode >> 3] ?? 0) & (1 << (keycode & 7))) !== 0,
  );
}

/**
 * Adds keys that are down now and were not before. A stroke is one write but not atomic: a server interrupted after the
 * press that finds the client killed drops the rest. Which keys were struck is not recorded.
 */
async function addStuckKeys(x: XConnection, undo: Undo): Promise<Undo> {
  const { sparedKeys } = undo;
  if (sparedKeys === undefined) return undo;
  const stuck = (await readPressedKeys(x)).filter((keycode) => !sparedKeys.includes(keycode));
  return { ...undo, releaseKeys: [...new Set([...undo.releaseKeys, ...stuck])] };
}

/**
 * A property of the root window that records changes of the keyboard while they last. Found by the process that has the
 * keyboard's turn, it was left by one that has ended. It contains the original state, not what is typed.
 */
export class Leftovers {
  private constructor(
    private readonly x: XConnection,
    private readonly atom: number,
  ) {}

  static async open(x: XConnection): Promise<Leftovers> {
    return new Leftovers(x, (await x.internAtoms(["_DESKMAP_KEYBOARD_UNDO"]))._DESKMAP_KEYBOARD_UNDO);
  }

  /** The request that sets it. */
  leave(undo: Undo): Buffer {
    return changeTextProperty(this.x.root, this.atom, JSON.stringify(undo));
  }

  /** The request that removes it. */
  remove(): Buffer {
    return deleteProperty(this.x.root, this.atom);
  }

  /** Undoes what a process that ended left changed. Only in this process's turn: it would undo another's changes. */
  async undo(xtest: XTest, xkb: Xkb | undefined, mayPress = true): Promise<void> {
    const note = await this.x.getProperty(this.x.root, this.atom);
    const left = note && parseUndo(note.bytes.toString("latin1"));
    if (left === undefined) return;
    const undo = await addStuckKeys(this.x, mayPress ? left : { ...left, pressKeys: [] });
    await sendTogether(this.x, [...encodeUndo(xtest, xkb, undo), this.remove()]);
  }
}

/** A key that stays down is worse than a process that waits, so this gives up only on a display that is gone. */
const timeoutMs = 30_000;

/** Undoes what a process that ended left held or changed; run by the watchdog. */
export async function releaseInput(text: string, env: Env): Promise<void> {
  const undo = parseUndo(text);
  if (undo === undefined) return;
  try {
    const x = await XConnection.connect(env, timeoutMs);
    const extension = await x.findExtension("XTEST");
    if (extension !== undefined) {
      const xtest = new XTest(extension, x.root);
      const { releaseButtons, releaseKeys } = undo;
      await sendTogether(x, encodeUndo(xtest, undefined, { ...nothingToUndo, releaseButtons, releaseKeys }));
      if (undo.sparedKeys !== undefined) await undoKeyboard(x, xtest);
    }
    x.close();
  } catch (error) {
    // A display that is gone holds nothing.
    if (!(error instanceof XUnavailable)) throw error;
  }
}

/**
 * On a busy machine this process starts seconds after the other one ended. Another may type by then: it has undone what
 * was left and has changed the keyboard for itself, so what is undone is what the note says, and only in turn.
 */
async function undoKeyboard(x: XConnection, xtest: XTest): Promise<void> {
  if (!(await new KeyboardTurn(x).take(timeoutMs))) return;
  // Called by hand it can only release, never press.
  await (await Leftovers.open(x)).undo(xtest, await Xkb.open(x), false);
}
