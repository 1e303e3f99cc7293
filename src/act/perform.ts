import { makeDemoTarget } from "../find/demo-target.ts";
import { enterField, locateOne, type Sighting } from "../find/locate.ts";
import { withMap } from "../find/read.ts";
import type { Command } from "../model/command.ts";
import { type Effect, type PassedOver, undelivered } from "../model/effect.ts";
import type { Element } from "../model/element.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { nameElement } from "../model/observed.ts";
import type { Aim } from "../model/order.ts";
import { attachMarks } from "../model/view.ts";
import { Attempt } from "./attempt.ts";
import type { ActRequest, GatedDesktop } from "./desktop.ts";
import { Inputs } from "./inputs.ts";
import { admitShortfall, confirm, type Judge, type Judgement, openStates } from "./judge.ts";
import { leaveOutValues } from "./present.ts";
import { refuseUnusable } from "./readiness.ts";
import { verify } from "./verify.ts";
import type { Way } from "./ways.ts";

/** A plan for an order on one control. */
export interface Intent {
  readonly chain: readonly Way[];
  /** Called before the action; the returned function judges the effect. */
  judge(attempt: Attempt): Judge | Promise<Judge>;
  /** Why nothing needs to be done; undefined otherwise. */
  findDone?(element: Element, attempt: Attempt): string | undefined | Promise<string | undefined>;
  /** Whether repeating it is harmless: a way without effect is then followed by the next one. */
  readonly isRepeatable: boolean;
  /** The command it amounts to, which the guard judges before anything is prepared. */
  foresee?(element: Element): Command;
  /** Whether the effect may be invisible. */
  readonly isQuiet?: boolean;
}

type Request = Omit<ActRequest, "aim" | "order"> & {
  readonly aim: Aim;
  /** Whether it sends keys, which a drop-down list leaves to the field in it. */
  readonly isByKeys?: boolean;
};

/** Carries out a plan on one control and reports the effect. */
export function perform(
  desktop: GatedDesktop,
  request: Request,
  plan: (element: Element) => Result<Intent>,
): Promise<Result<Effect>> {
  return withMap(async () => {
    const found = await locateOne(desktop, request.aim, request);
    if (!found.ok) return found;
    const meant = request.isByKeys === true ? enterField(desktop, found.value) : found.value;
    const sighting = await showToObserver(desktop, request, meant);
    if (!sighting.ok) return sighting;
    const intent = plan(sighting.value.placed.element);
    if (!intent.ok) return intent;
    const own = sighting.value.snapshot.windows.map(({ window }) => window);
    const watch = await desktop.platform.watch(own, request.timeoutMs);
    if (!watch.ok) return watch;
    try {
      const inputs = new Inputs(desktop.marks, own, watch.value);
      const isJudged = !request.isDryRun && request.isUnverified !== true;
      if (isJudged && (await inputs.waitOutEarlier())) return await perform(desktop, request, plan);
      const attempt = new Attempt(desktop, request.tool, request.aim, request, sighting.value, watch.value, inputs);
      return await carryOut(attempt, intent.value, request);
    } finally {
      watch.value.close();
    }
  });
}

/** If an observer took a picture first, finds the control again: it may have changed meanwhile. */
async function showToObserver(desktop: GatedDesktop, request: Request, found: Sighting): Promise<Result<Sighting>> {
  const { element } = found.placed;
  const own = { tool: request.tool, window: found.read.window, element };
  const hasWaited = !request.isDryRun && (await desktop.gate.showBefore?.(own)) === true;
  if (!hasWaited) return succeed(found);
  const mark = found.numbers.get(element.handle);
  return locateOne(desktop, mark === undefined ? request.aim : { by: "mark", mark }, request);
}

async function carryOut(attempt: Attempt, intent: Intent, request: Request): Promise<Result<Effect>> {
  const done = await intent.findDone?.(attempt.element, attempt);
  if (done !== undefined) return succeed(describeEffect(attempt, "nothing needed", [], confirm(done), true));
  const unusable = await refuseUnusable(attempt);
  if (unusable !== undefined) return fail(unusable);
  const foreseen = request.isDryRun ? undefined : intent.foresee?.(attempt.element);
  const judged = foreseen && (await attempt.foresee(foreseen));
  if (judged?.ok === false) return judged;
  const passedOver: PassedOver[] = [];
  let last: Effect | undefined;
  let isTakenBack = false;
  for (const way of intent.chain) {
    const unfit = isTakenBack && way.name !== "pointer" ? "it was set back" : way.refuse?.(attempt.element);
    if (unfit !== undefined) {
      passedOver.push({ way: way.name, why: unfit });
      continue;
    }
    if (request.isDryRun) {
      return succeed(describeEffect(attempt, way.name, passedOver, { verdict: "would", evidence: [] }, true));
    }
    const tried = await tryWay(attempt, way, intent, passedOver, request);
    if (tried.ok) last = tried.value;
    if (!tried.ok && !mayContinue(attempt, tried.failure)) return tried;
    if (tried.ok && attempt.isHalfDone && (await takeBack(attempt, way))) {
      isTakenBack = true;
      passedOver.push({ way: way.name, why: "it turned the control on, and nothing opened" });
      continue;
    }
    if (tried.ok && !(intent.isRepeatable && tried.value.verdict === "no-change")) return tried;
    passedOver.push({ way: way.name, why: tried.ok ? "it had no effect" : tried.failure.message });
  }
  return last === undefined ? fail(describeUnsupported(attempt, request.tool, passedOver)) : succeed(last);
}

const takeBackMs = 1500;

/** Sets a control back that is pressed and has opened nothing, so that the pointer can press it. */
async function takeBack(attempt: Attempt, way: Way): Promise<boolean> {
  if (way.isReversible !== true || !(await way.take(attempt)).ok) return false;
  const { element, desktop, timeoutMs } = attempt;
  const isBack = await attempt.waitUntil(takeBackMs, async () => {
    const now = await desktop.platform.glimpse(element, timeoutMs);
    const states = now.ok ? now.value?.states : undefined;
    return states !== undefined && openStates.every((state) => states.has(state) === element.states.has(state));
  });
  if (isBack) attempt.preparations.push(`${way.name} had opened nothing and was taken back`);
  return isBack;
}

/** If the control does not support a way and nothing was done, the next one may be tried. */
function mayContinue({ isDelivered }: Attempt, { code }: Failure): boolean {
  return code === "PATTERN_UNSUPPORTED" && !isDelivered;
}

async function tryWay(
  attempt: Attempt,
  way: Way,
  intent: Intent,
  passedOver: readonly PassedOver[],
  request: Request,
): Promise<Result<Effect>> {
  const judge = await intent.judge(attempt);
  // From here on, every sign may belong to the effect.
  attempt.watch.take();
  const taken = await way.take(attempt);
  if (!taken.ok) return fail(attempt.addDone(taken.failure));
  const situation = {
    before: attempt.sighting,
    handle: attempt.element.handle,
    watch: attempt.watch,
    inputs: attempt.inputs,
    early: attempt.early,
    isQuiet: intent.isQuiet ?? false,
  };
  const verified = await verify(attempt.desktop, situation, judge, request);
  if (!verified.ok) return verified;
  const { changes: shown } = verified.value;
  const judgement = admitShortfall(verified.value.judgement, attempt.shortfall);
  // What was meant for a secret field may have gone into another one: its value must not be shown there either.
  const changes = attempt.element.states.has("secret") ? leaveOutValues(shown) : shown;
  return succeed({ ...describeEffect(attempt, way.name, passedOver, judgement, intent.isRepeatable), changes });
}

function describeEffect(
  attempt: Attempt,
  way: string,
  passedOver: readonly PassedOver[],
  { verdict, evidence }: Judgement,
  isRepeatable: boolean,
): Effect {
  const { element, window, sighting, isDelivered } = attempt;
  return {
    ...undelivered,
    verdict,
    intent: attempt.tool,
    target: {
      element: attachMarks({ ...element, children: [] }, sighting.numbers),
      window,
      words: nameElement(element),
    },
    ...(verdict === "would" ? {} : { aimed: makeDemoTarget(sighting.snapshot, element, window) }),
    way,
    passedOver,
    evidence: [...attempt.preparations, ...evidence],
    isDelivered,
    // Even if nothing shows, something may have been done: a box that does not report its state is pressed again.
    isRetrySafe: !isDelivered || (isRepeatable && verdict !== "unverified"),
  };
}

function describeUnsupported(attempt: Attempt, tool: string, passedOver: readonly PassedOver[]): Failure {
  const { element } = attempt;
  const [only] = passedOver.length === 1 ? passedOver : [];
  const failure = attempt.describe(
    "PATTERN_UNSUPPORTED",
    only === undefined ? `${nameElement(element)} has no way to ${tool}` : `${nameElement(element)}: ${only.why}`,
    attempt.suggestLooking(),
  );
  return { ...failure, nearest: passedOver.map(({ way, why }) => `${way}: ${why}`) };
}
