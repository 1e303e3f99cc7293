import { setTimeout as pause } from "node:timers/promises";
import type { Env } from "../../../model/env.ts";
import { type Failure, nothingDone } from "../../../model/failure.ts";
import type { Combo } from "../../../model/keys.ts";
import type { Recheck } from "../../hands.ts";
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
import { Receiver } from "./receiver.ts";
import { KeyboardTurn } from "./turn.ts";
import { Leftovers, nothingToUndo, readPressedKeys } from "./undo.ts";
import type { Xkb } from "./xkb.ts";
import { sendTogether, type XTest } from "./xtest.ts";

/** How many keys are sent before the receiver is checked again and has taken them. */
const strokesPerWrite = 32;
/** The same for an application that does not answer pings: to know that it has taken them takes longer. */
const unansweredStrokes = 256;
/** How long to wait for a busy application. */
const longestAnswerMs = 10_000;
const longestTurnMs = 30_000;
/** No text is typed for longer, however slowly it is taken. */
const longestTypingMs = 300_000;

export interface TypeOutcome {
  readonly typed: number;
  /** How many of them the application has taken; fewer than typed only if it did not go on. */
  readonly taken: number;
  /** What stopped it; undefined if everything was typed. */
  readonly trouble?: string;
  readonly isLost?: boolean;
  /** Why the guard ended it. */
  readonly refusal?: Failure;
}

type PlanMaker = (layout: Layout, spare: readonly KeyRow[]) => readonly Batch[] | string;

/** Where keys must go. */
interface KeyTarget {
  /** The window that must have the keyboard; undefined for the one that has it. */
  readonly window: number | undefined;
  readonly recheck?: Recheck | undefined;
}

interface StrokeOptions extends KeyTarget {
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
    private readonly now = () => performance.now(),
  ) {
    this.turn = new KeyboardTurn(x);
  }

  async type(text: string, delayMs: number, target: KeyTarget): Promise<TypeOutcome> {
    return this.strike((layout, spare) => planText(layout, spare, text) ?? "spare keys for characters it lacks", {
      ...target,
      delayMs,
      isLockChanging: false,
      isEscape: false,
    });
  }

  async press(combo: Combo, target: KeyTarget): Promise<TypeOutcome> {
    return this.strike(
      (layout, spare) => {
        const plan = planCombo(layout, spare, combo);
        return typeof plan === "string" ? plan : [plan];
      },
      {
        ...target,
        delayMs: 0,
        isLockChanging: lockKeys.includes(combo.key),
        isEscape: keysymOfName(combo.key) === escapeKeysym,
      },
    );
  }

  /** Two concurrent actions, here or in another process, would take each other's changes for the original keyboard. */
  private async strike(makePlan: PlanMaker, options: StrokeOptions): Promise<TypeOutcome> {
    if (!(await this.turn.take(longestTurnMs))) return refuse("another Deskmap process is still typing");
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
    if (typeof batches === "string") return refuse(`this keyboard lacks ${batches}`);
    const receiver = new Receiver(this.x, options.window);
    const refusal = await receiver.judgeGrab(options.recheck);
    if (refusal !== undefined) return { ...refuse(refusal.message), refusal };
    if (!(await receiver.waitForKeyboard())) return { ...refuse(lostKeyboard), isLost: true };
    // Held modifiers are released before the first stroke.
    const sparedKeys = (await readPressedKeys(this.x)).filter((keycode) => !keymap.modifierMap.has(keycode));
    const held = new Held(this.x, this.xtest, this.xkb, this.env, leftovers, { ...nothingToUndo, sparedKeys });
    const lent = new Set(batches.flatMap((batch) => batch.lent.map(({ keycode }) => keycode)));
    const rows = listRowsAround(keymap, lent);
    const total = countStrokes(batches);
    const isLong = lent.size > 0 || total > strokesPerWrite || (options.delayMs > 0 && total > 1);
    const pinger = isLong ? await Pinger.open(this.env, this.timeoutMs) : undefined;
    try {
      const pressAgain = options.isLockChanging ? async () => undefined : await this.neutralise(held, keymap);
      if (total > strokesPerWrite || options.delayMs > 0) await held.change([], {});
      const asFound = rows.filter(({ keycode }) => lent.has(keycode));
      const lend = (batch: Batch): Promise<void> =>
        held.change([this.xkb.setRows(lendRows(rows, batch.lent))], { rows: asFound });
      const outcome = await this.strikeBatches(receiver, batches, lend, options, pinger);
      await pressAgain();
      return outcome;
    } finally {
      pinger?.close();
      await held.restore(rows);
    }
  }

  /** The server uses the map of the last device used: a release of an unused key makes that XTEST's. */
  private async readKeymap(): Promise<Keymap> {
    await sendTogether(this.x, [this.xtest.releaseKey(idleKeycode)]);
    return this.xkb.getKeymap();
  }

  /** Text goes in parts that the application has taken before the next: what it has not taken when it ends is lost. */
  private async strikeBatches(
    receiver: Receiver,
    batches: readonly Batch[],
    lend: (batch: Batch) => Promise<void>,
    { delayMs, isEscape, recheck }: StrokeOptions,
    pinger: Pinger | undefined,
  ): Promise<TypeOutcome> {
    const { signal } = this;
    const isAnswered = (await pinger?.isAnswered()) === true;
    // Slow typing has time to know of each key where it went.
    const ahead = isAnswered ? (delayMs > 0 ? 1 : strokesPerWrite) : unansweredStrokes;
    const announce = isEscape ? await openEscapeNote(this.x) : undefined;
    const isOver = async (): Promise<boolean> => signal?.aborted === true || !(await receiver.hasKeyboard());
    const deadline = this.now() + longestTypingMs;
    let [typed, taken] = [0, 0];
    // What its application opens, such as a list of completions, may take the keyboard for a moment.
    const isBack = async (): Promise<boolean> => signal?.aborted !== true && receiver.waitForKeyboard();
    const waitUntilTaken = async (): Promise<boolean> => {
      const untilMs = performance.now() + longestAnswerMs;
      while (pinger !== undefined && !(await pinger.waitForFocused(untilMs - performance.now(), isOver))) {
        if (performance.now() > untilMs || !(await isBack())) return false;
      }
      taken = typed;
      return true;
    };
    const describeEnd = async (): Promise<TypeOutcome> => {
      if (signal?.aborted === true) throw new Interrupted(describeTaken({ typed, taken }, countStrokes(batches)));
      const isLost = !(await receiver.hasKeyboard());
      return { typed, taken, trouble: isLost ? lostKeyboard : unanswered, isLost };
    };
    for (const batch of batches) {
      if (batch.lent.length > 0) await lend(batch);
      for (const part of chunk(batch.strokes, delayMs > 0 ? 1 : strokesPerWrite)) {
        if (typed - taken + part.length > ahead && !(await waitUntilTaken())) return describeEnd();
        if (typed > 0 && !(await receiver.hasKeyboard()) && !(await isBack())) return describeEnd();
        const refusal = typed === 0 ? undefined : await recheck?.();
        if (refusal !== undefined) return { typed, taken, trouble: refusal.message, refusal };
        if (this.now() > deadline) return { typed, taken, trouble: tooSlow };
        const requests = part.flatMap((stroke) => [
          ...(announce === undefined ? [] : [announce()]),
          ...this.encodeStroke(stroke),
        ]);
        if (signal?.aborted === true || !(await receiver.send(requests))) return describeEnd();
        typed += part.length;
        if (delayMs > 0) await pause(delayMs, undefined, { signal }).catch(() => undefined);
      }
      // Applications read the map when they process a key: they must have processed the last one before it changes
      // again.
      if (batch.lent.length > 0 && !(await waitUntilTaken())) return describeEnd();
    }
    return { typed, taken: typed };
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
    const down = state.heldMods === 0 ? [] : await readPressedKeys(this.x);
    const pressed = down.filter((keycode) => keymap.modifierMap.has(keycode));
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

  /** The modifiers that are down on physical keyboards. */
  private async readHeldOnDevices(): Promise<number> {
    const ids = Array.from({ length: mostDevices }, (_, index) => index + firstDevice);
    const states = await Promise.allSettled(ids.map((id) => this.xkb.getState(id)));
    return states.reduce((mods, state) => mods | (state.status === "fulfilled" ? state.value.heldMods : 0), 0);
  }
}

const lostKeyboard = "the window closed or lost the keyboard";
const tooSlow = `it was typed for longer than ${longestTypingMs / 60_000} minutes`;
const unanswered = "the application does not answer and may have misread the last characters";

function refuse(trouble: string): TypeOutcome {
  return { typed: 0, taken: 0, trouble };
}

function countStrokes(batches: readonly Batch[]): number {
  return batches.reduce((sum, { strokes }) => sum + strokes.length, 0);
}

/** How many of all characters the application has taken. */
export function describeTaken({ typed, taken }: Pick<TypeOutcome, "typed" | "taken">, total: number): string {
  if (typed === 0) return nothingDone;
  const more = typed - taken;
  return `${taken} of ${total} characters arrived${more === 0 ? "" : `, and perhaps up to ${more} more`}.`;
}

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
