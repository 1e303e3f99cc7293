import type { Combo, Modifier } from "../../../model/keys.ts";
import { modifierKeys } from "../../../model/keys.ts";
import { type KeyRow, type Layout, lendRow, type Stroke } from "./keymap.ts";
import { keysymOf, keysymOfName } from "./keysyms.ts";

/** Strokes that need no further remapping, and the rows remapped for them. */
export interface Batch {
  readonly lent: readonly KeyRow[];
  readonly strokes: readonly Stroke[];
}

/** How to type a text: what the layout has directly, everything else on spare keys, as many at a time as there are. */
export function planText(layout: Layout, spare: readonly KeyRow[], text: string): Batch[] | undefined {
  const batches: Batch[] = [];
  let lent = new Map<string, KeyRow>();
  let strokes: Stroke[] = [];
  for (const character of text) {
    const known = findStroke(layout, character);
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

function findStroke(layout: Layout, character: string): Stroke | undefined {
  return layout.findCharacter(character) ?? layout.findKeysym(keysymOf(character));
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
