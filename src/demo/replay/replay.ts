import type { CallReply, Host } from "../../host/port.ts";
import { messageOf } from "../../model/caught.ts";
import { exitCodeOf, type Failure, hasDoneNothing, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { cleanLine } from "../../model/plain-text.ts";
import { describeStep } from "../describe.ts";
import { describeWithDoubts, listOpenDoubts, refuseDoubtful } from "../doubts.ts";
import type { Demo, Step } from "../file.ts";
import { fillInput, fillRef, listPlaceholders, type Values } from "../parameters.ts";
import { isEffect, isNamed, isSimilarTitle, type SeenWindow } from "./answers.ts";
import { Asking, type ReplayHost } from "./asking.ts";
import { checkTree } from "./check-tree.ts";
import { type Comparison, compareEffect } from "./compare.ts";
import { findSilence, findStranger, listForetold, type Unwatched } from "./foretell.ts";
import { findRelaxed, proposeRef } from "./heal.ts";
import { readLinks } from "./links.ts";
import { pictureStop } from "./look.ts";
import { describeObstacles } from "./obstacles.ts";
import type { Proposal, ReplayReport, StepOutcome, Stop } from "./report.ts";
import { type Aimed, findTarget, type TargetQuery } from "./target.ts";
import { describeSteps, suggestWayOn } from "./way-on.ts";

export interface ReplayOptions {
  readonly host: ReplayHost;
  readonly values: Values;
  /** The first and the last step, from 1. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly isDry?: boolean | undefined;
  /** Steps that are known by their point only; "unseen" also where no picture tells what was there. */
  readonly allowsCoordinates?: boolean | "unseen" | undefined;
  /** Whether a person vouches for steps that were recorded with a doubt. Who is asked before each step does so by the answer. */
  readonly allowsDoubtful?: boolean | undefined;
  /** The folder of the demo's pictures. */
  readonly pictures?: string | undefined;
  /** Whether a stop comes with a picture of the window. */
  readonly picturesStop?: boolean | undefined;
  /** Whether steps keep the recorded distance in time. */
  readonly isPaced?: boolean | undefined;
  /** How long a step waits for what it needs (10 s). */
  readonly timeoutMs?: number | undefined;
  readonly isTyped?: boolean | undefined;
  readonly turn?: string | undefined;
  /** With it, controls that are found otherwise than recorded get a new ref proposed. */
  readonly recall?: Host["recall"] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each step; "end" stops there. */
  readonly onBefore?: ((n: number, count: number, words: string) => Promise<"do" | "skip" | "end"> | "do") | undefined;
  readonly onDone?: ((outcome: StepOutcome) => void) | undefined;
}

const defaultTimeoutMs = 10_000;
const interrupted = "it was interrupted";

export async function replay(demo: Demo, options: ReplayOptions): Promise<ReplayReport> {
  return new Replaying(demo, options).run();
}

/** What one step came to: it is done, or the replay stops. */
type Came =
  | { readonly state: "done" | "would" | "not-there"; readonly verdict?: string; readonly notes: readonly string[] }
  | {
      readonly state: "stopped";
      readonly failure: Failure;
      readonly exitCode: number;
      readonly notes: readonly string[];
    };

class Replaying {
  private readonly asking: Asking;
  private readonly outcomes: StepOutcome[] = [];
  private readonly proposals: Proposal[] = [];
  private readonly opened = new Map<number, readonly SeenWindow[]>();
  private values: Values;
  private delivered = 0;
  private unwatched: Unwatched | undefined;

  constructor(
    private readonly demo: Demo,
    private readonly options: ReplayOptions,
  ) {
    const { host, signal, isTyped, turn, timeoutMs = defaultTimeoutMs } = options;
    this.asking = new Asking(host, { signal, isTyped, turn, timeoutMs });
    this.values = options.values;
  }

  async run(): Promise<ReplayReport> {
    const { from = 1, to = this.demo.steps.length } = this.options;
    const startedAt = performance.now();
    const firstMs = this.demo.steps[from - 1]?.after_ms ?? 0;
    let stop: Stop | undefined;
    for (let n = from; n <= to && stop === undefined; n += 1) {
      const step = this.demo.steps[n - 1];
      if (step === undefined) break;
      if (this.options.isPaced === true) await this.keepPace(startedAt + (step.after_ms ?? 0) - firstMs);
      stop = await this.take(n, step, to);
    }
    const tookMs = Math.round(performance.now() - startedAt);
    const { proposals, delivered, outcomes: steps } = this;
    return { demo: this.demo.name, from, to, steps, stop, tookMs, delivered, proposals };
  }

  private async take(n: number, step: Step, to: number): Promise<Stop | undefined> {
    const words = describeStep(step, this.values);
    const beganAt = performance.now();
    const choice = this.asking.isEnded
      ? "end"
      : ((await this.options.onBefore?.(n, to, describeWithDoubts(words, step))) ?? "do");
    const note = (state: StepOutcome["state"], notes: readonly string[] = [], verdict?: string): void => {
      const outcome = { n, words, state, verdict, notes, tookMs: Math.round(performance.now() - beganAt) };
      this.outcomes.push(outcome);
      this.options.onDone?.(outcome);
    };
    if (choice === "skip") {
      note("skipped");
      return undefined;
    }
    const before = this.delivered;
    const came: Came =
      choice === "end" ? this.stopAt(makeFailure("CANCELLED", interrupted)) : await this.carryOut(n, step);
    note(came.state, came.notes, came.state === "done" ? came.verdict : undefined);
    if (came.state !== "stopped") return undefined;
    const isTouched = this.delivered > before;
    const message = [came.failure.message, ...(await this.listObstacles(step, came.failure))].join("\n");
    const failure = { ...came.failure, message, ...this.describeWayOn(n, came.failure, isTouched) };
    return { n, words, failure, exitCode: came.exitCode, ...(await this.pictureStop(step)) };
  }

  private async pictureStop(step: Step): Promise<Pick<Stop, "pictures" | "tree">> {
    if (this.options.picturesStop !== true || this.asking.isEnded) return {};
    try {
      return await pictureStop(this.asking, step, this.values, this.options.pictures);
    } catch {
      // Without a connection there is no picture.
      return {};
    }
  }

  /** What was done so far, and how to go on. */
  private describeWayOn(n: number, failure: Failure, isTouched: boolean): Pick<Failure, "done" | "suggestion"> {
    const before = this.outcomes.filter(({ state }) => state === "done").map((one) => one.n);
    const own = isTouched ? `step ${n} may have been done` : `step ${n} was not done`;
    const told = before.length === 0 ? `${own}.` : `${describeSteps(before)} done; ${own}.`;
    const done = before.length === 0 && !isTouched ? failure.done : told;
    return { done, suggestion: suggestWayOn(n, this.demo.steps.length, failure, isTouched) };
  }

  /** What is in the way, a line each. Nobody but a person may close it. */
  private async listObstacles(step: Step, failure: Failure): Promise<readonly string[]> {
    if (this.options.isDry === true || this.asking.isEnded) return [];
    try {
      const found = await describeObstacles(this.asking, { demo: this.demo, step, values: this.values }, failure);
      return found.map((one) => `in the way: ${one}; it was not closed`);
    } catch {
      // The connection is lost, which is what stopped it.
      return [];
    }
  }

  private async carryOut(n: number, step: Step): Promise<Came> {
    if (step.effect?.verdict === "wrong-target") {
      const message = "something else than its target reacted when this step was recorded";
      return this.stopAt(makeFailure("FAILED", message, "record it again, or take the step out."));
    }
    const { isDry = false, allowsDoubtful = false, onBefore } = this.options;
    const doubt = isDry || allowsDoubtful || onBefore !== undefined ? undefined : refuseDoubtful(step);
    if (doubt !== undefined) return this.stopAt(doubt);
    try {
      return await this.attempt(n, step);
    } catch (error) {
      // The connection to the host is lost: nobody knows what came of the call under way.
      this.delivered += 1;
      const done = "a part of it may have been done.";
      return this.stopAt(makeFailure("FAILED", messageOf(error), undefined, { done }));
    }
  }

  private async attempt(n: number, step: Step): Promise<Came> {
    const { isDry = false, allowsCoordinates = false, pictures } = this.options;
    const query = {
      ...{ step, values: this.values, opened: this.opened, isNow: isDry, pictures },
      allowsCoordinates: allowsCoordinates !== false,
      comparesPictures: allowsCoordinates !== "unseen",
    };
    const target = await this.find(step, query);
    if (this.asking.isEnded) return this.stopAt(makeFailure("CANCELLED", interrupted));
    if (!target.ok) {
      if (isDry && n > (this.options.from ?? 1) && target.failure.code !== "REFUSED") {
        return { state: "not-there", notes: [cleanLine(target.failure.message)] };
      }
      return this.stopAt(target.failure);
    }
    const doubts = listOpenDoubts(step).map((doubt) => `recorded with a doubt: ${doubt}`);
    const aimed = { ...target.value, notes: [...target.value.notes, ...doubts] };
    return isDry ? this.plan(step, aimed) : this.act(n, step, aimed);
  }

  /** Of a ref that finds nothing, a part may still find its control, if it may be healed. */
  private async find(step: Step, query: TargetQuery): Promise<Result<Aimed>> {
    const target = await findTarget(this.asking, query);
    if (target.ok || this.options.recall === undefined || step.ref === undefined || step.tool === "drag") return target;
    if (target.failure.code !== "NOT_FOUND") return target;
    const located = await findRelaxed(this.asking, step, fillRef(step.ref, this.values));
    if (located === undefined) return target;
    return succeed({ aim: { id: located.id }, located, isRelaxed: true, notes: ["found by a part of its ref"] });
  }

  private async propose(n: number, step: Step, { isRelaxed = false }: Aimed, sinceMs: number, verdict: string) {
    const { recall } = this.options;
    if (recall === undefined || step.ref === undefined) return;
    const proposal = await proposeRef(recall, { n, ref: step.ref, sinceMs, verdict, isRelaxed });
    if (proposal !== undefined) this.proposals.push(proposal);
  }

  private async plan(step: Step, { aim, notes }: Aimed): Promise<Came> {
    const missing = Object.values(step.input)
      .flatMap(listPlaceholders)
      .filter((name) => !Object.hasOwn(this.values, name));
    if (missing.length > 0) return { state: "would", notes: [...notes, `it needs a value for ${missing.join(", ")}`] };
    if (step.tool === "wait" || step.tool === "expect") return { state: "would", notes };
    const reply = await this.asking.call(step.tool, { ...fillInput(step.input, this.values), ...aim, dryRun: true });
    return reply.failure === undefined ? { state: "would", notes } : this.stopAt(reply.failure);
  }

  private async act(n: number, step: Step, target: Aimed): Promise<Came> {
    const { aim, notes } = target;
    if (step.tree !== undefined) {
      const failure = await checkTree(this.asking, step, target, this.values);
      return failure === undefined ? { state: "done", notes } : this.stopAt(failure);
    }
    const sinceMs = Date.now();
    const input = { ...fillInput(step.input, this.values), ...aim };
    const silenceMs = findSilence(this.demo, n, this.options.to ?? this.demo.steps.length);
    const foretold = { silenceMs, ...listForetold(step, this.values) };
    const stranger = await this.lookForStrangers(n, step, silenceMs !== undefined);
    if (stranger !== undefined) return this.stopAt(makeFailure("FAILED", stranger));
    const reply = await this.asking.act(step.tool, input, step.app, foretold);
    if (reply.failure !== undefined) {
      if (!hasDoneNothing(reply.failure)) this.delivered += 1;
      return this.stopAt(reply.failure);
    }
    if (!isEffect(reply.data)) return this.judgeAnswer(step, reply, notes);
    const seen = reply.data;
    if (seen.delivered) this.delivered += 1;
    this.opened.set(n, seen.changes?.openedWindows ?? []);
    const { ref, app, tool } = step;
    const context = { ref, app, values: this.values, isTyped: tool === "type", isSame: this.isAsRecorded(step) };
    const doubts = await this.settle(step, compareEffect(step.effect, seen, context));
    const linked = readLinks(this.demo, n, seen);
    this.values = { ...this.values, ...linked.values };
    const [doubt] = [...doubts.doubts, ...linked.doubts];
    if (doubt === undefined) {
      await this.propose(n, step, target, sinceMs, seen.effect);
      // What already was as it was to become is not done again.
      const already = seen.delivered ? [] : (seen.evidence ?? []).slice(-1);
      return { state: "done", verdict: seen.effect, notes: [...notes, ...already, ...doubts.notes] };
    }
    const instead = (seen.evidence ?? []).slice(0, 4).map(cleanLine).join("; ");
    const told = instead === "" ? [] : [`what was seen instead: ${instead}`];
    const message = [`it went otherwise than in the recording: ${doubt}`, ...told].join("\n");
    const done = seen.delivered ? "the step was done." : undefined;
    const failure = makeFailure("FAILED", message, undefined, done === undefined ? {} : { done });
    return { state: "stopped", failure, exitCode: seen.delivered ? 4 : 1, notes };
  }

  /** A press of which nothing was expected is not watched for long: what it opened all the same is found before the next. */
  private async lookForStrangers(n: number, { app }: Step, isSilent: boolean): Promise<string | undefined> {
    const { unwatched } = this;
    if (unwatched === undefined && !isSilent) return undefined;
    const listed = await this.asking.listWindows(undefined);
    const windows = listed.ok ? listed.value : [];
    this.unwatched = isSilent && listed.ok ? { n, app, windows } : undefined;
    return unwatched && findStranger(unwatched, windows, this.demo.steps, this.values);
  }

  private isAsRecorded({ input }: Step): boolean {
    const names = Object.values(input).flatMap(listPlaceholders);
    return names.every((name) => this.values[name] === this.demo.parameters[name]?.default);
  }

  /** A step without an effect: a condition, or the clipboard. */
  private judgeAnswer(step: Step, reply: CallReply, notes: readonly string[]): Came {
    if (step.tool === "clipboard") this.delivered += 1;
    if (reply.exitCode === 0) return { state: "done", notes };
    const condition = String(fillInput(step.input, this.values).condition ?? step.tool);
    return this.stopAt(makeFailure("FAILED", `this does not hold: ${condition}`));
  }

  /** Waits for what the recording saw and the tool has not yet: a window that opens late is no doubt. */
  private async settle(step: Step, { unopened, unclosed, unseen, doubts, notes }: Comparison) {
    const late: string[] = [];
    if (doubts.length > 0) return { doubts, notes };
    for (const [titles, isWanted] of [[unopened, true] as const, [unclosed, false] as const]) {
      for (const title of titles) {
        const isSo = await this.awaitWindow(title, isWanted, step.app);
        if (!isSo) late.push(`the window "${title}" did not ${isWanted ? "open" : "close"}`);
      }
    }
    if (unseen.length > 0 && late.length === 0 && !(await this.awaitPart(step, unseen))) {
      const [first] = unseen;
      late.push(`${first?.role} "${first?.name}" did not appear`);
    }
    return { doubts: late, notes };
  }

  private async awaitWindow(title: string, isWanted: boolean, app: string | undefined): Promise<boolean> {
    const { isThere } = await this.asking.lookUntil(app, async () => {
      const windows = await this.asking.listWindows(undefined);
      const isOpen = windows.ok && windows.value.some((one) => isSimilarTitle(one.title, title));
      return { isThere: windows.ok && isOpen === isWanted, value: undefined };
    });
    return isThere;
  }

  private async awaitPart(step: Step, parts: Comparison["unseen"]): Promise<boolean> {
    const app = step.app ?? step.ref?.app;
    const refs = parts
      .slice(0, 3)
      .map((part) => fillRef({ ...part, ...(app === undefined ? {} : { app }) }, this.values));
    const { isThere } = await this.asking.lookUntil(app, async () => {
      for (const ref of refs) {
        const found = await this.asking.locate(ref);
        if (found.ok && isNamed(found.value, ref.name ?? "")) return { isThere: true, value: undefined };
      }
      return { isThere: false, value: undefined };
    });
    return isThere;
  }

  private stopAt(failure: Failure): Came {
    return { state: "stopped", failure, exitCode: exitCodeOf(failure.code), notes: [] };
  }

  private async keepPace(untilMs: number): Promise<void> {
    const { signal } = this.options;
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0 || signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, leftMs);
      const end = (): void => {
        clearTimeout(timer);
        resolve();
      };
      signal?.addEventListener("abort", end, { once: true });
    });
  }
}
