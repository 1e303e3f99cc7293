import type { Env } from "../model/env.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import type { Role } from "../model/role.ts";
import type { Window } from "../model/window.ts";
import { hasPendingQuestion } from "./approval/pending.ts";
import type { Client } from "./gate.ts";
import { noteRefusal } from "./note-refusal.ts";
import type { Places } from "./places.ts";
import type { LivePolicy } from "./policy/live.ts";
import { decide, findStand, namesOf, type Policy } from "./policy/policy.ts";
import type { Records } from "./records.ts";
import { countAction, describeStanding, forbidWhenStopped } from "./rules.ts";

interface Means {
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
  /** Whether a person has begun it, with keys. */
  readonly isPersons: boolean;
}

const tool = "overlay";

/** What one client may do with what is drawn over the screen, and with the person's own pointer and keyboard. */
export class DrawingPermit {
  constructor(private readonly means: Means) {}

  /** Why nothing may be drawn at this moment: a stop; or a person is asked, who sees their applications and nothing of a client's. */
  findVeto(): Failure | undefined {
    const stopped = forbidWhenStopped(this.means);
    if (stopped !== undefined) return stopped;
    if (!hasPendingQuestion(this.means.places)) return undefined;
    return {
      code: "REFUSED",
      reason: "turn",
      message: "a question waits for a person's answer, and nothing is drawn meanwhile",
      suggestion: "try again when it is answered.",
      done: nothingDone,
    };
  }

  isStopped(): boolean {
    return forbidWhenStopped(this.means) !== undefined;
  }

  /** Says of each window whether a person answers there: nothing is drawn on it. */
  findPages(): (window: Pick<Window, "title">) => boolean {
    const words = this.means.records.listPageTitles?.() ?? [];
    return ({ title }) => words.some((word) => title.includes(word));
  }

  /** Why nothing of this client's is drawn at a control: what a person is told there, they might type. */
  async forbidAnchor(window: Window, role: Role): Promise<Failure | undefined> {
    if (this.findPages()(window)) return describePage();
    const policy = await this.means.rules.refresh();
    if (!policy.ok) return policy.failure;
    const names = [...namesOf(window), ...(role === "terminal" ? ["terminal"] : [])];
    const { standing, entry } = findStand(policy.value, names);
    return standing === "normal" ? undefined : describeStanding(window.app, standing, entry);
  }

  /**
   * Takes the person's pointer and keyboard: an action of this client, counted and written down before it begins. Nothing
   * of Deskmap acts until it is ended, and the keys that stop everything are listened for.
   */
  async beginPick(query: PickRequest): Promise<Result<{ end(effect: string): void }>> {
    const { client, timeoutMs, places, records, rules } = this.means;
    const policy = await rules.refresh();
    if (!policy.ok) return policy;
    const forbidden = this.forbidPick(policy.value, query);
    if (forbidden !== undefined) return fail(noteRefusal(records, { client: client.name, tool }, forbidden));
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
          // It is over already: what cannot be written down any more is not told to anybody.
          records.write({ what: "end", client: client.name, tool, begin: begun.value, way: query.way, effect });
        },
      });
    } finally {
      if (!isBegun) turn.value.end();
    }
  }

  private async begin(policy: Policy, { way, isPersons }: PickRequest): Promise<Result<number>> {
    const { client, env, places, records } = this.means;
    const { prepareHotkey } = await import("./open.ts");
    const ready = await prepareHotkey(policy.hasHotkey, env, places);
    if (!ready.ok) return ready;
    const counted = isPersons || policy.actionsPerMinute === 0 ? succeed(undefined) : this.count(policy);
    if (!counted.ok) return counted;
    if (counted.value !== undefined) {
      return fail(noteRefusal(records, { client: client.name, tool }, counted.value));
    }
    const words = isPersons ? "a person began it, with keys" : "takes the pointer and the keyboard";
    return records.write({ what: "begin", client: client.name, tool, way, words });
  }

  private count(policy: Policy): Result<Failure | undefined> {
    const action = { client: this.means.client.name, app: "" };
    return this.means.records.update((ledger) => countAction(ledger, policy, action, Date.now(), []));
  }

  private forbidPick(policy: Policy, { isPersons }: PickRequest): Failure | undefined {
    const stopped = this.findVeto();
    if (stopped !== undefined || isPersons) return stopped;
    if (policy.isReadOnly) return describeReadOnly();
    const decision = decide(policy, { client: this.means.client.name, tool, apps: [], dangers: [] });
    return decision === "allow" ? undefined : describeRule();
  }
}

function describePage(): Failure {
  return {
    code: "REFUSED",
    reason: "hands-off",
    message: "this window is Deskmap's inspector, where a person answers",
    suggestion: "nothing is drawn there; a person uses it.",
    done: nothingDone,
  };
}

function describeReadOnly(): Failure {
  return {
    code: "REFUSED",
    reason: "read-only",
    message: "to pick takes the pointer and the keyboard, and this desktop may only be read",
    suggestion: "deskmap read shows what is there; a person can begin to pick with the keys of deskmap overlay on.",
    done: nothingDone,
  };
}

function describeRule(): Failure {
  return {
    code: "REFUSED",
    reason: "rule",
    message: "the policy does not let this client take the pointer and the keyboard",
    suggestion: "deskmap policy show tells its rules.",
    done: nothingDone,
  };
}
