import { parseCell } from "../model/cell-address.ts";
import { type Element, isParagraph } from "../model/element.ts";
import { type Combo, showCombo } from "../model/keys.ts";
import type { PersonInput } from "../model/person-input.ts";
import type { Window } from "../model/window.ts";
import type { Inputs } from "./inputs.ts";
import { type Eyes, findFocused, type Moment, type Seen } from "./moment.ts";
import { aimAt, describeGap, describeStep, type Step, waitForEffect } from "./step.ts";
import { describeSwitch } from "./windows.ts";

export type Key = PersonInput & { readonly kind: "key" };

const modifierKeys = /^(Shift|Control|Alt|Super)_[LR]$|_Lock$|^ISO_|^Mode_switch$/;
const moving = /^(Up|Down|Left|Right|Home|End|Page_Up|Page_Down)$/;
/** Presses of one key in a row are one step. */
const repeatMs = 1000;

export function isModifier(key: string): boolean {
  return modifierKeys.test(key);
}

/** A combination, or a key that types nothing. */
export async function composeKey(first: Seen<Key>, inputs: Inputs, eyes: Eyes): Promise<readonly Step[]> {
  const combo = nameCombo(first.input);
  let [times, last] = [1, first.input];
  while (moving.test(first.input.key)) {
    const next = await inputs.next(repeatMs);
    if (!isKey(next) || nameCombo(next.input) !== combo || next.input.atMs - last.atMs > repeatMs) break;
    inputs.drop();
    times += 1;
    last = next.input;
  }
  const met = await findKeyboard(first);
  if ("step" in met) return [met.step];
  const { moment, window } = met;
  const find = (one: Moment) => (window === undefined ? undefined : findFocused(one.reads.get(window.id)));
  const aimed = await aimAt(eyes, moment, window, first.input, find);
  const after = await waitForEffect(inputs, eyes);
  const element = aimed.element && isPlaceInContent(aimed.element) ? undefined : aimed.element;
  const common = describeStep({ ...first, ...first.input }, last.atMs, { ...aimed, element }, after, "keys");
  const front = isForWindows(first.input) ? describeSwitch(moment, after) : undefined;
  if (front !== undefined) {
    const { ref: _, evidence: __, ...rest } = common;
    return [{ ...rest, ...front }];
  }
  const input = times === 1 ? { key: combo } : { key: combo, repeat: times };
  return [{ ...common, tool: "type", input, aim: "focus" }];
}

/** Keys move the cursor of a document or a sheet on, often before anybody has read where it is. */
function isPlaceInContent(element: Element): boolean {
  return isParagraph(element) || (element.role === "cell" && parseCell(element.name) !== undefined);
}

/** Alt+Tab and the like mean the window that they lead to. */
function isForWindows({ modifiers }: Key): boolean {
  return modifiers.includes("alt") || modifiers.includes("super");
}

/** The window that has the keyboard; a gap if it may not be known. */
export async function findKeyboard(
  seen: Seen<Key>,
): Promise<{ readonly moment: Moment; readonly window: Window | undefined } | { readonly step: Step }> {
  const moment = await seen.moment;
  if (!moment.ok) return { step: describeGap(seen.input, "type", moment.failure) };
  const { focusedId, windows, withheld } = moment.value;
  const blind = withheld.find(({ id }) => id === focusedId);
  if (blind !== undefined) return { step: describeGap(seen.input, "type", blind.refusal) };
  return { moment: moment.value, window: windows.find(({ id }) => id === focusedId) };
}

/** As `type --key` takes it: a letter is pressed with Shift, a sign that needs Shift is named itself. */
function nameCombo({ key, modifiers }: Key): string {
  const isLetter = [...key].length === 1 && key.toLowerCase() !== key.toUpperCase();
  const isSign = [...key].length === 1 && !isLetter && key !== " ";
  const held = isSign ? modifiers.filter((one) => one !== "shift") : modifiers;
  const combo: Combo = { modifiers: held, key: isLetter ? key.toLowerCase() : key };
  return showCombo(combo);
}

export function isKey(seen: Seen | undefined): seen is Seen<Key> {
  return seen?.input.kind === "key";
}
