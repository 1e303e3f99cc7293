import { locateOne, type Sighting } from "../find/locate.ts";
import { type Patience, withMap } from "../find/read.ts";
import type { WindowQuery } from "../find/select.ts";
import type { Command } from "../model/command.ts";
import { type Effect, noChanges, type PassedOver } from "../model/effect.ts";
import type { Element } from "../model/element.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import type { Aim } from "../model/order.ts";
import { attachMarks } from "../model/view.ts";
import { leaveOutValues, presentChanges } from "./changes.ts";
import type { GatedDesktop } from "./desktop.ts";
import { confirm, type Judge, type Judgement } from "./judge.ts";
import { refuseUnusable } from "./readiness.ts";
import { Stage } from "./stage.ts";
import { verify } from "./verify.ts";
import type { Way } from "./ways.ts";
import { nameElement } from "./words.ts";

/** What is wanted of one control. */
export interface Intent {
  readonly chain: readonly Way[];
  /** Judges the effect; it is given the control as it was. */
  judge(stage: Stage): Judge | Promise<Judge>;
  /** What shows that nothing has to be done. */
  findDone?(element: Element): string | undefined;
  /** Doing it again does no harm: then a way that had no effect is followed by the next one. */
  readonly isRepeatable: boolean;
  /** What it comes to, whatever has to be prepared for it: the guard is asked about that first. */
  foresee?(element: Element): Command;
  /** Nothing on the screen need tell of its effect. */
  readonly isQuiet?: boolean;
}

export interface Request extends WindowQuery, Patience {
  /** What the tool calls it. */
  readonly tool: string;
  readonly aim: Aim;
  readonly isDryRun: boolean;
}

/** Does one thing to one control, and says what came of it. */
export function perform(
  desktop: GatedDesktop,
  request: Request,
  plan: (element: Element) => Result<Intent>,
): Promise<Result<Effect>> {
  return withMap(async () => {
    const found = await locateOne(desktop, request.aim, request);
    if (!found.ok) return found;
    const sighting = await lookAfterOthers(desktop, request, found.value);
    if (!sighting.ok) return sighting;
    const intent = plan(sighting.value.placed.element);
    if (!intent.ok) return intent;
    const own = sighting.value.sight.snapshot.windows.map(({ window }) => window);
    const watch = await desktop.platform.watch(own, request.timeoutMs);
    if (!watch.ok) return watch;
    try {
      const stage = new Stage(desktop, request.tool, request.aim, request, sighting.value, watch.value);
      return await carryOut(stage, intent.value, request);
    } finally {
      watch.value.close();
    }
  });
}

/** Who looks on was waited for: what is there now is what is worked on. */
async function lookAfterOthers(desktop: GatedDesktop, request: Request, found: Sighting): Promise<Result<Sighting>> {
  const { element } = found.placed;
  const own = { tool: request.tool, window: found.read.window, element };
  const hasWaited = !request.isDryRun && (await desktop.gate.showBefore?.(own)) === true;
  if (!hasWaited) return succeed(found);
  const mark = found.numbers.get(element.handle);
  return locateOne(desktop, mark === undefined ? request.aim : { by: "mark", mark }, request);
}

async function carryOut(stage: Stage, intent: Intent, request: Request): Promise<Result<Effect>> {
  const done = intent.findDone?.(stage.element);
  if (done !== undefined) return succeed(describeEffect(stage, "nothing needed", [], confirm(done), true));
  const unusable = refuseUnusable(stage);
  if (unusable !== undefined) return fail(unusable);
  const foreseen = request.isDryRun ? undefined : intent.foresee?.(stage.element);
  const judged = foreseen && (await stage.foresee(foreseen));
  if (judged?.ok === false) return judged;
  const passedOver: PassedOver[] = [];
  let last: Effect | undefined;
  for (const way of intent.chain) {
    const unfit = way.refuse(stage.element);
    if (unfit !== undefined) {
      passedOver.push({ way: way.name, why: unfit });
      continue;
    }
    if (request.isDryRun) {
      return succeed(describeEffect(stage, way.name, passedOver, { verdict: "refused", evidence: [] }, true));
    }
    const tried = await tryWay(stage, way, intent, passedOver, request);
    if (tried.ok) last = tried.value;
    if (!tried.ok && !mayGoOn(stage, tried.failure)) return tried;
    if (tried.ok && !(intent.isRepeatable && tried.value.verdict === "no-change")) return tried;
    passedOver.push({ way: way.name, why: tried.ok ? "it had no effect" : tried.failure.message });
  }
  return last === undefined ? fail(describeUnsupported(stage, request.tool, passedOver)) : succeed(last);
}

/** A way that the control turns out not to support did nothing: the next may be tried. */
function mayGoOn({ isDelivered }: Stage, { code }: Failure): boolean {
  return code === "PATTERN_UNSUPPORTED" && !isDelivered;
}

async function tryWay(
  stage: Stage,
  way: Way,
  intent: Intent,
  passedOver: readonly PassedOver[],
  request: Request,
): Promise<Result<Effect>> {
  const judge = await intent.judge(stage);
  // From here on every sign may be one of the effect.
  stage.watch.take();
  const taken = await way.take(stage);
  if (!taken.ok) return fail(stage.tellDone(taken.failure));
  const { sighting, watch } = stage;
  const before = { sight: sighting.sight, numbers: sighting.numbers };
  const situation = {
    before,
    handle: stage.element.handle,
    watch,
    early: stage.early,
    isQuiet: intent.isQuiet ?? false,
  };
  const verified = await verify(stage.desktop, situation, judge, request);
  if (!verified.ok) return verified;
  const { judgement, comparison, after } = verified.value;
  const shown = presentChanges(stage.desktop, comparison, before, after);
  // What was meant for a secret field may have gone elsewhere: then it is not told there either.
  const changes = stage.element.states.has("secret") ? leaveOutValues(shown) : shown;
  return succeed({ ...describeEffect(stage, way.name, passedOver, judgement, intent.isRepeatable), changes });
}

function describeEffect(
  stage: Stage,
  way: string,
  passedOver: readonly PassedOver[],
  { verdict, evidence }: Judgement,
  isRepeatable: boolean,
): Effect {
  const { element, window, sighting, isDelivered } = stage;
  return {
    verdict,
    intent: stage.tool,
    target: {
      element: attachMarks({ ...element, children: [] }, sighting.numbers),
      window,
      words: nameElement(element),
    },
    way,
    passedOver,
    evidence: [...stage.preparations, ...evidence],
    changes: noChanges,
    isDelivered,
    // Also where nothing showed, something may have been done.
    isRetrySafe: !isDelivered || isRepeatable,
  };
}

function describeUnsupported(stage: Stage, tool: string, passedOver: readonly PassedOver[]): Failure {
  const { element } = stage;
  const [only] = passedOver.length === 1 ? passedOver : [];
  const failure = stage.describe(
    "PATTERN_UNSUPPORTED",
    only === undefined ? `${nameElement(element)} has no way to ${tool}` : `${nameElement(element)}: ${only.why}`,
    "deskmap at X Y tells what a control offers.",
  );
  return { ...failure, nearest: passedOver.map(({ way, why }) => `${way}: ${why}`) };
}
