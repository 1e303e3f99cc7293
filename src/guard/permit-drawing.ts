import type { Env } from "../model/env.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import type { Role } from "../model/role.ts";
import type { Window } from "../model/window.ts";
import { hasPendingQuestion } from "./approval/pages.ts";
import type { Client } from "./gate.ts";
import type { Places } from "./places.ts";
import type { LivePolicy } from "./policy/live.ts";
import { decide, findStand, namesOf, type Policy } from "./policy/policy.ts";
import type { Records } from "./records.ts";
import { logRefusal, refuse } from "./refusals.ts";
import { countAction, describeStand, forbidWhenStopped } from "./rules.ts";

interface DrawingOptions {
  readonly env: Env;
  readonly places: Places;
  readonly records: Records;
  readonly rules: LivePolicy;
  readonly client: Client;
  readonly timeoutMs: number;
}

interface PickRequest {
  readonly way: "pick" | "region";
  readonly untilMs: number;
  readonly isPersons: boolean;
}

const tool = "overlay";

/** What one client may draw over the screen, and when it may take the person's pointer and keyboard. */
export class DrawingPermit {
  constructor(private readonly options: DrawingOptions) {}

  /** Why nothing may be drawn now: a stop, or a question to a person, who must see nothing of a client's meanwhile. */
  findVeto(): Failure | undefined {
    const stopped = forbidWhenStopped(this.options);
    if (stopped !== undefined) return stopped;
    if (!hasPendingQuestion(this.options.places)) return undefined;
    const message = "a question waits for a person's answer, and nothing is drawn meanwhile";
    return refuse("turn", message, "try again when it is answered.");
  }

  isStopped(): boolean {
    return forbidWhenStopped(this.options) !== undefined;
  }

  /** Returns a test for windows in which a person answers: nothing is drawn on them. */
  findPages(): (window: Pick<Window, "title">) => boolean {
    const words = this.options.records.listPageTitles?.() ?? [];
    return ({ title }) => words.some((word) => title.includes(word));
  }

  /** Why this client may not draw at a control: a person might type what it says there. */
  async forbidAnchor(window: Window, role: Role): Promise<Failure | undefined> {
    if (this.findPages()(window)) {
      const message = "this window is Deskmap's inspector, where a person answers";
      return refuse("hands-off", message, "nothing is drawn there; a person uses it.");
    }
    const policy = await this.options.rules.refresh();
    if (!policy.ok) return policy.failure;
    const names = [...namesOf(window), ...(role === "terminal" ? ["terminal"] : [])];
    const stand = findStand(policy.value, names);
    return stand.standing === "normal" ? undefined : describeStand(window.app, stand);
  }

  /**
   * Takes the person's pointer and keyboard. This is an action of the client: it is counted and logged before it begins,
   * holds the turn until it ends, and the stop keys work meanwhile.
   */
  async beginPick(query: PickRequest): Promise<Result<{ end(effect: string): void }>> {
    const { client, timeoutMs, places, records, rules } = this.options;
    const policy = await rules.refresh();
    if (!policy.ok) return policy;
    const forbidden = this.forbidPick(policy.value, query);
    if (forbidden !== undefined) return fail(logRefusal(records, { client: client.name, tool }, forbidden));
    const { FileTurns } = await import("./turn.ts");
    const holder = { client: client.name, tool, untilMs: query.untilMs };
    const turn = await new FileTurns(places).take(holder, timeoutMs);
    if (!turn.ok) return turn;
    let isBegun = false;
    try {
      const begun = await this.begin(policy.value, query);
      if (!begun.ok) return begun;
      isBegun = true;
      return succeed({
        end: (effect) => {
          turn.value.end();
          // It is over: nobody is left to report a failure to.
          records.write({ what: "end", client: client.name, tool, begin: begun.value, way: query.way, effect });
        },
      });
    } finally {
      if (!isBegun) turn.value.end();
    }
  }

  private async begin(policy: Policy, { way, isPersons }: PickRequest): Promise<Result<number>> {
    const { client, env, places, records } = this.options;
    const { prepareHotkey } = await import("./guard.ts");
    const ready = await prepareHotkey(policy.hasHotkey, env, places);
    if (!ready.ok) return ready;
    const counted = isPersons || policy.actionsPerMinute === 0 ? succeed(undefined) : this.count(policy);
    if (!counted.ok) return counted;
    if (counted.value !== undefined) {
      return fail(logRefusal(records, { client: client.name, tool }, counted.value));
    }
    const words = isPersons ? "a person began it, with keys" : "takes the pointer and the keyboard";
    return records.write({ what: "begin", client: client.name, tool, way, words });
  }

  private count(policy: Policy): Result<Failure | undefined> {
    const action = { client: this.options.client, app: "" };
    return this.options.records.update((ledger) => countAction(ledger, policy, action, Date.now(), []));
  }

  private forbidPick(policy: Policy, { isPersons }: PickRequest): Failure | undefined {
    const stopped = this.findVeto();
    if (stopped !== undefined || isPersons) return stopped;
    if (policy.isReadOnly) {
      const message = "picking takes the pointer and the keyboard, and this desktop may only be read";
      const keys = "a person can begin to pick with the keys of deskmap overlay on.";
      return refuse("read-only", message, `deskmap read shows what is there; ${keys}`);
    }
    const decision = decide(policy, { client: this.options.client.name, tool, apps: [], dangers: [] });
    if (decision === "allow") return undefined;
    const message = "the policy does not let this client take the pointer and the keyboard";
    return refuse("rule", message, "deskmap policy show lists its rules.");
  }
}
