import { setSystemTime } from "bun:test";
import type { Approval } from "../../src/guard/approval/approver.ts";
import { describeDenied, describeUnasked } from "../../src/guard/approval/approver.ts";
import type { Gate, Request } from "../../src/guard/gate.ts";
import type { Guard } from "../../src/guard/guard.ts";
import type { Command } from "../../src/model/command.ts";
import { type Effect, undelivered } from "../../src/model/effect.ts";
import { fail, type Result, succeed } from "../../src/model/failure.ts";
import { dangerOf, type Kind, partsOf, toCommand, toFocus, toolOf, toRequest } from "./rule-actions.ts";
import type { App, RuleDesk } from "./rule-desk.ts";
import {
  isOverLimit,
  judge,
  type ModelAction,
  type ModelClient,
  type ModelGrant,
  type ModelPolicy,
  type World,
} from "./rule-model.ts";

/** The third gives itself the name of the first. */
export const clients: readonly ModelClient[] = [
  { name: "alpha", process: 0 },
  { name: "beta", process: 1 },
  { name: "alpha", process: 1 },
  { name: "stranger", process: 2 },
];

/** What happens in the middle of an action. */
export type Event = { readonly on: "stop" } | { readonly on: "focus"; readonly app: App } | undefined;

export interface Act {
  readonly do: "act";
  readonly client: number;
  /** Whether it is no part of the turn that its client may hold. */
  readonly isOutside: boolean;
  readonly kind: Kind;
  readonly app: App;
  readonly onto: App;
  /** Whether it is judged before it is prepared, as actions on controls are; then something may happen. */
  readonly isPlanned: boolean;
  readonly between: Event;
  readonly answer: "yes" | "no" | "nobody";
  /** While a person is asked. */
  readonly meanwhile: Event | { readonly on: "other"; readonly client: number };
  /** After the first part of a text. */
  readonly halfway: Event;
}

export type Step =
  | Act
  | { readonly do: "policy"; readonly policy: ModelPolicy | undefined }
  | { readonly do: "focus"; readonly app: App }
  | { readonly do: "stop" | "resume" | "end turn" | "end grants" }
  | { readonly do: "begin turn"; readonly client: number }
  | { readonly do: "wait"; readonly seconds: number }
  | {
      readonly do: "allow";
      readonly app?: App | undefined;
      readonly client?: number | undefined;
      readonly isNameOnly: boolean;
      readonly isSensitive: boolean;
      readonly minutes: number;
    };

/** Runs steps against the guard and the model; returns the first difference. */
export class Trial {
  private world: World = {
    policy: undefined,
    isStopped: false,
    holder: undefined,
    grants: [],
    doneAtMs: [],
    nowMs: startMs,
  };
  private held: { readonly guard: Guard; refresh(): Promise<unknown>; end(): Promise<void> } | undefined;
  readonly counts = { allowed: 0, asked: 0, refused: 0 };

  constructor(private readonly desk: RuleDesk) {
    setSystemTime(startMs);
  }

  async run(steps: readonly Step[]): Promise<string | undefined> {
    try {
      for (const [at, step] of steps.entries()) {
        const difference = await this.take(step);
        if (difference !== undefined) return `step ${at + 1}, ${JSON.stringify(step)}: ${difference}`;
      }
      return undefined;
    } finally {
      await this.held?.end();
      setSystemTime();
    }
  }

  private async take(step: Step): Promise<string | undefined> {
    const { desk } = this;
    switch (step.do) {
      case "policy":
        desk.setPolicy(step.policy);
        this.world = { ...this.world, policy: step.policy };
        return undefined;
      case "focus":
        desk.focus(step.app);
        return undefined;
      case "stop":
        // A stop ends every turn.
        await this.endTurn();
        return this.happen({ on: "stop" });
      case "resume":
        desk.resume();
        this.world = { ...this.world, isStopped: false };
        return undefined;
      case "wait":
        this.world = { ...this.world, nowMs: this.world.nowMs + step.seconds * 1000 };
        setSystemTime(this.world.nowMs);
        return undefined;
      case "allow":
        return this.allow(step);
      case "end grants":
        desk.endGrants();
        this.world = { ...this.world, grants: [] };
        return undefined;
      case "begin turn":
        return this.beginTurn(step.client);
      case "end turn":
        return this.endTurn();
      case "act":
        return this.act(step);
    }
  }

  private allow({ app, client, isNameOnly, isSensitive, minutes }: Extract<Step, { do: "allow" }>): undefined {
    const untilMs = this.world.nowMs + minutes * 60_000;
    const whose = client === undefined ? {} : { client: pick(clients, client) };
    const grant: ModelGrant =
      isNameOnly && client !== undefined
        ? { ...whose, isNameOnly, isSensitive: false, untilMs }
        : { ...whose, ...(app === undefined ? {} : { app }), isSensitive, untilMs };
    this.desk.allow(grant);
    this.world = { ...this.world, grants: [...this.world.grants, grant] };
  }

  private happen(event: Event): undefined {
    if (event?.on === "focus") this.desk.focus(event.app);
    if (event?.on !== "stop") return;
    this.desk.stop();
    this.world = { ...this.world, isStopped: true };
  }

  private async beginTurn(client: number): Promise<string | undefined> {
    if (this.held !== undefined) return undefined;
    const { guard, refresh } = await this.desk.openGuard(pick(clients, client));
    const begun = Promise.withResolvers<Guard>();
    const over = Promise.withResolvers<void>();
    const holding = guard.hold({ tool: "begin", isDryRun: false, timeoutMs: 0 }, async (held) => {
      begun.resolve(held);
      await over.promise;
      return succeed(undefined);
    });
    const first = await Promise.race([begun.promise, holding]);
    if ("ok" in first) return this.world.isStopped ? undefined : `no turn: ${JSON.stringify(first)}`;
    const end = async (): Promise<void> => {
      over.resolve();
      await holding;
    };
    this.held = { guard: first, refresh, end };
    this.world = { ...this.world, holder: client };
    return this.world.isStopped ? "a turn was given during a stop" : undefined;
  }

  private async endTurn(): Promise<undefined> {
    await this.held?.end();
    this.held = undefined;
    this.world = { ...this.world, holder: undefined };
  }

  /** What an action reaches at this moment. */
  private describe({ kind, app, onto, client, isOutside }: Act): ModelAction {
    const { desk } = this;
    const reach: Partial<Record<Kind, readonly App[]>> = {
      type: [desk.focused],
      "type own file": [desk.focused],
      key: [desk.focused],
      "copy secret": [desk.focused],
      drag: [...new Set([desk.at(app), desk.at(onto)])],
      clipboard: [],
    };
    return {
      client: pick(clients, client),
      tool: toolOf(kind),
      apps: reach[kind] ?? [kind.startsWith("click") ? desk.at(app) : app],
      danger: dangerOf(kind),
      namesOwnFile: kind === "type own file",
      copiesSecret: kind === "copy secret",
      turn: !isOutside && this.held !== undefined && this.world.holder === client ? client : undefined,
    };
  }

  private async act(act: Act): Promise<string | undefined> {
    const { desk } = this;
    const own = this.describe(act).turn === undefined ? await desk.openGuard(pick(clients, act.client)) : this.held;
    await own?.refresh();
    const { command, request } = this.plan(act);
    const before = desk.delivered;
    let asks = 0;
    let trouble: string | undefined;
    let hasStopped = false;
    let expected: Expected = { parts: 0, asks: 0, why: judge(this.world, this.describe(act)).why };
    let approved: string | undefined;
    let isPermitted = false;
    desk.countsRaising = act.kind === "front";
    desk.approver = {
      ask: async (question): Promise<Result<Approval>> => {
        asks += 1;
        if (asks === 1) trouble = await this.meanwhile(act, request);
        hasStopped = this.world.isStopped;
        if (act.answer === "nobody") return fail(describeUnasked(question));
        return act.answer === "yes" ? succeed({ by: "a person" }) : fail(describeDenied(question, "code", "no"));
      },
    };
    const isApproved = (reached: readonly string[]): boolean => approved === reached.join();
    desk.halfway = () => {
      this.happen(act.halfway);
      const rest = this.describe(act);
      const { verdict, why } = judge(this.world, rest);
      const isLeft = verdict === "allowed" || (verdict === "asked" && isApproved(rest.apps));
      if (!isLeft) expected = { ...expected, parts: 1, why: verdict === "asked" ? unasked : why };
    };
    /** What the model says of one stage, and what the guard does there. */
    const pass = async (reached: readonly string[], isLast: boolean, run: () => Promise<Result<unknown>>) => {
      const judged = judge(this.world, { ...this.describe(act), apps: reached });
      const isOver = isOverLimit(this.world, judged);
      const needsYes = judged.verdict === "asked" && !isApproved(reached);
      const needed = expected.asks + (needsYes ? 1 : 0);
      if (needsYes && act.answer === "yes") approved = reached.join();
      // A person's permission is for the whole action.
      isPermitted ||= judged.asks && (judged.isGranted || act.answer === "yes");
      const isFree = isPermitted || judged.isGranted;
      const isLimited = isLast && !isFree && isOver;
      expected = {
        asks: needed,
        parts: isLast && judged.verdict !== "refused" && !isLimited ? partsOf(act.kind) : 0,
        why: judged.verdict === "refused" ? judged.why : isLimited ? limited : nothing,
        isCounted: isLast && !isFree && judged.limit > 0,
      };
      if (needsYes && act.answer !== "yes") expected = { asks: needed, parts: 0, why: unasked };
      const done = await run();
      // Somebody stopped everything while a person was asked.
      if (needsYes && hasStopped) expected = { asks: needed, parts: 0, why: new Set([...expected.why, "stopped"]) };
      return done;
    };
    const work = async (gate: Gate): Promise<Result<Effect>> => {
      if (act.isPlanned) {
        const foreseen = await pass(this.planned(act), false, () => gate.foresee(command, request));
        if (!foreseen.ok) return foreseen;
        if (expected.why.size > 0) return succeed(effect);
        this.happen(act.between);
      }
      const done = await pass(this.describe(act).apps, true, () => gate.carryOut(command, request));
      return done.ok ? succeed(effect) : done;
    };
    const outcome = await own?.guard.run({ tool: request.tool, isDryRun: false, timeoutMs: 0 }, work);
    const parts = desk.delivered - before;
    if (expected.isCounted === true && expected.parts > 0) {
      this.world = { ...this.world, doneAtMs: [...this.world.doneAtMs, this.world.nowMs] };
    }
    this.counts[expected.parts === 0 ? "refused" : expected.asks > 0 ? "asked" : "allowed"] += 1;
    const reason = outcome?.ok === false ? (outcome.failure.reason ?? outcome.failure.code) : undefined;
    const isSame =
      parts === expected.parts &&
      asks === expected.asks &&
      (reason === undefined ? expected.why.size === 0 : expected.why.has(reason));
    if (isSame) return trouble;
    const words = outcome?.ok === false ? outcome.failure.message : "";
    const model = { ...expected, why: [...expected.why] };
    return `the model: ${JSON.stringify(model)}, the guard: ${JSON.stringify({ parts, asks, reason, words })}`;
  }

  /** While a person is asked, nobody acts. */
  private async meanwhile({ meanwhile, kind, app }: Act, request: Request): Promise<string | undefined> {
    const { desk } = this;
    if (meanwhile?.on === "other") {
      const { guard } = await desk.openGuard(pick(clients, meanwhile.client));
      const before = desk.delivered;
      const tried = await guard.run({ tool: "click", isDryRun: false, timeoutMs: 0 }, (gate) => {
        const element = desk.find("pad", "Save");
        const own = { tool: "click", element, window: desk.windowOf("pad") };
        return gate.carryOut({ kind: "invoke", element, action: "press" }, own).then((done) => {
          return done.ok ? succeed(effect) : done;
        });
      });
      const isRefused = !tried.ok && tried.failure.reason === "turn" && desk.delivered === before;
      return isRefused ? undefined : `another client acted while a person was asked: ${JSON.stringify(tried)}`;
    }
    // Only what the answer's own window could cause: the guard brings back the window that was asked about.
    const reached = toFocus.has(kind) ? desk.focused : kind.startsWith("click") ? desk.at(app) : undefined;
    const isReached = reached === undefined || desk.windowOf(reached).id === request.window?.id;
    if (meanwhile?.on !== "focus" || (isReached && kind !== "drag")) this.happen(meanwhile);
    return undefined;
  }

  /** Before anything moves, the window that is meant. */
  private planned(act: Act): readonly App[] {
    if (act.kind.startsWith("open")) return [act.app];
    if (act.kind === "clipboard") return [];
    return [this.meant.get(act) ?? act.app];
  }

  private readonly meant = new Map<Act, App>();

  private plan(act: Act): { readonly command: Command; readonly request: Request } {
    const { desk } = this;
    const { kind, onto } = act;
    // Keys are meant for the window that has them when they are planned.
    const app = toFocus.has(kind) ? desk.focused : act.app;
    this.meant.set(act, app);
    return { command: toCommand(desk, kind, app, onto), request: toRequest(desk, kind, app) };
  }
}

/** What the model expects: so many parts are delivered, or it is refused for one of these reasons. */
interface Expected {
  readonly parts: number;
  /** How often a person is asked. */
  readonly asks: number;
  readonly why: ReadonlySet<string>;
  readonly isCounted?: boolean;
}

const nothing: ReadonlySet<string> = new Set();
const limited: ReadonlySet<string> = new Set(["rate"]);
const unasked: ReadonlySet<string> = new Set(["unasked", "denied"]);
const effect: Effect = { ...undelivered, verdict: "confirmed", intent: "", target: { words: "" }, way: "" };

/** The year 2033: no real file is younger. */
const startMs = Date.UTC(2033, 0, 1);

function pick<T>(list: readonly T[], at: number): T {
  const found = list[at];
  if (found === undefined) throw new Error(`there is no ${at}`);
  return found;
}
