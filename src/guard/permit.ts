import type { ActionObserver, ShowBefore } from "../model/activity.ts";
import type { Selection } from "../model/clipboard.ts";
import { type Command, isElementCommand } from "../model/command.ts";
import type { Effect } from "../model/effect.ts";
import { flatten } from "../model/element.ts";
import { type Failure, fail, type Result } from "../model/failure.ts";
import { showLocalTime } from "../model/local-time.ts";
import type { Hands } from "../platform/hands.ts";
import type { Platform } from "../platform/port.ts";
import type { Approval, Approver, Question } from "./approval/approver.ts";
import { bringBack, rememberMeeting } from "./approval/bring-back.ts";
import { nameApproved } from "./approval/coverage.ts";
import { describeQuestion } from "./approval/describe.ts";
import type { LoggedText } from "./audit/chain.ts";
import { findPaste, pressesCopy } from "./clipboard-commands.ts";
import { findDangers } from "./danger/danger.ts";
import { deliver } from "./deliver.ts";
import type { Client, Gate, Request } from "./gate.ts";
import { noteRefusal } from "./note-refusal.ts";
import { appOf, nameReceiver, partiesOf, targetOf } from "./parties.ts";
import type { Policy } from "./policy/policy.ts";
import { findReceivers } from "./receiver.ts";
import type { Records } from "./records.ts";
import {
  countAction,
  covers,
  decideMatter,
  forbidding,
  forbidWhenStopped,
  type Matter,
  refuseClipboard,
  refuseSecretCopy,
} from "./rules.ts";
import { findPlace, tellBegin } from "./tell-observer.ts";

const copyLookMs = 5000;

export interface Means {
  readonly platform: Platform;
  readonly policy: Policy;
  readonly records: Records;
  readonly approver: Approver;
  readonly client: Client;
  openHands(): Promise<Result<Hands>>;
  /** Why nothing more is to be done for this client: it wants it no more. */
  findCancel?(): Failure | undefined;
  /** Tells the others why nothing is done. */
  tellAsking?(isAsking: boolean): void;
  readonly observer?: ActionObserver | undefined;
}

/** One action's passage through the gate: it is counted, asked about and written down once, its deeds are judged each. */
export class Permit implements Gate {
  private begin: number | undefined;
  private approval: string | undefined;
  /** What a person has said yes to; other controls are asked about again. */
  private readonly approved = new Set<string>();
  private refusal: Failure | undefined;
  /** What was typed after the first command, which may have raised a window only. */
  private typed: LoggedText | undefined;
  private hasLooked = false;
  private show: ShowBefore | undefined;

  constructor(
    private readonly means: Means,
    private readonly tool: string,
  ) {}

  /** By the plan's word for where it goes: whom it really reaches is asked when it is done. */
  async foresee(command: Command, request: Request): Promise<Result<void>> {
    const matter = await this.weigh(command, request, "plan");
    const refused = matter.ok ? await this.judge(matter.value) : matter.failure;
    this.refusal = refused;
    return refused === undefined ? { ok: true, value: undefined } : fail(refused);
  }

  async showBefore(request: Request, command?: Command): Promise<boolean> {
    const where = findPlace(request, command);
    const { observer } = this.means;
    if (this.hasLooked || observer === undefined) return false;
    this.hasLooked = true;
    this.show = await observer.look(where);
    return this.show !== undefined;
  }

  async carryOut(command: Command, request: Request): Promise<Result<string>> {
    // Those who look on are waited for before anything is checked: what was checked must not have time to change.
    if (this.begin === undefined) await this.showBefore(request, command);
    const matter = await this.weigh(command, request);
    if (!matter.ok) this.refusal = matter.failure;
    if (!matter.ok) return matter;
    const isFirst = this.begin === undefined;
    const refused =
      (await this.judge(matter.value)) ??
      (await this.refusePaste(command, request)) ??
      (await this.refuseCopy(command, request)) ??
      this.count(matter.value) ??
      this.note(matter.value);
    if (refused !== undefined) {
      this.refusal = refused;
      return fail(refused);
    }
    const hands = await this.means.openHands();
    if (!hands.ok) return hands;
    const { observer } = this.means;
    if (isFirst && observer !== undefined) tellBegin(observer, this.begin ?? 0, matter.value, this.tool, this.show);
    // Asked last: between this and the command nothing is waited for.
    const cancelled = this.means.findCancel?.();
    if (cancelled !== undefined) return fail(cancelled);
    const done = await deliver(hands.value, this.means.platform, command);
    return done.ok ? { ok: true, value: typeof done.value === "string" ? done.value : "" } : done;
  }

  async readClipboard({ tool }: Request, selection: Selection): Promise<Result<string>> {
    const { policy, client, records } = this.means;
    const stopped = forbidWhenStopped(this.means);
    if (stopped !== undefined) return fail(stopped);
    const hands = await this.means.openHands();
    if (!hands.ok) return hands;
    const apps = await hands.value.findClipboardOwner(selection);
    if (!apps.ok) return apps;
    const refused = refuseClipboard(policy, { client: client.name, tool, apps: apps.value, dangers: [] });
    if (refused !== undefined) return fail(noteRefusal(records, { client: client.name, tool }, refused));
    // What a write reads back is a part of it, and leaves no text.
    const look = { what: "look", client: client.name, tool, apps: apps.value, way: "clipboard" } as const;
    const noted = this.begin === undefined ? records.write(look) : undefined;
    if (noted?.ok === false) return noted;
    return hands.value.readClipboard(selection);
  }

  /** What a blind application has copied is not pasted either, where it could be read. */
  private async refusePaste(command: Command, request: Request): Promise<Failure | undefined> {
    const selection = findPaste(command, request);
    const { tool, element } = request;
    const { policy, client } = this.means;
    if (selection === undefined || policy.standings.size === 0) return undefined;
    const hands = await this.means.openHands();
    if (!hands.ok) return hands.failure;
    const apps = await hands.value.findClipboardOwner(selection);
    if (!apps.ok) return apps.failure;
    const refused = refuseClipboard(policy, { client: client.name, tool, apps: apps.value, dangers: [] });
    if (refused?.reason === "blind") return refused;
    // What must not be read must not be put where it can be.
    const read = element?.states.has("secret") === true ? undefined : await hands.value.readClipboard(selection);
    return read?.ok === false && read.failure.reason === "secret" ? read.failure : undefined;
  }

  /** An entry or a button that copies does so from whatever has the focus: not while a secret field is in view beside it. */
  private async refuseCopy(command: Command, request: Request): Promise<Failure | undefined> {
    const { platform, policy } = this.means;
    const { window } = request;
    if (window === undefined || policy.standings.size === 0 || !pressesCopy(command, request)) return undefined;
    const list = await platform.listWindows();
    if (!list.ok) return list.failure;
    const windows = list.value.windows.filter(({ id, pid }) => id === window.id || pid === window.pid);
    const read = await platform.readWindows({ windows, includeHidden: false, timeoutMs: copyLookMs });
    if (!read.ok) return read.failure;
    const all = flatten(read.value.flatMap(({ root }) => (root === undefined ? [] : [root])));
    return all.some(({ states }) => states.has("secret")) ? refuseSecretCopy() : undefined;
  }

  /**
   * Writes down how it ended, and gives back what is to be told of it: an end that could not be written down is told. An
   * action that did nothing and was not refused, neither here nor by the veil, leaves no line.
   */
  conclude(outcome: Result<Effect>): Result<Effect> {
    const { records } = this.means;
    const { tool, begin, approval } = this;
    const client = this.means.client.name;
    if (begin === undefined) {
      const refusal = outcome.ok ? this.refusal : outcome.failure;
      if (refusal === undefined) return outcome;
      const told = noteRefusal(records, { client, tool }, refusal, this.isRefused(refusal));
      return told === refusal ? outcome : fail(told);
    }
    const effect = outcome.ok ? outcome.value.verdict : (outcome.failure.reason ?? outcome.failure.code);
    const way = outcome.ok ? outcome.value.way : undefined;
    this.means.observer?.end(begin, outcome);
    const written = records.write({ what: "end", client, tool, begin, way, effect, approval, typed: this.typed });
    return written.ok ? outcome : fail(describeUnended(tool, outcome, written.failure));
  }

  private isRefused({ code }: Failure): boolean {
    return this.refusal !== undefined || code === "REFUSED";
  }

  private async weigh(command: Command, request: Request, by?: "plan"): Promise<Result<Matter>> {
    const { platform, policy, records, client } = this.means;
    const isAnyAllowed = policy.standings.size === 0 && policy.rules.length === 0;
    const isNothingAsked = isAnyAllowed && policy.sensitive === "allow";
    const receivers =
      isNothingAsked || by === "plan" ? nameReceiver(request) : await findReceivers(platform, command, request, policy);
    if (!receivers.ok) return receivers;
    const warnings = isNothingAsked ? [] : findDangers(command, request, policy, receivers.value);
    const isPlanned = by === "plan";
    return {
      ok: true,
      value: {
        command,
        request,
        client: client.name,
        policy,
        records,
        receivers: receivers.value,
        warnings,
        isPlanned,
      },
    };
  }

  private async judge(matter: Matter): Promise<Failure | undefined> {
    for (const forbid of forbidding) {
      const failure = forbid(matter);
      if (failure !== undefined) return failure;
    }
    return (await this.missSecret(matter)) ?? (decideMatter(matter) === "ask" ? this.ask(matter) : undefined);
  }

  /** Nobody is asked about a secret that is not there. */
  private async missSecret({ command }: Matter): Promise<Failure | undefined> {
    if (command.kind !== "fill-secret") return undefined;
    const hands = await this.means.openHands();
    const checked = hands.ok ? await hands.value.checkSecret(command.secret) : hands;
    return checked.ok ? undefined : checked.failure;
  }

  private async ask(matter: Matter): Promise<Failure | undefined> {
    const key = nameApproved(matter);
    if (this.approved.has(key) || this.isGranted(matter)) return undefined;
    const { client, records, platform } = this.means;
    const question = describeQuestion(matter, this.tool);
    const { words, dangers } = question;
    const meeting = await rememberMeeting(platform, matter);
    if (!meeting.ok) return meeting.failure;
    const asked = records.write({ what: "ask", client: client.name, tool: this.tool, target: targetOf(matter), words });
    if (!asked.ok) return asked.failure;
    const answer = await this.whileAsking(question);
    const effect = answer.ok ? "yes" : (answer.failure.reason ?? "no");
    const by = answer.ok ? answer.value.by : undefined;
    const noted = records.write({
      what: "answer",
      client: client.name,
      tool: this.tool,
      begin: asked.value,
      effect,
      approval: by,
      words: dangers.join(" "),
    });
    // While a person thought about it, another may have stopped everything.
    const stopped = forbidWhenStopped(matter) ?? this.means.findCancel?.();
    if (stopped !== undefined) return stopped;
    if (!answer.ok) return answer.failure;
    if (!noted.ok) return noted.failure;
    const changed = await bringBack(platform, () => this.means.openHands(), matter, meeting.value);
    if (changed !== undefined) return changed;
    this.approved.add(key);
    this.approval = answer.value.by;
    return undefined;
  }

  private async whileAsking(question: Question): Promise<Result<Approval>> {
    const { approver, records, tellAsking, findCancel } = this.means;
    tellAsking?.(true);
    try {
      return await approver.ask(question, () => records.findStop() !== undefined || findCancel?.() !== undefined);
    } finally {
      tellAsking?.(false);
    }
  }

  private isGranted(matter: Matter): boolean {
    const held = this.means.records.update((ledger) => ({ ledger, result: ledger.grants }));
    const about = { client: matter.client, parties: partiesOf(matter) };
    const grant = held.ok
      ? held.value.find((one) => one.isSensitive && one.untilMs > Date.now() && covers(one, about))
      : undefined;
    if (grant === undefined) return false;
    this.approval = `deskmap allow, until ${showLocalTime(grant.untilMs)}`;
    return true;
  }

  private count(matter: Matter): Failure | undefined {
    // The limit is for what is done without a person's word.
    if (this.begin !== undefined || this.approval !== undefined) return undefined;
    const { records, policy, client } = this.means;
    if (policy.actionsPerMinute === 0) return undefined;
    const action = { client: client.name, app: appOf(matter) };
    const counted = records.update((ledger) => countAction(ledger, policy, action, Date.now(), partiesOf(matter)));
    return counted.ok ? counted.value : counted.failure;
  }

  /** Before the first command is done: what cannot be written down is not done. */
  private note(matter: Matter): Failure | undefined {
    const { records, client } = this.means;
    const { command } = matter;
    const text = "text" in command ? command.text : undefined;
    if (this.begin !== undefined) {
      if (text !== undefined) this.typed = records.describeText(text);
      return undefined;
    }
    const written = records.write({
      what: "begin",
      client: client.name,
      tool: this.tool,
      apps: [...new Set(matter.receivers.map(({ app }) => app))],
      target: targetOf(matter),
      way: isElementCommand(command) && command.kind === "invoke" ? `invoke ${command.action}` : command.kind,
      approval: this.approval,
      typed: text === undefined ? undefined : records.describeText(text),
    });
    if (!written.ok) return written.failure;
    this.begin = written.value;
    return undefined;
  }
}

/** What was done is not undone by it, and nobody is to believe that it is in the log. */
function describeUnended(tool: string, outcome: Result<Effect>, { message, ...unwritten }: Failure): Failure {
  const told = outcome.ok ? `it was ${outcome.value.verdict}` : outcome.failure.message;
  const done = `${tool} was begun, which is in the log, and a part or all of it was done.`;
  return { ...unwritten, message: `${tool}: ${told}; but how it ended is not in the log: ${message}`, done };
}
