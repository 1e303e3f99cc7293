import { type Element, isParagraph } from "../model/element.ts";
import { isMasked, maskSecrets } from "../model/secrets-in-text.ts";
import type { Window } from "../model/window.ts";
import type { Inputs } from "./inputs.ts";
import { findKeyboard, isKey, isModifier, type Key } from "./keys.ts";
import { type Eyes, findByHandle, findFocused, hasSecrets, listOf, type Moment, type Seen } from "./moment.ts";
import { describeStep, type Step } from "./step.ts";
import { TypedText } from "./typed-text.ts";

/** After so long without a key it is asked which field has the focus: keys of a secret are not kept longer. */
const pauseMs = 150;
/** How long an application may take to show what was typed. */
const longestShowMs = 1000;
const showStepMs = 120;
/** A longer text is not read as a whole. */
const mostValue = 2000;

/** Whether a key begins or continues a text. */
export function isTyping({ key, text, modifiers }: Key): boolean {
  const isPlain = modifiers.every((one) => one === "shift");
  return isPlain && !isModifier(key) && (text !== undefined || key === "BackSpace" || key === "Delete");
}

/** Keys that move within a text that is being typed. */
function isEditing({ key, modifiers }: Key): boolean {
  return /^(Left|Right|Home|End)$/.test(key) && modifiers.every((one) => one === "shift" || one === "ctrl");
}

/** Everything that is typed into one field. The keys leave this function only if something other than a secret shows them. */
export async function composeText(first: Seen<Key>, inputs: Inputs, eyes: Eyes): Promise<readonly Step[]> {
  const met = await findKeyboard(first);
  if ("step" in met) {
    await skipKeys(inputs);
    return [met.step];
  }
  const { moment: before, window } = met;
  const text = new TypedText();
  const met0 = window && findFocused(before.reads.get(window.id));
  let [last, lastMoment, field] = [first, before, met0];
  let secret: Element | undefined;
  text.add(first.input);
  const look = async (around: Window): Promise<void> => {
    const asked = await eyes.readAgain([around]);
    if (asked.ok) [lastMoment, field] = [asked.value, findFocused(asked.value.reads.get(around.id)) ?? field];
  };
  // Beside a secret field, the focus must not be known too late. What came meanwhile may have moved it already.
  const isNear = window !== undefined && hasSecrets(before.reads.get(window.id));
  if (isNear && !inputs.isMoreKnown) await look(window);
  for (let isAsked = false; ; ) {
    if (field?.states.has("secret")) {
      secret = field;
      text.forget();
    }
    const next = await inputs.next(isAsked || window === undefined ? undefined : pauseMs);
    if (next === undefined && !inputs.isMoreKnown && window !== undefined && !isAsked) {
      isAsked = true;
      await look(window);
      continue;
    }
    if (!isKey(next)) break;
    // Only the field tells whether Return goes on with the text; right after a dialog has closed, nobody has read it yet.
    if (next.input.key === "Return" && field === undefined && window !== undefined && !isAsked) {
      isAsked = true;
      await look(window);
    }
    if (!isPart(next.input, field)) break;
    const moment = await next.moment;
    if (!moment.ok || moment.value.focusedId !== before.focusedId) break;
    inputs.drop();
    lastMoment = moment.value;
    field = (window && findFocused(lastMoment.reads.get(window.id))) ?? field;
    text.add(next.input);
    last = next;
  }
  const [begin, end] = [first.input, last.input];
  if (window === undefined) return [withhold(begin, end, before, undefined, undefined, text)];
  const next = await (await inputs.next(1))?.moment;
  const seen = [before, lastMoment, ...(next?.ok === true ? [next.value] : [])];
  const shown = await findShown(eyes, window, seen, text, [field, met0]);
  if (shown === undefined) return [withhold(begin, end, before, window, secret ?? field, text)];
  return [describeText(begin, end, before, window, shown, text)];
}

function isPart(input: Key, field: Element | undefined): boolean {
  if (isTyping(input) || isEditing(input)) return true;
  // The cell of a sheet may have several lines, but Return leaves it.
  const hasLines = field?.states.has("multiline") === true && field.role !== "cell";
  return input.key === "Return" && input.modifiers.length === 0 && hasLines;
}

/** Of a window that may not be seen, all keys together are one gap. */
async function skipKeys(inputs: Inputs): Promise<void> {
  for (let next = await inputs.next(); isKey(next); next = await inputs.next()) {
    const met = await findKeyboard(next);
    if (!("step" in met)) return;
    inputs.drop();
  }
}

interface Shown {
  readonly field: Element;
  /** What it holds now; undefined for a control that takes keys and holds no text. */
  readonly value: string | undefined;
  readonly moment: Moment;
  readonly doubt?: string;
}

/** The element that shows what was typed; undefined if none does, or if a secret may have taken it. */
async function findShown(
  eyes: Eyes,
  window: Window,
  seen: readonly Moment[],
  text: TypedText,
  focused: readonly (Element | undefined)[],
): Promise<Shown | undefined> {
  const [before] = seen;
  if (before === undefined || text.isForgotten) return undefined;
  const moments = [...seen];
  const untilMs = performance.now() + longestShowMs;
  for (;;) {
    const now = moments.at(-1) ?? before;
    const found = findField(before, now, window, text, [...focused, findFocused(now.reads.get(window.id))]);
    if (found !== undefined) return { ...found, moment: now };
    if (performance.now() > untilMs) break;
    if (moments.length > seen.length) await eyes.waitForChange(showStepMs);
    const again = await eyes.readAgain([window]);
    if (!again.ok || !again.value.windows.some(({ id }) => id === window.id)) break;
    moments.push(again.value);
  }
  const holders = new Set(moments.map(({ reads }) => findFocused(reads.get(window.id))?.handle));
  // What was known at the keys may be late; what was read after them is not.
  const hasStayed = holders.size === 1 && moments.length > seen.length;
  return isNearSecret(moments, window) && !hasStayed ? undefined : findLastShown(before, moments, text, focused);
}

/** The focus may be known too late to tell a secret field from the one before it. */
function isNearSecret(moments: readonly Moment[], { id }: Window): boolean {
  return moments.some(({ reads }) => hasSecrets(reads.get(id)));
}

/** A field whose value has changed and holds the text. Beside a secret field, it must have gained exactly the text. */
function findField(
  before: Moment,
  now: Moment,
  window: Window,
  text: TypedText,
  focused: readonly (Element | undefined)[],
): Omit<Shown, "moment"> | undefined {
  const handles = new Set(focused.flatMap((one) => one?.handle ?? []));
  const elements = listOf(now.reads.get(window.id)).filter(({ states }) => !states.has("secret"));
  const isStrict = isNearSecret([before, now], window);
  const likely = [...elements.filter(({ handle }) => handles.has(handle)), ...elements.filter(isField)];
  for (const field of likely) {
    const old = findByHandle(before, field.handle)?.value ?? "";
    const isShown = isStrict ? text.isGained(old, field.value) : text.isIn(field.value);
    if (field.value !== old && isShown) return { field, value: text.isAll(field.value) ? text.text : field.value };
  }
  return findParagraph(before, now, window, text, focused);
}

/** The text of a document may run over several paragraphs, each named by its text, which is no name to find it by again. */
function findParagraph(
  before: Moment,
  now: Moment,
  window: Window,
  text: TypedText,
  focused: readonly (Element | undefined)[],
): Omit<Shown, "moment"> | undefined {
  const field = focused.find((one) => one !== undefined && isParagraph(one));
  if (field === undefined) return undefined;
  const [old, shown] = [before, now].map(({ reads }) =>
    listOf(reads.get(window.id))
      .flatMap((one) => (isParagraph(one) ? one.name : []))
      .join(""),
  );
  if (old === undefined || shown === undefined || old === shown) return undefined;
  const isShown = isNearSecret([before, now], window) ? text.isGained(old, shown) : text.isIn(shown);
  return isShown ? { field, value: undefined } : undefined;
}

/** What was seen last where the text itself was not: the field has closed, has changed it, or takes keys and shows none. */
function findLastShown(
  before: Moment,
  moments: readonly Moment[],
  text: TypedText,
  focused: readonly (Element | undefined)[],
): Shown | undefined {
  const handles = [...new Set(focused.flatMap((one) => one?.handle ?? []))];
  for (const moment of moments.toReversed()) {
    for (const handle of handles) {
      const field = findByHandle(moment, handle);
      if (field === undefined || field.states.has("secret")) continue;
      const old = findByHandle(before, handle)?.value ?? "";
      if (field.value === old) continue;
      const doubt = "the field did not show the text as it was typed";
      const isBegun = old === "" && text.startsWith(field.value);
      return { field, value: isBegun ? text.text : field.value, moment, doubt };
    }
  }
  const [control] = focused.filter((one) => one !== undefined);
  const isOpen = control !== undefined && !isField(control) && control.role !== "terminal";
  return isOpen ? { field: control, value: undefined, moment: before } : undefined;
}

function isField({ role, states }: Element): boolean {
  return states.has("editable") || role === "input" || role === "terminal" || role === "spin";
}

function describeText(
  begin: Key,
  end: Key,
  before: Moment,
  window: Window,
  { field, value, moment, doubt }: Shown,
  text: TypedText,
): Step {
  const old = findByHandle(before, field.handle);
  const element = isParagraph(field) ? undefined : (old ?? field);
  const aimed = { moment: old === undefined ? moment : before, window, element, doubt };
  const common = describeStep(begin, end.atMs, aimed, moment, "keys");
  const place = common.ref === undefined ? ({ aim: "focus" } as const) : ({ aim: "control", markField: "id" } as const);
  const typed = text.text;
  if (maskSecrets(typed) !== typed || isMasked(value ?? "")) {
    return { ...withoutValues(common), ...place, tool: "type", input: {}, secret: labelOf(field, window) };
  }
  if (value === undefined) {
    const input = typed === " " ? { key: "Space" } : text.isPlain && typed !== "" ? { text: typed } : undefined;
    return { ...common, tool: "type", input: input ?? { key: begin.key }, aim: "focus" };
  }
  const isLong = field.states.has("multiline") || field.role === "terminal" || value.length > mostValue;
  const isAdded = isLong && (old?.value ?? "") !== "" && text.isPlain;
  if (field.role === "terminal" || isAdded) return { ...common, tool: "type", input: { text: typed }, ...place };
  return { ...common, tool: "set-value", input: { text: value }, ...place, typed };
}

/** Keys that nothing but a secret may have taken: only the field's label is told. */
function withhold(
  begin: Key,
  end: Key,
  before: Moment,
  window: Window | undefined,
  field: Element | undefined,
  text: TypedText,
): Step {
  const isSecret = field?.states.has("secret") === true;
  text.forget();
  const aimed = { moment: before, window, element: field, doubt: undefined };
  const common = describeStep(begin, end.atMs, aimed, undefined, "keys");
  const label = field === undefined ? `the keys typed in ${window?.title ?? "no window"}` : labelOf(field, window);
  const doubt = isSecret ? undefined : "nothing showed what was typed, so it was not kept";
  const place = common.ref === undefined ? ({ aim: "focus" } as const) : ({ aim: "control", markField: "id" } as const);
  return { ...common, tool: "type", input: {}, secret: label, ...place, ...(doubt === undefined ? {} : { doubt }) };
}

function labelOf(field: Element, window: Window | undefined): string {
  const { name, role } = field;
  return name === "" || isParagraph(field) ? `${role} in ${window?.title ?? "no window"}` : name;
}

function withoutValues<Common extends { readonly effect?: unknown }>({ effect: _, ...rest }: Common) {
  return rest;
}
