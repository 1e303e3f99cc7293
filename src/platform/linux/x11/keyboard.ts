import { setTimeout as pause } from "node:timers/promises";
import type { Env } from "../../../model/env.ts";
import type { Combo } from "../../../model/keys.ts";
import type { XConnection } from "./connection.ts";
import { openEscapeNote } from "./double-escape.ts";
import { Held, Interrupted } from "./held.ts";
import {
  type Batch,
  type Keymap,
  type KeyRow,
  Layout,
  listSpareRows,
  planCombo,
  planText,
  type Stroke,
} from "./keymap.ts";
import { escapeKeysym, keysymOfName } from "./keysyms.ts";
import { Pinger } from "./ping.ts";
import { KeyboardTurn } from "./turn.ts";
import { Leftovers, nothingToUndo, readPressedKeys } from "./undo.ts";
import type { Xkb } from "./xkb.ts";
import { orderTogether, type XTest } from "./xtest.ts";

/** How many keys are sent before waiting for the server. */
const strokesPerWrite = 32;
/** With remapped keys the application is awaited too: how many strokes it may lag behind. */
const strokesAhead = 128;
/** How long to wait for a busy application. */
const longestAnswerMs = 10_000;
const longestTurnMs = 30_000;

export interface TypeOutcome {
  readonly typed: number;
  /** What stopped it; undefined if everything was typed. */
  readonly trouble?: string;
}

type PlanMaker = (layout: Layout, spare: readonly KeyRow[]) => readonly Batch[] | string;

interface StrokeOptions {
  readonly delayMs: number;
  /** It changes a lock: locks are then neither neutralised nor restored. */
  readonly isLockChanging: boolean;
  /** Two Escapes of a person stop everything: our own are announced. */
  readonly isEscape: boolean;
}

const lockKeys = ["Caps_Lock", "Num_Lock", "Scroll_Lock"];

/** Presses keys with exact meaning, whatever layout, group and locks are active. */
export class Keyboard {
  private readonly turn: KeyboardTurn;

  constructor(
    private readonly x: XConnection,
    private readonly xtest: XTest,
    private readonly xkb: Xkb,
    private readonly env: Env,
    private readonly timeoutMs: number,
    private readonly signal?: AbortSignal,
  ) {
    this.turn = new KeyboardTurn(x);
  }

  async type(text: string, delayMs: number): Promise<TypeOutcome> {
    return this.strike((layout, spare) => planText(layout, spare, text) ?? "spare keys for characters it lacks", {
      delayMs,
      isLockChanging: false,
      isEscape: false,
    });
  }

  async press(combo: Combo): Promise<TypeOutcome> {
    return this.strike(
      (layout, spare) => {
        const plan = planCombo(layout, spare, combo);
        return typeof plan === "string" ? plan : [plan];
      },
      {
        delayMs: 0,
        isLockChanging: lockKeys.includes(combo.key),
        isEscape: keysymOfName(combo.key) === escapeKeysym,
      },
    );
  }

  /** Two concurrent actions, here or in another process, would take each other's changes for the original keyboard. */
  private async strike(makePlan: PlanMaker, options: StrokeOptions): Promise<TypeOutcome> {
    if (!(await this.turn.take(longestTurnMs))) return { typed: 0, trouble: "another Deskmap process is still typing" };
    try {
      const leftovers = await Leftovers.open(this.x);
      await leftovers.undo(this.xtest, this.xkb);
      return await this.strikeInTurn(makePlan, options, leftovers);
    } finally {
      await this.turn.giveBack();
    }
  }

  private async strikeInTurn(makePlan: PlanMaker, options: StrokeOptions, leftovers: Leftovers): Promise<TypeOutcome> {
    const keymap = await this.readKeymap();
    const spare = listSpareRows(keymap);
    const batches = makePlan(new Layout(keymap), spare);
    if (typeof batches === "string") return { typed: 0, trouble: `this keyboard lacks ${batches}` };
    // Held modifiers are released before the first stroke.
    const sparedKeys = (await readPressedKeys(this.x)).filter((keycode) => !keymap.modifierMap.has(keycode));
    const held = new Held(this.x, this.xtest, this.xkb, this.env, leftovers, { ...nothingToUndo, sparedKeys });
    const lent = new Set(batches.flatMap((batch) => batch.lent.map(({ keycode }) => keycode)));
    const rows = listRowsAround(keymap, lent);
    const pinger = lent.size > 0 ? await Pinger.open(this.env, this.timeoutMs) : undefined;
    try {
      const pressAgain = options.isLockChanging ? async () => undefined : await this.neutralise(held, keymap);
      const outcome = await this.strikeBatches(held, rows, lent, batches, options, pinger);
      await pressAgain();
      return outcome;
    } finally {
      pinger?.close();
      await held.restore(rows);
    }
  }

  /** The server uses the map of the last device used: a release of an unused key makes that XTEST's. */
  private async readKeymap(): Promise<Keymap> {
    await orderTogether(this.x, [this.xtest.releaseKey(idleKeycode)]);
    return this.xkb.getKeymap();
  }

  private async strikeBatches(
    held: Held,
    rows: readonly KeyRow[],
    lentKeycodes: ReadonlySet<number>,
    batches: readonly Batch[],
    { delayMs, isEscape }: StrokeOptions,
    pinger: Pinger | undefined,
  ): Promise<TypeOutcome> {
    let typed = 0;
    const asFound = rows.filter(({ keycode }) => lentKeycodes.has(keycode));
    const announce = isEscape ? await openEscapeNote(this.x) : undefined;
    const total = batches.reduce((sum, { strokes }) => sum + strokes.length, 0);
    if (total > strokesPerWrite || delayMs > 0) await held.change([], {});
    for (const { lent, strokes } of batches) {
      if (lent.length > 0) await held.change([this.xkb.setRows(lendRows(rows, lent))], { rows: asFound });
      let behind = 0;
      for (const part of chunk(strokes, delayMs > 0 ? 1 : strokesPerWrite)) {
        if (this.signal?.aborted === true) throw new Interrupted(`${typed} of ${total} keys were pressed.`);
        await orderTogether(
          this.x,
          part.flatMap((stroke) => [...(announce === undefined ? [] : [announce()]), ...this.encodeStroke(stroke)]),
        );
        typed += part.length;
        behind += part.length;
        if (delayMs > 0) await pause(delayMs);
        const isWaitDue = pinger !== undefined && behind >= strokesAhead;
        if (isWaitDue && !(await pinger.waitForFocused(longestAnswerMs))) return { typed, trouble: unanswered };
        if (isWaitDue) behind = 0;
      }
      // Applications read the map when they process a key: they must have processed the last one before it changes
      // again.
      if (lent.length > 0 && pinger !== undefined && !(await pinger.waitForFocused(longestAnswerMs))) {
        return { typed, trouble: unanswered };
      }
    }
    return { typed };
  }

  private encodeStroke({ keycode, held }: Stroke): Buffer[] {
    return [
      ...held.map((key) => this.xtest.pressKey(key)),
      this.xtest.pressKey(keycode),
      this.xtest.releaseKey(keycode),
      ...held.toReversed().map((key) => this.xtest.releaseKey(key)),
    ];
  }

  /** Neutralises what changes the meaning of keys: locks, group, held modifiers. */
  private async neutralise(held: Held, keymap: Keymap): Promise<() => Promise<void>> {
    const state = await this.xkb.getState();
    const pressed = state.heldMods === 0 ? [] : await this.listPressedModifiers(keymap);
    const isNeutral = state.locked.mods === 0 && state.latchedMods === 0 && state.group === 0 && pressed.length === 0;
    if (isNeutral) return async () => undefined;
    const requests = [
      ...pressed.map((keycode) => this.xtest.releaseKey(keycode)),
      this.xkb.lock({ mods: 0, group: 0 }),
    ];
    await held.change(requests, { locks: state.locked, pressKeys: pressed });
    if (pressed.length === 0) return async () => undefined;
    // A key held by a person stays down on the device. If it is released meanwhile it must not be pressed again, or it
    // would stay down.
    const byPerson = await this.readHeldOnDevices();
    const modsOf = (keycode: number): number => keymap.modifierMap.get(keycode) ?? 0;
    const byProgram = pressed.filter((keycode) => (modsOf(keycode) & byPerson) === 0);
    await held.change([], { pressKeys: byProgram });
    return async () => {
      const stillHeld = byPerson === 0 ? 0 : await this.readHeldOnDevices();
      const again = pressed.filter((keycode) => byProgram.includes(keycode) || (modsOf(keycode) & stillHeld) !== 0);
      await held.change([], { pressKeys: again });
    };
  }

  private async listPressedModifiers(keymap: Keymap): Promise<number[]> {
    return (await readPressedKeys(this.x)).filter((keycode) => keymap.modifierMap.has(keycode));
  }

  /** The modifiers that are down on physical keyboards. */
  private async readHeldOnDevices(): Promise<number> {
    const ids = Array.from({ length: mostDevices }, (_, index) => index + firstDevice);
    const states = await Promise.allSettled(ids.map((id) => this.xkb.getState(id)));
    return states.reduce((mods, state) => mods | (state.status === "fulfilled" ? state.value.heldMods : 0), 0);
  }
}

const unanswered = "the application does not answer and may have misread the last characters";
/** The lowest keycode of the protocol, which no keyboard has. */
const idleKeycode = 8;
/** Device ids start at 2; beyond this many, some are not keyboards. */
const firstDevice = 2;
const mostDevices = 40;

/** The rows from the first to the last remapped key: one request sets them all. */
function listRowsAround(keymap: Keymap, keycodes: ReadonlySet<number>): KeyRow[] {
  const [first, last] = [Math.min(...keycodes), Math.max(...keycodes)];
  return keymap.rows.filter(({ keycode }) => keycode >= first && keycode <= last);
}

function lendRows(rows: readonly KeyRow[], lent: readonly KeyRow[]): KeyRow[] {
  const byKeycode = new Map(lent.map((row) => [row.keycode, row]));
  return rows.map((row) => byKeycode.get(row.keycode) ?? row);
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}
