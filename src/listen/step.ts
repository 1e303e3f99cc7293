import { makeDemoTarget } from "../find/demo-target.ts";
import { type Bounds, containsBounds, containsPoint, type Point } from "../model/bounds.ts";
import { lastingStates, type RecordedAction } from "../model/demo.ts";
import type { Element } from "../model/element.ts";
import type { Failure } from "../model/failure.ts";
import type { PersonInput } from "../model/person-input.ts";
import { describeTargetStates } from "../model/target-state.ts";
import { applicationKeyOf, type Window } from "../model/window.ts";
import { describeEffect, type Times } from "./effect.ts";
import type { Inputs } from "./inputs.ts";
import { type Eyes, findByHandle, findDoubt, type Moment, snapshotOf, type Timing } from "./moment.ts";

/** A step before it is numbered. */
export type Step = Omit<RecordedAction, "n" | "by" | "client">;

/** Where an input went. */
export interface Aimed {
  readonly moment: Moment;
  readonly window: Window | undefined;
  readonly element: Element | undefined;
  /** How it stood afterwards, if that was seen later than the next input. */
  readonly end?: Element | undefined;
  readonly doubt: string | undefined;
}

/** How long nothing must change until the effect of a step counts as complete, and how long that is waited for. */
const [quietMs, longestMs] = [250, 1500];

/** What there was when the effect of an input had come: at the next input, or when nothing changes any more. */
export async function waitForEffect(inputs: Inputs, eyes: Eyes): Promise<Moment | undefined> {
  const untilMs = performance.now() + longestMs;
  while (!inputs.isMoreKnown && performance.now() < untilMs) {
    if (!(await eyes.waitForChange(quietMs))) break;
  }
  const next = inputs.isMoreKnown ? await inputs.next() : undefined;
  const moment = await (next?.moment ?? eyes.keep());
  return moment.ok ? moment.value : undefined;
}

/** How long a switch may take to show its new state. */
const longestSwitchMs = 1000;

/**
 * A switch as it stands afterwards, which may show only after the next input; undefined if that did not show, or if a later
 * input may have switched it again.
 */
export async function waitForState(
  before: Element,
  after: Moment | undefined,
  inputs: Inputs,
  eyes: Eyes,
): Promise<Element | undefined> {
  const stateOf = (element: Element | undefined): string | undefined =>
    element && lastingStates.filter((state) => element.states.has(state)).join(" ");
  const isAgain = (input: PersonInput): boolean => {
    if (input.kind === "key") return true;
    return input.kind === "press" && before.bounds !== undefined && containsPoint(before.bounds, input.point);
  };
  const untilMs = performance.now() + longestSwitchMs;
  for (let moment = after; moment !== undefined && !inputs.has(isAgain); ) {
    const now = findByHandle(moment, before.handle);
    if (now === undefined || stateOf(now) !== stateOf(before)) return now;
    if (performance.now() > untilMs) return undefined;
    await eyes.waitForChange(untilMs - performance.now());
    const kept = await eyes.keep();
    moment = kept.ok ? kept.value : undefined;
  }
  return undefined;
}

/** The fields that every step has. */
export function describeStep(
  { atMs, afterPressMs }: Times,
  endMs: number,
  { moment, window, element, end, doubt }: Aimed,
  after: Moment | undefined,
  way: "pointer" | "keys",
) {
  const target = element && window && makeDemoTarget(snapshotOf(moment, window), element, window);
  const now = end ?? (after && element && findByHandle(after, element.handle));
  const effect = after && describeEffect(moment, after, window, { way, atMs, afterPressMs });
  return {
    atMs: Math.round(atMs),
    tookMs: Math.max(0, Math.round(endMs - atMs)),
    ...(target?.ref === undefined ? {} : { ref: target.ref, evidence: target.evidence }),
    ...(window === undefined ? {} : { app: applicationKeyOf(window), window: window.title }),
    ...describeTargetStates(element, now),
    ...(effect === undefined ? {} : { effect }),
    ...(doubt === undefined ? {} : { doubt }),
  };
}

/** A step of which nothing may be known but that there was one. */
export function describeGap({ atMs }: Pick<PersonInput, "atMs">, tool: "click" | "type", why: Failure): Step {
  return { atMs: Math.round(atMs), tookMs: 0, tool, input: {}, aim: "window", gap: why.message };
}

/** Whether an element is still what is found, where it was: then it was there in between, too. */
export async function isUnmoved(
  eyes: Eyes,
  { moment: before, window, element }: Pick<Aimed, "moment" | "window" | "element">,
  find: (moment: Moment) => Element | undefined,
): Promise<boolean> {
  if (window === undefined) return false;
  const after = await eyes.readAgain([window]);
  if (!after.ok || element === undefined) return false;
  const [old, now] = [before, after.value].map(({ windows }) => windows.find(({ id }) => id === window.id)?.bounds);
  const found = find(after.value);
  const isSame = (a: Bounds | undefined, b: Bounds | undefined): boolean =>
    a !== undefined && b !== undefined && containsBounds(a, b) && containsBounds(b, a);
  return found?.handle === element.handle && isSame(found.bounds, element.bounds) && isSame(old, now);
}

/** What a person met at a moment: an element, if the window's tree is known. */
export async function aimAt(
  eyes: Eyes,
  moment: Moment,
  window: Window | undefined,
  timing: Timing,
  find: (moment: Moment) => Element | undefined,
  point?: Point,
): Promise<Aimed> {
  if (window === undefined) return { moment, window, element: undefined, doubt: undefined };
  if (moment.reads.get(window.id)?.root !== undefined) {
    const element = find(moment);
    const doubt = findDoubt(moment, window, timing, point && { point, element });
    const isSettled = doubt?.isTestable === true && (await isUnmoved(eyes, { moment, window, element }, find));
    return { moment, window, element, doubt: isSettled ? undefined : doubt?.why };
  }
  const late = await eyes.readAgain([window]);
  const isTold = late.ok && late.value.reads.get(window.id)?.root !== undefined;
  if (!isTold) return { moment, window, element: undefined, doubt: undefined };
  const doubt = "its window was not followed yet, and was read after it";
  return { moment: late.value, window, element: find(late.value), doubt };
}
