import type { DemoEffect, DemoRef, NamedPart } from "../model/demo.ts";
import { cleanText } from "../model/plain-text.ts";
import { maxStepBytes, type Step, type StepEffect, type StepRef, sizeOf } from "./file.ts";
import type { TextKind } from "./placeholders.ts";

type Abstract = (text: string, kind?: TextKind) => string;

/** A ref as a file has it: bounded and clean. Undefined if it has neither role nor name, and so means nothing. */
export function tidyRef(ref: DemoRef, abstract: Abstract): StepRef | undefined {
  const clean = (text: string, most = 200): string => cleanText(text, most);
  const shown = (text: string, kind?: TextKind): string => clean(abstract(clean(text), kind), 300);
  const named = (text: string | undefined, most = 60): string | undefined => {
    const own = text === undefined ? "" : clean(text, most);
    return own === "" ? undefined : own;
  };
  const tidy = {
    role: named(ref.role),
    name: ref.name === undefined || ref.name.trim() === "" ? undefined : shown(ref.name),
    app: named(ref.app, 120),
    window: ref.window === undefined ? undefined : shown(ref.window, "title"),
    bbox: ref.bbox === undefined ? undefined : toBox(ref.bbox),
    window_bbox: ref.window_bbox === undefined ? undefined : toBox(ref.window_bbox),
    container_path: ref.container_path?.slice(-24).map((one) => clean(abstract(one), 80)),
    enabled: ref.enabled,
    focused: ref.focused,
    automation_id: named(ref.automation_id, 200),
    accessibility_id: named(ref.accessibility_id, 200),
    css_selector: whole(ref.css_selector),
    xpath: whole(ref.xpath),
    tag: named(ref.tag),
    confidence: ref.confidence === undefined ? undefined : Math.min(1, Math.max(0, ref.confidence)),
    source: ref.source,
    neighbours: ref.neighbours?.slice(0, 4).map((one) => clean(abstract(one), 80)),
    sisters: ref.sisters === undefined ? undefined : toPair(ref.sisters, (one) => clean(abstract(one), 80)),
    index: ref.index,
    count: ref.count,
    twins: ref.twins,
  };
  return tidy.role === undefined && tidy.name === undefined ? undefined : dropUndefined(tidy);
}

function toBox([left, top, right, bottom]: NonNullable<DemoRef["bbox"]>): [number, number, number, number] {
  return [Math.round(left), Math.round(top), Math.round(right), Math.round(bottom)];
}

function toPair(pair: readonly [string, string], change: Abstract): [string, string] {
  return [change(pair[0]), change(pair[1])];
}

/** Half a selector selects something else. */
function whole(selector: string | undefined): string | undefined {
  return selector === undefined || selector.length > 500 || /\p{Cc}/u.test(selector) ? undefined : selector;
}

const most = { windows: 6, parts: 8, changes: 8 };

export function tidyEffect(effect: DemoEffect, abstract: Abstract): StepEffect {
  const put = (text: string, kind: TextKind): string => cleanText(abstract(cleanText(text, 120), kind), 200);
  const title = (text: string): string => put(text, "title");
  const parts = (list: readonly NamedPart[] | undefined) =>
    some(
      list
        ?.filter(({ name }) => name !== "")
        .slice(0, most.parts)
        .map(({ role, name }) => ({ role: cleanText(role, 60), name: put(name, "effect") })),
    );
  return dropUndefined({
    verdict: effect.verdict,
    way: cleanText(effect.way, 80),
    opened: some(effect.opened?.slice(0, most.windows).map(title)),
    closed: some(effect.closed?.slice(0, most.windows).map(title)),
    appeared: parts(effect.appeared),
    gone: parts(effect.gone),
    changed: some(
      effect.changed?.slice(0, most.changes).map(({ role, name, what, after }) => ({
        ...{
          role: cleanText(role, 60),
          name: put(name, "effect"),
          what: cleanText(what, 20),
          after: put(after, "effect"),
        },
      })),
    ),
  });
}

function some<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

/** What a step can lack, least needed first. */
const savings: readonly ((step: Step) => Step)[] = [
  (step) => ({ ...step, typed: undefined, effect: step.effect && dropUndefined({ ...step.effect, gone: undefined }) }),
  (step) => ({ ...step, effect: step.effect && cutEffect(step.effect, 4) }),
  (step) => ({
    ...step,
    ref: step.ref && dropUndefined({ ...step.ref, neighbours: step.ref.neighbours?.slice(0, 1) }),
  }),
  (step) => ({ ...step, effect: step.effect && cutEffect(step.effect, 2) }),
  (step) => ({ ...step, ref: step.ref && dropUndefined({ ...step.ref, xpath: undefined }) }),
  (step) => ({ ...step, ref: step.ref && cutRef(step.ref), to_ref: step.to_ref && cutRef(step.to_ref) }),
  (step) => ({ ...step, effect: step.effect && { verdict: step.effect.verdict, way: step.effect.way } }),
  (step) => ({ ...step, doubts: step.doubts?.slice(0, 2).map((doubt) => cleanText(doubt, 100)) }),
  (step) => ({ ...step, ref: step.ref && cutTexts(step.ref), to_ref: step.to_ref && cutTexts(step.to_ref) }),
  (step) => ({ ...step, wait: keepHeld(step.wait), window: step.window && cleanText(step.window, 80) }),
];

/** Without it, keys would be typed after whatever a field holds. */
function keepHeld(wait: Step["wait"]): Step["wait"] {
  return wait?.holds === undefined ? undefined : { holds: wait.holds };
}

function cutEffect(effect: StepEffect, count: number): StepEffect {
  const { appeared, changed, opened, closed } = effect;
  return dropUndefined({
    ...effect,
    appeared: appeared?.slice(0, count),
    changed: changed?.slice(0, count),
    opened: opened?.slice(0, count),
    closed: closed?.slice(0, count),
  });
}

function cutRef(ref: StepRef): StepRef {
  return dropUndefined({
    ...ref,
    container_path: ref.container_path?.slice(-4),
    css_selector: undefined,
    sisters: undefined,
  });
}

function cutTexts({ role, name, app, window, bbox, automation_id, accessibility_id }: StepRef): StepRef {
  const short = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : cleanText(text, 60);
  return dropUndefined({
    ...{ role, name: short(name), app: short(app), window: short(window), bbox },
    ...{ automation_id: short(automation_id), accessibility_id: short(accessibility_id) },
  });
}

/** Leaves out what is least needed until the step is small enough. */
export function fitStep(step: Step): Step {
  return savings.reduce(
    (fitted, save) => (sizeOf(fitted) <= maxStepBytes ? fitted : dropUndefined(save(fitted))),
    dropUndefined(step),
  );
}

/** JSON has no undefined; a copy without such fields is equal to what is read back. */
export function dropUndefined<T extends object>(value: T): T {
  const copy = { ...value };
  for (const key of Object.keys(copy)) {
    if (Object.getOwnPropertyDescriptor(copy, key)?.value === undefined) Reflect.deleteProperty(copy, key);
  }
  return copy;
}
