import { type Combo, type Modifier, modifierKeys } from "../../../model/keys.ts";
import { characterOf, keysymOf, keysymOfName } from "./keysyms.ts";
import { pad4 } from "./wire.ts";

/** One key: the keysyms of its groups, `width` each, and the key type of each group. */
export interface KeyRow {
  readonly keycode: number;
  readonly types: readonly number[];
  /** The number of groups and out-of-range behaviour, in XKB's encoding. */
  readonly groupInfo: number;
  readonly width: number;
  readonly keysyms: readonly number[];
}

/** Which modifiers select which level of a key. */
interface KeyType {
  readonly levels: readonly { readonly mods: number; readonly level: number }[];
}

export interface Keymap {
  readonly rows: readonly KeyRow[];
  readonly types: readonly KeyType[];
  readonly modifierMap: ReadonlyMap<number, number>;
  readonly keycodesWithActions: ReadonlySet<number>;
}

/** A key and the keys to hold with it. */
export interface Stroke {
  readonly keycode: number;
  readonly held: readonly number[];
}

/** Strokes that need no further remapping, and the rows remapped for them. */
export interface Batch {
  readonly lent: readonly KeyRow[];
  readonly strokes: readonly Stroke[];
}

/** The space bar: X numbers the keys of a PC keyboard from Escape, row by row. */
const lastMainKey = 65;

/** Parses XkbGetMap's reply: key types, keysyms, actions, modifier map, in this order. */
export function parseKeymap(reply: Buffer): Keymap {
  let at = 40;
  const types: KeyType[] = [];
  for (let count = reply.readUInt8(15); count > 0; count -= 1) {
    const entries = reply.readUInt8(at + 5);
    const isPreserving = reply.readUInt8(at + 6) !== 0;
    at += 8;
    const levels: { mods: number; level: number }[] = [];
    for (let entry = 0; entry < entries; entry += 1, at += 8) {
      const isActive = reply.readUInt8(at) !== 0;
      if (isActive) levels.push({ mods: reply.readUInt8(at + 1), level: reply.readUInt8(at + 2) });
    }
    if (isPreserving) at += entries * 4;
    types.push({ levels });
  }
  const rows: KeyRow[] = [];
  const firstKey = reply.readUInt8(17);
  for (let index = 0; index < reply.readUInt8(20); index += 1) {
    const count = reply.readUInt16LE(at + 6);
    const keysyms = Array.from({ length: count }, (_, sym) => reply.readUInt32LE(at + 8 + sym * 4));
    const kinds = [0, 1, 2, 3].map((group) => reply.readUInt8(at + group));
    const [groupInfo, width] = [reply.readUInt8(at + 4), reply.readUInt8(at + 5)];
    rows.push({ keycode: firstKey + index, types: kinds, groupInfo, width, keysyms });
    at += 8 + count * 4;
  }
  const keycodesWithActions = new Set<number>();
  const actionCounts = reply.subarray(at, at + reply.readUInt8(24));
  for (const [index, count] of actionCounts.entries()) {
    if (count > 0) keycodesWithActions.add(reply.readUInt8(21) + index);
  }
  at += pad4(actionCounts.length) + reply.readUInt16LE(22) * 8;
  const modifierMap = new Map<number, number>();
  for (let count = reply.readUInt8(33); count > 0; count -= 1, at += 2) {
    modifierMap.set(reply.readUInt8(at), reply.readUInt8(at + 1));
  }
  return { rows, types, modifierMap, keycodesWithActions };
}

export function listSpareRows(keymap: Keymap): KeyRow[] {
  return keymap.rows.filter(
    ({ keycode, keysyms }) =>
      keysyms.every((keysym) => keysym === 0) &&
      !keymap.modifierMap.has(keycode) &&
      !keymap.keycodesWithActions.has(keycode),
  );
}

/**
 * A row that produces one keysym whatever the modifiers, or another with Shift. Types 0 and 1 are ONE_LEVEL and
 * TWO_LEVEL on every keyboard (XKB protocol, "Canonical Key Types").
 */
function lendRow(row: KeyRow, keysym: number, shifted?: number): KeyRow {
  const keysyms = shifted === undefined ? [keysym] : [keysym, shifted];
  const width = keysyms.length;
  return { keycode: row.keycode, types: [width - 1, 0, 0, 0], groupInfo: 1, width, keysyms };
}

/** How this keyboard types each character and keysym in its first group. */
export class Layout {
  private readonly byCharacter = new Map<string, Stroke>();
  private readonly byKeysym = new Map<number, Stroke>();

  constructor(private readonly keymap: Keymap) {
    const places = keymap.rows.flatMap((row) =>
      row.keysyms
        .slice(0, (row.groupInfo & 0x0f) === 0 ? 0 : row.width)
        .map((keysym, level) => ({ row, keysym, level })),
    );
    // Prefers keys of the main block, then the lowest level.
    const rank = ({ row, level }: { row: KeyRow; level: number }): number =>
      (row.keycode > lastMainKey ? 100 : 0) + level;
    for (const { row, keysym, level } of places.toSorted((a, b) => rank(a) - rank(b))) {
      if (keysym === 0) continue;
      const held = this.findHeld(row, level);
      if (held === undefined) continue;
      const stroke = { keycode: row.keycode, held };
      const character = characterOf(keysym);
      if (!this.byKeysym.has(keysym)) this.byKeysym.set(keysym, stroke);
      if (character !== undefined && !this.byCharacter.has(character)) this.byCharacter.set(character, stroke);
    }
  }

  findCharacter(character: string): Stroke | undefined {
    return this.byCharacter.get(character);
  }

  findKeysym(keysym: number): Stroke | undefined {
    return this.byKeysym.get(keysym);
  }

  /** The key of a modifier, by its possible names; it must actually act as one. */
  findModifierKey(names: readonly string[]): number | undefined {
    for (const name of names) {
      const keysym = keysymOfName(name);
      const row = this.keymap.rows.find(
        ({ keysyms, keycode }) => keysyms[0] === keysym && this.keymap.modifierMap.has(keycode),
      );
      if (row !== undefined) return row.keycode;
    }
    return undefined;
  }

  /** The keys that select a level; undefined if only a lock does. */
  private findHeld(row: KeyRow, level: number): readonly number[] | undefined {
    if (level === 0) return [];
    const ways = this.keymap.types[row.types[0] ?? 0]?.levels ?? [];
    for (const { mods } of ways.filter((way) => way.level === level)) {
      const keys = bitsOf(mods).map((bit) => this.findLevelKey(bit));
      if (keys.every((key) => key !== undefined)) return keys;
    }
    return undefined;
  }

  private findLevelKey(bit: number): number | undefined {
    const isOne = ({ keycode, keysyms }: KeyRow): boolean =>
      this.keymap.modifierMap.get(keycode) === bit && levelKeysyms.includes(keysyms[0] ?? 0);
    return this.keymap.rows.find(isOne)?.keycode;
  }
}

/** Where the state of an event has the group: XKB, "Computing Effective Modifier and Group". */
const groupShift = 13;
const groupMask = 3;

/** The keysym that a key means under the modifiers, locks and group of an event; 0 for none. */
export function findKeysym({ rows, types }: Keymap, keycode: number, state: number): number {
  const row = rows.find((one) => one.keycode === keycode);
  const groups = (row?.groupInfo ?? 0) & 0x0f;
  if (row === undefined || groups === 0) return 0;
  const group = ((state >> groupShift) & groupMask) % groups;
  const levels = types[row.types[group] ?? 0]?.levels ?? [];
  const counted = levels.reduce((mask, { mods }) => mask | mods, 0);
  const level = levels.find(({ mods }) => mods === (state & counted))?.level ?? 0;
  return row.keysyms[group * row.width + Math.min(level, row.width - 1)] ?? 0;
}

/** Keys that select a level while held; not Caps Lock and Num Lock. */
const levelKeysyms = ["Shift_L", "Shift_R", "ISO_Level3_Shift", "ISO_Level5_Shift", "Mode_switch"].map(keysymOfName);

function bitsOf(mask: number): number[] {
  return [1, 2, 4, 8, 16, 32, 64, 128].filter((bit) => (mask & bit) !== 0);
}

/** How to type a text: what the layout has directly, everything else on spare keys, as many at a time as there are. */
export function planText(layout: Layout, spare: readonly KeyRow[], text: string): Batch[] | undefined {
  const batches: Batch[] = [];
  let lent = new Map<string, KeyRow>();
  let strokes: Stroke[] = [];
  for (const character of text) {
    const known = layout.findCharacter(character) ?? layout.findKeysym(keysymOf(character));
    if (known !== undefined) {
      strokes.push(known);
      continue;
    }
    if (!lent.has(character) && lent.size === spare.length) {
      batches.push({ lent: [...lent.values()], strokes });
      lent = new Map();
      strokes = [];
    }
    const free = spare[lent.size];
    const row = lent.get(character) ?? (free && lendRow(free, keysymOf(character)));
    if (row === undefined) return undefined;
    lent.set(character, row);
    strokes.push({ keycode: row.keycode, held: [] });
  }
  return [...batches, { lent: [...lent.values()], strokes }];
}

/** How to press a combination; otherwise a description of what the keyboard lacks. */
export function planCombo(layout: Layout, spare: readonly KeyRow[], combo: Combo): Batch | string {
  const held: number[] = [];
  for (const modifier of combo.modifiers) {
    const keycode = layout.findModifierKey(modifierVariants(modifier));
    if (keycode === undefined) return `a ${modifier} key`;
    held.push(keycode);
  }
  const named = keysymOfName(combo.key);
  // An unknown name is no character: its first letter must not be pressed instead.
  if (named === undefined && [...combo.key].length !== 1) return `a key called "${combo.key}"`;
  const keysym = named ?? keysymOf(combo.key);
  const known = layout.findKeysym(keysym) ?? layout.findCharacter(combo.key);
  if (known !== undefined) {
    // A level may need a key that the combination already holds.
    return { lent: [], strokes: [{ keycode: known.keycode, held: [...new Set([...held, ...known.held])] }] };
  }
  const [free] = spare;
  if (free === undefined) return `the key ${combo.key}, and no spare one`;
  return { lent: [lendRow(free, keysym, findCapital(combo.key))], strokes: [{ keycode: free.keycode, held }] };
}

/** What a letter's key produces with Shift. */
function findCapital(key: string): number | undefined {
  const capital = key.toUpperCase();
  const isLetter = [...key].length === 1 && [...capital].length === 1 && capital !== key;
  return isLetter ? keysymOf(capital) : undefined;
}

function modifierVariants(modifier: Modifier): string[] {
  const left = modifierKeys[modifier];
  return [left, left.replace("_L", "_R")];
}
