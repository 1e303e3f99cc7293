import { mayScroll } from "../find/locate.ts";
import { isTwoState } from "../find/suit.ts";
import { containsPoint, type Point } from "../model/bounds.ts";
import type { Element, Placed } from "../model/element.ts";
import { succeed } from "../model/failure.ts";
import type { PersonInput } from "../model/person-input.ts";
import type { Window } from "../model/window.ts";
import type { Inputs } from "./inputs.ts";
import {
  type Eyes,
  findUnder,
  isBehindPopup,
  isBesideMenu,
  isShiftedAt,
  type Moment,
  type Seen,
  type Timing,
} from "./moment.ts";
import {
  type Aimed,
  aimAt,
  describeGap,
  describeStep,
  isUnmoved,
  type Step,
  waitForEffect,
  waitForState,
} from "./step.ts";
import { describeWindowStep } from "./windows.ts";

type Press = PersonInput & { readonly kind: "press" | "release" };
type Turn = PersonInput & { readonly kind: "wheel" };

/** GTK and Qt take 400 ms by default, and 5 pixels; browsers 500 ms. */
const doubleMs = 400;
const nearPx = 8;
/** As long as the wheel keeps turning, it is one step. */
const wheelMs = 700;
const wheelPx = 40;

/** No person presses here and then there within this time, and an application may not have answered the first. */
const crossingMs = 250;
/** How long after a press the effect of the one before may show, at least. */
const reactionMs = 150;

/** What follows a press: a click, two of them, or a drag. */
export async function composePress(press: Seen<Press>, inputs: Inputs, eyes: Eyes): Promise<readonly Step[]> {
  const release = await takeRelease(press.input, inputs);
  if (release !== undefined && !isNear(press.input.point, release.input.point, nearPx)) {
    return [await composeDrag(press, release, inputs, eyes)];
  }
  const second = await takeSecond(press.input, inputs);
  const first = await aim(press, inputs, eyes);
  if ("step" in first) {
    if (second !== undefined) await takeRelease(second.input, inputs);
    return [first.step];
  }
  if (second === undefined) return [await composeClick(press, first, release, inputs, eyes)];
  const again = await aim(second, inputs, eyes);
  const secondRelease = await takeRelease(second.input, inputs);
  const isSame = !("step" in again) && again.element?.handle === first.element?.handle;
  if (isSame) return [await composeClick(press, first, secondRelease, inputs, eyes, true)];
  // The first one has put something else there.
  const after = await second.moment;
  const click = describeClick(press.input, release, first, after.ok ? after.value : undefined, false);
  const last = "step" in again ? again.step : await composeClick(second, again, secondRelease, inputs, eyes);
  return [click, last];
}

async function takeRelease({ button }: Press, inputs: Inputs): Promise<Seen<Press> | undefined> {
  const seen = await inputs.takeFirst((input) => input.kind === "release" && input.button === button);
  return isPress(seen) ? seen : undefined;
}

/** The press that makes it a double click. */
async function takeSecond({ atMs, button, point }: Press, inputs: Inputs): Promise<Seen<Press> | undefined> {
  const next = await inputs.next(Math.max(1, doubleMs - (Date.now() - atMs)));
  if (!isPress(next) || next.input.kind !== "press" || next.input.button !== button) return undefined;
  if (next.input.atMs - atMs > doubleMs || !isNear(next.input.point, point, nearPx)) return undefined;
  inputs.drop();
  return next;
}

async function composeClick(
  press: Seen<Press>,
  aimed: Aimed,
  release: Seen<Press> | undefined,
  inputs: Inputs,
  eyes: Eyes,
  isDouble = false,
): Promise<Step> {
  const after = await waitForEffect(inputs, eyes);
  const { element } = aimed;
  const isSwitch = element !== undefined && isTwoState(element) && element.role !== "radio" && !isDouble;
  const end = isSwitch ? await waitForState(element, after, inputs, eyes) : undefined;
  return describeClick(press.input, release, end === undefined ? aimed : { ...aimed, end }, after, isDouble);
}

function describeClick(
  press: Press,
  release: Seen<Press> | undefined,
  aimed: Aimed,
  after: Moment | undefined,
  isDouble: boolean,
): Step {
  const { button, point } = press;
  const common = describeStep(press, release?.input.atMs ?? press.atMs, aimed, after, "pointer");
  const window = aimed.element === undefined ? describeWindowStep(aimed, after, false) : undefined;
  if (window !== undefined) return { ...common, ...window };
  const held = press.modifiers.length === 0 ? undefined : `${press.modifiers.join(" and ")} was held`;
  const doubt = common.doubt ?? held;
  const isPlaced = common.ref === undefined;
  return {
    ...common,
    tool: "click",
    input: { ...(button === "left" ? {} : { button }), ...(isDouble ? { double: true } : {}) },
    aim: isPlaced ? "point" : "control",
    ...(isPlaced ? {} : { markField: "id" }),
    point,
    ...(doubt === undefined ? {} : { doubt }),
  };
}

async function composeDrag(press: Seen<Press>, release: Seen<Press>, inputs: Inputs, eyes: Eyes): Promise<Step> {
  const from = await aim(press, inputs, eyes);
  if ("step" in from) return from.step;
  // What changes during a drag is part of it.
  const to = await aim(release, inputs, eyes, undefined, { ...release.input, atMs: press.input.atMs });
  if ("step" in to) return to.step;
  const after = await waitForEffect(inputs, eyes);
  const common = describeStep(press.input, release.input.atMs, from, after, "pointer");
  const window = from.element === undefined ? describeWindowStep(from, after, true) : undefined;
  if (window !== undefined) return { ...common, ...window };
  const end = describeStep(release.input, release.input.atMs, to, undefined, "pointer");
  const { button } = press.input;
  const doubt = common.doubt ?? end.doubt;
  const isPlaced = common.ref === undefined;
  return {
    ...common,
    tool: "drag",
    input: button === "left" ? {} : { button },
    aim: isPlaced ? "point" : "control",
    ...(isPlaced ? {} : { markField: "fromId" }),
    ...(end.ref === undefined ? {} : { toRef: end.ref }),
    point: press.input.point,
    toPoint: release.input.point,
    ...(doubt === undefined ? {} : { doubt }),
  };
}

/** All turns of the wheel one way over one part of a window. */
export async function composeWheel(first: Seen<Turn>, inputs: Inputs, eyes: Eyes): Promise<readonly Step[]> {
  const { direction, point } = first.input;
  let [amount, last] = [1, first.input];
  for (;;) {
    const next = await inputs.next(wheelMs);
    if (!isTurn(next) || next.input.direction !== direction || !isNear(next.input.point, point, wheelPx)) break;
    if (next.input.atMs - last.atMs > wheelMs) break;
    inputs.drop();
    amount += 1;
    last = next.input;
  }
  const aimed = await aim(first, inputs, eyes, findScrolling);
  if ("step" in aimed) return [aimed.step];
  const after = await waitForEffect(inputs, eyes);
  const common = describeStep(first.input, last.atMs, aimed, after, "pointer");
  const isPlaced = common.ref === undefined;
  const where = isPlaced ? ({ aim: "point" } as const) : ({ aim: "control", markField: "id" } as const);
  return [{ ...common, tool: "scroll", input: { direction, amount }, ...where, point }];
}

/** The part that scrolls: what is under the pointer moves away. */
function findScrolling({ element, ancestors }: Placed): Element {
  return [...ancestors, element].findLast(mayScroll) ?? element;
}

/** Where a press went; a gap if that may not be known. */
async function aim(
  seen: Seen<Press | Turn>,
  inputs: Inputs,
  eyes: Eyes,
  choose: (placed: Placed) => Element = ({ element }) => element,
  timing: Timing = seen.input,
): Promise<Aimed | { readonly step: Step }> {
  const { input, later } = seen;
  const [moment, found, after] = await Promise.all([
    seen.moment,
    seen.window ?? succeed(undefined),
    later ?? seen.moment,
  ]);
  const refused = !found.ok ? found.failure : !moment.ok ? moment.failure : undefined;
  if (refused !== undefined) return { step: describeGap(input, "click", refused) };
  if (!moment.ok || !found.ok) throw new Error("a result is a success or a failure");
  const { point } = input;
  const now = after.ok ? after.value : moment.value;
  const closed = moment.value.withheld.find(({ id }) => !now.withheld.some((one) => one.id === id));
  // Nobody may know where it was.
  if (closed !== undefined) return { step: describeGap(input, "click", closed.refusal) };
  const window = findMet(moment.value, found.value, now, point);
  const findPlaced = (one: Moment): Placed | undefined => window && findUnder(one.reads.get(window.id), point);
  const find = (one: Moment): Element | undefined => {
    const placed = findPlaced(one);
    return placed && choose(placed);
  };
  const aimed = await aimAt(eyes, moment.value, window, timing, find, point);
  if (window === undefined || aimed.doubt !== undefined) return aimed;
  if (isBesideMenu(aimed.moment.reads.get(window.id), point)) {
    return { ...aimed, doubt: "a menu was open, and may have taken it" };
  }
  const met = findPlaced(aimed.moment);
  const isBehind = met !== undefined && isBehindPopup(moment.value, window, point, timing, met);
  if (isBehind) return { ...aimed, doubt: "a menu or list that was not read lay over it" };
  const isCrossed = await isCrossedByEffect(seen, inputs, eyes, async (one, between) => {
    if (isShiftedAt(one.shifted, window, point, between) || find(one)?.handle !== aimed.element?.handle) return true;
    return isShiftedAt(one.moved, window, point, between) && !(await isUnmoved(eyes, aimed, find));
  });
  return isCrossed ? { ...aimed, doubt: "it came before the effect of the press before it was known" } : aimed;
}

/**
 * Whether a press came so soon after another that the other's effect may have been there, unknown to us. The effect shows
 * in what is known until the next press, or a moment later.
 */
async function isCrossedByEffect(
  { input, afterPressMs, later }: Seen<Press | Turn>,
  inputs: Inputs,
  eyes: Eyes,
  isElsewhere: (moment: Moment, between: readonly [number, number]) => Promise<boolean>,
): Promise<boolean> {
  if (afterPressMs === undefined || input.atMs - afterPressMs >= crossingMs) return false;
  const next = inputs.list().find((one) => one.input.kind === "press");
  const endMs = Math.max(input.atMs + reactionMs, next?.input.atMs ?? 0);
  while (!inputs.isMoreKnown && Date.now() < endMs) await eyes.waitForChange(endMs - Date.now());
  const known = inputs.list().filter((one) => one.input.atMs <= endMs + reactionMs);
  const kept = await Promise.all([later, ...known.flatMap((one) => [one.moment, one.later]), eyes.keep()]);
  for (const moment of kept) {
    if (moment?.ok === true && (await isElsewhere(moment.value, [afterPressMs, endMs]))) return true;
  }
  return false;
}

/**
 * The window that a press met, as it was then. It is asked for after the press, which may have closed a dialog or opened
 * one under the pointer: then the order of the windows at the press counts.
 */
function findMet(before: Moment, asked: Window | undefined, now: Moment, point: Point): Window | undefined {
  const has = ({ windows }: Moment, { id }: Window): boolean => windows.some((one) => one.id === id);
  const isShown = ({ bounds, state }: Window): boolean => containsPoint(bounds, point) && !state.includes("minimised");
  const top = before.windows.filter(isShown).toSorted((a, b) => a.zOrder - b.zOrder)[0];
  const isLate = asked !== undefined && !has(before, asked);
  if (top !== undefined && (isLate || !has(now, top))) return top;
  return before.windows.find(({ id }) => id === asked?.id) ?? asked;
}

function isNear(a: Point, b: Point, px: number): boolean {
  return Math.abs(a.x - b.x) <= px && Math.abs(a.y - b.y) <= px;
}

export function isPress(seen: Seen | undefined): seen is Seen<Press> {
  return seen?.input.kind === "press" || seen?.input.kind === "release";
}

export function isTurn(seen: Seen | undefined): seen is Seen<Turn> {
  return seen?.input.kind === "wheel";
}
