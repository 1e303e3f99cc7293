import type { DemoTarget } from "../model/demo-ref.ts";
import { describeUsage, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { cleanText, quoteText } from "../model/plain-text.ts";
import { listOpenDoubts } from "./doubts.ts";
import {
  type Demo,
  maxNote,
  type Parameter,
  type ParameterType,
  parameterPattern,
  parameterTypes,
  type Step,
} from "./file.ts";
import { dropUndefined, fitStep, tidyRef } from "./fit.ts";
import { doubtRef } from "./make.ts";
import { listPlaceholders, refuseValue } from "./parameters.ts";
import { abstractText, type TextKind } from "./placeholders.ts";
import { needsTarget } from "./tools.ts";

/** Where each step of the demo before stands in the one after, both from 1; undefined for one that is gone. */
type Places = (n: number) => number | undefined;

export interface Edited {
  readonly demo: Demo;
  readonly places: Places;
}

const unmoved: Places = (n) => n;
const see = "deskmap demo show lists the steps.";

function keepPlaces(demo: Demo): Result<Edited> {
  return succeed({ demo, places: unmoved });
}

/** Deletes steps, unless a step that stays needs what one of them does. Parameters that only they used go with them. */
export function deleteSteps(demo: Demo, numbers: readonly number[]): Result<Edited> {
  const stray = numbers.find((n) => demo.steps[n - 1] === undefined);
  if (stray !== undefined) return noStep(demo, stray);
  const gone = new Set(numbers);
  const staying = demo.steps.map((_, index) => index + 1).filter((n) => !gone.has(n));
  if (staying.length === 0) {
    return fail(describeUsage("a demo needs a step", `deskmap demo delete ${JSON.stringify(demo.name)}`));
  }
  return arrange(demo, staying);
}

/** Moves a step to another place; the others keep their order. */
export function moveStep(demo: Demo, from: number, to: number): Result<Edited> {
  for (const n of [from, to]) if (demo.steps[n - 1] === undefined) return noStep(demo, n);
  const others = demo.steps.map((_, index) => index + 1).filter((n) => n !== from);
  return arrange(demo, others.toSpliced(to - 1, 0, from));
}

export function renameParameter(demo: Demo, from: string, to: string): Result<Edited> {
  const parameter = ownParameter(demo, from);
  if (!parameter.ok) return parameter;
  if (!parameterPattern.test(to)) {
    const message = `${JSON.stringify(cleanText(to, 60))} is no name of a parameter`;
    return fail(describeUsage(message, "small letters, digits and _, beginning with a letter; at most 40."));
  }
  if (to !== from && Object.hasOwn(demo.parameters, to)) {
    return fail(describeUsage(`there is a parameter called ${to} already`, "take another name."));
  }
  const rename = (text: string): string => text.replaceAll(`{{${from}}}`, `{{${to}}}`);
  const parameters = Object.fromEntries(
    Object.entries(demo.parameters).map(([name, one]): [string, Parameter] => [name === from ? to : name, one]),
  );
  return keepPlaces({
    ...demo,
    parameters,
    steps: mapTexts(demo.steps, rename),
    ...(demo.former === undefined ? {} : { former: mapTexts(demo.former, rename) }),
  });
}

/** Gives a parameter another type. Secret ones stay so: a secret is filled in by a tool of its own, and never typed. */
export function retypeParameter(demo: Demo, name: string, wanted: string): Result<Edited> {
  const parameter = ownParameter(demo, name);
  if (!parameter.ok) return parameter;
  const open = parameterTypes.filter((one) => one !== "secret");
  const type: ParameterType | undefined = open.find((one) => one === wanted);
  if (type === undefined || parameter.value.type === "secret") {
    const message =
      wanted === "secret" || type !== undefined
        ? "a secret is filled in by its name, and anything else is typed: one cannot become the other"
        : `no type is called ${JSON.stringify(cleanText(wanted, 40))}`;
    return fail(describeUsage(message, `${open.join(", ")}; record the step again to change what is secret.`));
  }
  const { default: value } = parameter.value;
  const wrong = value === undefined ? undefined : refuseValue(type, value);
  if (wrong !== undefined) {
    const message = `the recorded value of ${name}, ${quoteText(value ?? "", 60)}, ${wrong}`;
    return fail(describeUsage(message, "take another type, or change the value in the file: deskmap demo edit NAME"));
  }
  return keepPlaces({ ...demo, parameters: { ...demo.parameters, [name]: { ...parameter.value, type } } });
}

/** Writes a note to a step; an empty one removes it. */
export function noteStep(demo: Demo, n: number, note: string): Result<Edited> {
  const words = cleanText(note, maxNote);
  return changeStep(demo, n, (step) => succeed(dropUndefined({ ...step, note: words === "" ? undefined : words })));
}

/** A person has looked at the step: what was doubted of it is right. */
export function settleDoubts(demo: Demo, numbers: readonly number[]): Result<Edited> {
  const stray = numbers.find((n) => demo.steps[n - 1] === undefined);
  if (stray !== undefined) return noStep(demo, stray);
  const settle = (step: Step): Step => {
    const open = new Set(listOpenDoubts(step));
    const left = (step.doubts ?? []).filter((doubt) => !open.has(doubt));
    return dropUndefined({ ...step, doubts: left.length === 0 ? undefined : left });
  };
  return keepPlaces({
    ...demo,
    steps: demo.steps.map((step, index) => (numbers.includes(index + 1) ? settle(step) : step)),
  });
}

/** Doubts about something else than which control was meant. */
const aboutOther =
  /^(before it: |after it: |its text |its field |a part of its text |nothing tells whether the field )/;

/** Gives a step another control. Its former ref stays in the file, as after healing. */
export function repickStep(demo: Demo, n: number, target: DemoTarget, nowMs: number): Result<Edited> {
  const abstract = (text: string, kind?: TextKind): string => abstractText(text, demo.parameters, kind);
  const ref = target.ref === undefined ? undefined : tidyRef(target.ref, abstract);
  if (ref === undefined) {
    const message = "nothing describes that control: it has neither a role nor a name";
    return fail(makeFailure("NOT_FOUND", message, "point at another one."));
  }
  const changed = changeStep(demo, n, (step) => {
    if (!needsTarget(step.tool) && step.ref === undefined) {
      return fail(describeUsage(`step ${n} (${step.tool}) acts on no control`, see));
    }
    const was = step.ref;
    const { app = step.app, window = step.window } = ref;
    const evidence = target.evidence?.slice(0, 12);
    const doubts = [...(step.doubts ?? []).filter((doubt) => aboutOther.test(doubt)), ...doubtRef(evidence)];
    const { input } = step;
    // It was a point within the former control.
    const { at: _, ...rest } = input;
    return succeed(
      fitStep({
        ...step,
        input: step.tool === "click" ? rest : input,
        ...{ ref, evidence, app, window },
        // It shows the former control.
        picture: undefined,
        point: target.point === undefined ? undefined : [Math.round(target.point.x), Math.round(target.point.y)],
        wait: step.wait === undefined ? undefined : findWait(demo, n, step.wait, app, window),
        effect: step.effect && was && renameIn(step.effect, was, ref),
        doubts: doubts.length === 0 ? undefined : doubts.slice(0, 8),
      }),
    );
  });
  if (!changed.ok) return changed;
  const { ref: was, evidence } = demo.steps[n - 1] ?? {};
  if (was === undefined) return changed;
  const until = new Date(nowMs).toISOString();
  const former = [...(demo.former ?? []), dropUndefined({ step: n, ref: was, evidence, until })];
  return keepPlaces({ ...changed.value.demo, former });
}

/** The window that the new control needs, and the step before that opens it. */
function findWait(
  demo: Demo,
  n: number,
  wait: NonNullable<Step["wait"]>,
  app: string | undefined,
  window: string | undefined,
): Step["wait"] {
  const opener =
    window === undefined
      ? -1
      : demo.steps.slice(0, n - 1).findLastIndex(({ effect }) => effect?.opened?.includes(window));
  return dropUndefined({ ...wait, app, window, element: true, opened_by: opener < 0 ? undefined : opener + 1 });
}

type Named = Pick<NonNullable<Step["ref"]>, "role" | "name">;

/** Where the effect was that the control itself changed, the new one is expected to change. */
function renameIn(effect: NonNullable<Step["effect"]>, was: Named, now: Named): Step["effect"] {
  const isOwn = ({ role, name }: Named): boolean => name === was.name && role === was.role;
  const { role, name } = now;
  if (role === undefined || name === undefined) return effect;
  return dropUndefined({
    ...effect,
    changed: effect.changed?.map((one) => (isOwn(one) ? { ...one, role, name } : one)),
  });
}

function changeStep(demo: Demo, n: number, change: (step: Step) => Result<Step>): Result<Edited> {
  const step = demo.steps[n - 1];
  if (step === undefined) return noStep(demo, n);
  const changed = change(step);
  return changed.ok ? keepPlaces({ ...demo, steps: demo.steps.with(n - 1, changed.value) }) : changed;
}

/** The demo with these steps in this order, if every link still leads back to an earlier step. */
function arrange(demo: Demo, order: readonly number[]): Result<Edited> {
  const places: Places = (n) => {
    const at = order.indexOf(n);
    return at < 0 ? undefined : at + 1;
  };
  const broken = findBroken(demo, order, places);
  if (broken !== undefined) return fail(makeFailure("USAGE", broken.why, broken.suggestion));
  const steps = setTimes(demo, order).map((step) => {
    const opener = step.wait?.opened_by === undefined ? undefined : places(step.wait.opened_by);
    return opener === undefined ? step : { ...step, wait: { ...step.wait, opened_by: opener } };
  });
  const kept = JSON.stringify(steps);
  const entries = Object.entries(demo.parameters).flatMap(([name, one]): [string, Parameter][] => {
    const wasUsed = JSON.stringify(demo.steps).includes(`{{${name}}}`);
    if (wasUsed && !kept.includes(`{{${name}}}`)) return [];
    const step = one.from === undefined ? undefined : places(one.from.step);
    return [[name, one.from === undefined || step === undefined ? one : { ...one, from: { ...one.from, step } }]];
  });
  const former = demo.former?.flatMap((one) => {
    const step = places(one.step);
    return step === undefined ? [] : [{ ...one, step }];
  });
  const { former: _, ...rest } = demo;
  return succeed({
    demo: {
      ...rest,
      parameters: Object.fromEntries(entries),
      steps,
      ...(former === undefined || former.length === 0 ? {} : { former }),
    },
    places,
  });
}

/** The first step that would come before what it needs, or lose it. Numbers are those of the demo as it is. */
function findBroken(
  demo: Demo,
  order: readonly number[],
  places: Places,
): { readonly why: string; readonly suggestion: string } | undefined {
  const needs = order.flatMap((n) => listNeeds(demo, n).map((need) => ({ n, ...need })));
  for (const { n, on, why } of needs) {
    const [own = 0, other] = [places(n), places(on)];
    if (other === undefined) return { why: `step ${n} ${why}`, suggestion: `delete step ${n}, too.` };
    if (other >= own) {
      return { why: `step ${n} ${why}, and would come before it`, suggestion: `move step ${on} first.` };
    }
  }
  return undefined;
}

interface Need {
  readonly on: number;
  readonly why: string;
}

function listNeeds({ steps, parameters }: Demo, n: number): readonly Need[] {
  const { wait, input } = steps[n - 1] ?? { input: {} };
  const opener = wait?.opened_by;
  const window: readonly Need[] =
    opener === undefined || opener < 1 || opener >= n
      ? []
      : [{ on: opener, why: `works in the window that step ${opener} opens` }];
  const typed = Object.values(input)
    .flatMap(listPlaceholders)
    .flatMap((name): Need[] => {
      const from = parameters[name]?.from;
      if (from === undefined || from.step >= n) return [];
      return [{ on: from.step, why: `types {{${name}}}, which step ${from.step} puts on the screen` }];
    });
  return [...window, ...typed];
}

/** A link must lead back. The schema cannot say so. */
export function findBrokenLink({ steps, parameters }: Demo): string | undefined {
  for (const [index, { wait, input }] of steps.entries()) {
    const at = `steps[${index}] (step ${index + 1})`;
    if (wait?.opened_by !== undefined && wait.opened_by > index) return `${at}.wait.opened_by: no earlier step`;
    for (const [name, { from }] of Object.entries(parameters)) {
      const isUsed = JSON.stringify(input).includes(`{{${name}}}`);
      if (isUsed && from !== undefined && from.step > index) {
        return `${at}.input: {{${name}}} is read from step ${from.step}, which is no earlier one`;
      }
    }
  }
  return undefined;
}

/** Each step keeps its distance in time to the step before it. */
function setTimes({ steps }: Demo, order: readonly number[]): readonly Step[] {
  const isPlain = order.every((n, index) => n > (order[index - 1] ?? 0));
  const picked = order.map((n) => ({ step: steps[n - 1], distance: distanceOf(steps, n) }));
  let afterMs = 0;
  return picked.flatMap(({ step, distance }, index) => {
    if (step === undefined) return [];
    if (isPlain || step.after_ms === undefined) return [step];
    afterMs += index === 0 ? 0 : distance;
    return [{ ...step, after_ms: afterMs }];
  });
}

function distanceOf(steps: readonly Step[], n: number): number {
  return Math.max(0, (steps[n - 1]?.after_ms ?? 0) - (steps[n - 2]?.after_ms ?? 0));
}

function ownParameter({ parameters }: Demo, name: string): Result<Parameter> {
  const own = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (own !== undefined) return succeed(own);
  const known = Object.keys(parameters);
  const has = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
  const message = `the demo has no parameter called ${JSON.stringify(cleanText(name, 60))}: ${has}`;
  return fail(describeUsage(message, "deskmap demo show lists them."));
}

function noStep({ steps }: Demo, n: number): Result<never> {
  return fail(describeUsage(`there is no step ${n}: it has ${steps.length}`, see));
}

/** A copy with every text in it changed. */
function mapTexts<T>(value: T, change: (text: string) => string): T {
  return JSON.parse(JSON.stringify(value), (_key, one: unknown) => (typeof one === "string" ? change(one) : one));
}
