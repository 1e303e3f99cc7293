import { lookWhere, type ReadOptions, recognise } from "../find/read.ts";
import { type Changes, noChanges } from "../model/effect.ts";
import { flatten } from "../model/element.ts";
import { type Result, succeed } from "../model/failure.ts";
import { listElements } from "../model/snapshot.ts";
import { isSeenSource } from "../model/source.ts";
import { traced } from "../model/trace.ts";
import type { Window } from "../model/window.ts";
import type { Sign, Watch } from "../sources/port.ts";
import { compare, isReadWhole, type Seen } from "./compare.ts";
import type { ActOptions, GatedDesktop } from "./desktop.ts";
import { isForetold } from "./foretold.ts";
import type { Inputs } from "./inputs.ts";
import { isSilent, type Judge, type Judgement, judgeBriefSilence, judgeSilence, type Observation } from "./judge.ts";
import { presentChanges } from "./present.ts";
import { stillMs, Tempers } from "./tempers.ts";

/** How long everything must be still for a read to count as final. */
const quietMs = 40;
/** An application may act a moment after it has confirmed the action. */
const momentMs = 8;
/** How long to wait for the first sign; most come within a tenth of it. With all the rest, a denial takes 700 ms. */
const firstSignMs = 550;
const quietSignMs = 60;
/** An application whose last read took longer is slow to react, too, or the machine is busy: its silence says less. */
const slowReadMs = 150;
/** The longest wait for stillness before a read. */
const unrestMs = 400;
const animationMs = 120;
/** A dialog that closes clears its lists first, and may look at the disk in between. */
const closingMs = 120;
/** How long the effect may still come while signs keep arriving. */
const patienceMs = 4000;

export interface Verified {
  readonly judgement: Judgement;
  readonly changes: Changes;
}

export interface Situation {
  readonly before: Seen;
  /** The target's handle; undefined for a point or the keyboard. */
  readonly handle: string | undefined;
  readonly watch: Watch;
  readonly inputs: Inputs;
  /** Signs that arrived during the command. */
  readonly early: readonly Sign[];
  /** Whether the effect may be invisible, such as the pointer's position. */
  readonly isQuiet: boolean;
}

const unverified: Verified = {
  judgement: { verdict: "unverified", evidence: ["nobody looked for its effect, as was asked for"] },
  changes: noChanges,
};

/**
 * Reads again until the judge confirms the effect or nothing changes any more; waits for signs and for stillness. A
 * confirmation may come from the mirror, which was read from the application. A denial needs a fresh read.
 */
export async function verify(
  desktop: GatedDesktop,
  situation: Situation,
  judge: Judge,
  options: ReadOptions & Pick<ActOptions, "isUnverified" | "foretold">,
): Promise<Result<Verified>> {
  if (options.isUnverified === true) return succeed(unverified);
  const { watch } = situation;
  const startedAt = performance.now();
  const { crossing } = situation.inputs;
  const signs = [...situation.early];
  const tempers = new Tempers(desktop, watch, crossing);
  let isFirst = true;
  /** How long the first read took: a busy application also reacts so much later. */
  let answerMs = 0;
  let last = situation.before;
  let [untaken] = situation.early;
  let isSettled = false;
  /** Only once: reading may itself cause reports. */
  let isResumed = false;
  let lastDrawnAt = Number.NEGATIVE_INFINITY;
  /** How long what may have changed by itself still has to be watched. */
  let watchMs = 0;
  // What is foretold shortens the wait: the turn is held meanwhile.
  const briefMs = Math.max(Math.min(options.foretold?.silenceMs ?? 0, firstSignMs), situation.inputs.reactionMs);
  /** Whether all is still as a recording foretells: nothing has come of it. */
  let isBrief = options.foretold?.silenceMs !== undefined;
  for (;;) {
    const endAt = startedAt + (isBrief ? briefMs : patienceMs + (watchMs > 0 ? stillMs : 0));
    // After other input, the first read tells what is the effect of this one.
    const isAtOnce = isFirst && crossing !== undefined && !isBrief;
    const silenceMs = isBrief ? briefMs : situation.isQuiet ? quietSignMs : firstSignMs;
    const longest = isAtOnce ? crossing.reactionMs : watchMs || silenceMs;
    const sign = untaken ?? (await watch.waitForSign(Math.max(1, Math.min(longest, endAt - performance.now()))));
    let isOver = !isAtOnce && (sign === undefined || performance.now() > endAt);
    // The first read is taken early: an effect that is already there need not be waited for.
    if (watchMs > 0 && !isOver) await settle(watch);
    else if (!isOver && !isSettled) await watch.waitForStillness(momentMs, animationMs, "told");
    const drawn = watch.take();
    signs.push(...drawn);
    if (drawn.length > 0) lastDrawnAt = performance.now();
    const isPrompt = isFirst || performance.now() < startedAt + (crossing?.reactionMs ?? 0) + answerMs;
    const readAt = performance.now();
    const seen = await traced(
      "read",
      () => ["verify"],
      () => lookAgain(desktop, situation, { ...options, isAnew: isOver }),
    );
    if (!seen.ok) return seen;
    const readMs = performance.now() - readAt;
    if (isFirst) answerMs = readMs;
    isFirst = false;
    const isSlow = readMs > slowReadMs && !situation.isQuiet;
    const since = watch.take();
    signs.push(...since);
    untaken = since.find(isNews);
    tempers.note(last, seen.value, drawn.length > 0, isPrompt);
    last = seen.value;
    const observation = observe(situation, seen.value, tempers, signs);
    let judgement = await judge(observation);
    if (judgement?.doubtful !== undefined && tempers.recall(situation.before, seen.value, judgement.doubtful)) {
      judgement = await judge(observation);
    }
    if (isForetold(judgement?.doubtful ?? [], observation.comparison, options.foretold?.changed)) {
      judgement = judgement && { ...judgement, doubtful: undefined };
    }
    if (isBrief && (judgement !== undefined || isSlow || !isSilent(observation))) [isBrief, isOver] = [false, false];
    const settled = judgement?.doubtful === undefined ? judgement : undefined;
    const isToWatch = judgement?.doubtful !== undefined && options.foretold?.isUnproven !== true;
    watchMs = isToWatch ? tempers.leftMs(judgement?.doubtful ?? []) : 0;
    if (watchMs > 0 && performance.now() < startedAt + patienceMs + stillMs) {
      [untaken] = since;
      continue;
    }
    const isConfirmed = settled?.verdict === "confirmed";
    // A window may have opened or closed since that read.
    const late = watch.take();
    signs.push(...late);
    untaken ??= late.find(isNews);
    const mayClose = isClosing(observation, judgement?.isIndirect === true);
    const isNewsToIt = ({ handle }: Sign): boolean => settled?.isAsked !== true || handle !== situation.handle;
    const isAfter = isComplete(observation, [...since, ...late].filter(isNewsToIt)) && !mayClose;
    // A busy application may report its reaction only while it is read for the last time.
    const isUnsure = isOver && !isConfirmed && !isResumed && performance.now() < endAt;
    if (isUnsure && (isSlow || untaken !== undefined)) {
      isResumed = true;
      continue;
    }
    // A negative verdict waits until nothing more can come.
    if (isOver || (isConfirmed && (isSettled || isAfter))) {
      const changes = presentChanges(desktop, situation.before, seen.value);
      // Silence would have ended it sooner.
      situation.inputs.conclude(isConfirmed || isBrief);
      if (isBrief) return succeed({ judgement: judgeBriefSilence(observation), changes });
      const isStillDrawing = performance.now() > endAt && performance.now() - lastDrawnAt < firstSignMs;
      return succeed({ judgement: settled ?? judgeSilence(observation, isStillDrawing), changes });
    }
    if (isConfirmed) {
      // Something is still opening or closing, or changed during the read: read once more when it is still.
      if (mayClose) await watch.waitForStillness(closingMs, unrestMs, "told");
      await settle(watch);
      isSettled = true;
      untaken ??= { source: "view", handle: undefined };
    }
  }
}

/** Pixels alone may be an animation; what the mirror processed during a read is part of that read. */
function isNews({ source }: Sign): boolean {
  return source !== "pixels" && source !== "view";
}

/** What opens is filled step by step; a mere change is complete if no sign arrived during the read. */
function isComplete({ comparison }: Observation, since: readonly Sign[]): boolean {
  const isOpening = comparison.appeared.length > 0 || comparison.openedWindows.length > 0;
  return !isOpening && !since.some(isNews);
}

/** Whether a dialog that had the keyboard may be about to close: all else may be part of that, or the focus left it. */
function isClosing({ before, after }: Observation, isIndirect: boolean): boolean {
  const dialog = before.snapshot.windows.find(({ window }) => window.isFocused && window.ownerId !== undefined)?.window;
  if (dialog === undefined || after.snapshot.all.every(({ id }) => id !== dialog.id)) return false;
  const others = after.snapshot.windows.filter(({ window }) => window.id !== dialog.id);
  return isIndirect || listElements(others).some(({ states }) => states.has("focused"));
}

/** Waits for stillness. If only pixels keep changing, that is an endless animation and does not count. */
async function settle(watch: Watch): Promise<void> {
  if (!(await watch.waitForStillness(quietMs, animationMs))) await watch.waitForStillness(quietMs, unrestMs, "told");
}

/** Reads the same windows, and those that the same applications have opened since. */
async function lookAgain(
  { platform, marks }: GatedDesktop,
  { before }: Situation,
  options: ReadOptions,
): Promise<Result<Seen>> {
  const { includeHidden, vision } = before.snapshot;
  const snapshot = await lookWhere(platform, isConcerned(before), { ...options, includeHidden, vision });
  if (!snapshot.ok) return snapshot;
  return succeed({ snapshot: snapshot.value, numbers: recognise(marks, snapshot.value, new Set()) });
}

function isConcerned({ snapshot }: Seen): (window: Window) => boolean {
  const ids = new Set(snapshot.windows.map(({ window }) => window.id));
  const pids = new Set(snapshot.windows.map(({ window }) => window.pid).filter((pid) => pid !== 0));
  const old = new Set(snapshot.all.map(({ id }) => id));
  return ({ id, pid }) => ids.has(id) || (!old.has(id) && pids.has(pid));
}

function observe({ before, handle }: Situation, after: Seen, tempers: Tempers, signs: readonly Sign[]): Observation {
  const reads = after.snapshot.windows;
  const elements = listElements(reads);
  const mark = handle === undefined ? undefined : before.numbers.get(handle);
  const isTarget = (id: string): boolean => id === handle || (mark !== undefined && after.numbers.get(id) === mark);
  const target = handle === undefined ? undefined : elements.find((element) => isTarget(element.handle));
  const wasReadable = before.snapshot.windows.some(({ root }) => root !== undefined);
  return {
    comparison: compare(before, after),
    temperOf: (part) => tempers.find(part),
    isForeign: (part) => tempers.isForeign(part),
    before,
    after,
    target,
    isTargetGone: target === undefined && isGone(before, after, handle),
    isRepainted: signs.some(({ source }) => source === "pixels"),
    isPictured: elements.some(({ source }) => isSeenSource(source)),
    hasPopup: signs.some(({ source }) => source === "menu"),
    isReadable: wasReadable && (reads.length === 0 || reads.some(({ root }) => root !== undefined)),
  };
}

/** A control is gone if its window is, or if the window was read completely without it. */
function isGone(before: Seen, after: Seen, handle: string | undefined): boolean {
  const held = before.snapshot.windows.find(({ root }) => {
    return root !== undefined && flatten([root]).some((element) => element.handle === handle);
  });
  if (held === undefined) return false;
  if (after.snapshot.all.every(({ id }) => id !== held.window.id)) return true;
  const read = after.snapshot.windows.find(({ window }) => window.id === held.window.id);
  return read !== undefined && isReadWhole(read);
}
