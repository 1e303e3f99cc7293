import type { ActionObserver, ShowBefore } from "../model/activity.ts";
import type { Selection } from "../model/clipboard.ts";
import { type Command, isElementCommand } from "../model/command.ts";
import type { Effect } from "../model/effect.ts";
import { flatten } from "../model/element.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { showLocalTime } from "../model/local-time.ts";
import { isSameApplication, type Window } from "../model/window.ts";
import type { Hands } from "../platform/hands.ts";
import type { Platform } from "../platform/port.ts";
import type { Approval, Approver, Question } from "./approval/approver.ts";
import { bringBack, nameApproved, nameBound, rememberState } from "./approval/bring-back.ts";
import { refuseUnshown } from "./approval/content.ts";
import { describeQuestion, findSpot, reportBegin } from "./approval/describe.ts";
import type { LoggedText } from "./audit/chain.ts";
import { findPaste, pressesCopy } from "./clipboard-commands.ts";
import { findDangers } from "./danger/danger.ts";
import { describeUnloggedEnd, isPreparation, tellWhatWasDone } from "./endings.ts";
import type { Client, Gate, Request } from "./gate.ts";
import type { Policy } from "./policy/policy.ts";
import { deliver, findReceivers } from "./receiver.ts";
import type { Records } from "./records.ts";
import { logRefusal, refuse } from "./refusals.ts";
import {
  type Attempt,
  countAction,
  covers,
  decideAttempt,
  findForbidden,
  forbidWhenStopped,
  listReachedApps,
  refuseClipboard,
  refuseSecretCopy,
  targetOf,
} from "./rules.ts";
import { findSecretPlace } from "./secret-place.ts";

const copyCheckMs = 5000;

export interface GuardOptions {
  readonly platform: Platform;
  readonly policy: Policy;
  readonly records: Records;
  readonly approver: Approver;
  readonly client: Client;
  openHands(): Promise<Result<Hands>>;
  findCancel?(): Failure | undefined;
  /** Brings the policy up to date. */
  refreshPolicy?(): Promise<Result<unknown>>;
  setAsking?(isAsking: boolean): void;
  readonly observer?: ActionObserver | undefined;
}

/** One action's way through the guard: counted, asked about and logged once; each of its commands is checked. */
export class Permit implements Gate {
  private begin: number | undefined;
  private approval: string | undefined;
  /** What a person has approved, and for which windows; anything else is asked about again. */
  private readonly approved = new Map<string, readonly Window[]>();
  private refusal: Failure | undefined;
  /** Text typed after the first command, which may only have raised a window. */
  private typed: LoggedText | undefined;
  /** Every command that was let through, by the key of its approval. */
  private readonly bound: string[] = [];
  /** Whether a command was delivered that is more than a preparation. */
  private hasActed = false;
  private hasLooked = false;
  private show: ShowBefore | undefined;

  constructor(
    private readonly options: GuardOptions,
    private readonly tool: string,
  ) {}

  /** Uses the planned window; the real receivers are found in carryOut. */
  async foresee(command: Command, request: Request): Promise<Result<void>> {
    const attempt = await this.assess(command, request, true);
    const refused = attempt.ok ? await this.judge(attempt.value) : attempt.failure;
    this.refusal = refused;
    return refused === undefined ? succeed(undefined) : fail(refused);
  }

  async showBefore(request: Request, command?: Command): Promise<boolean> {
    const where = findSpot(request, command);
    const { observer } = this.options;
    if (this.hasLooked || observer === undefined) return false;
    this.hasLooked = true;
    this.show = await observer.captureBefore(where);
    return this.show !== undefined;
  }

  async carryOut(command: Command, request: Request): Promise<Result<string>> {
    // Observers are waited for before the checks: afterwards nothing must have time to change.
    if (this.begin === undefined) await this.showBefore(request, command);
    const attempt = await this.assess(command, request);
    if (!attempt.ok) this.refusal = attempt.failure;
    if (!attempt.ok) return attempt;
    const isFirst = this.begin === undefined;
    const refused =
      (await this.judge(attempt.value)) ??
      (await this.refusePaste(command, request)) ??
      (await this.refuseCopy(command, request)) ??
      this.count(attempt.value) ??
      this.log(attempt.value);
    if (refused !== undefined) {
      this.refusal = refused;
      return fail(refused);
    }
    const hands = await this.options.openHands();
    if (!hands.ok) return hands;
    const { observer } = this.options;
    if (isFirst && observer !== undefined) reportBegin(observer, this.begin ?? 0, attempt.value, this.tool, this.show);
    // Checked last: nothing is awaited between this and the command.
    const cancelled = this.options.findCancel?.();
    if (cancelled !== undefined) return fail(cancelled);
    const recheck = (): Promise<Failure | undefined> => this.recheck(attempt.value);
    const done = await deliver(hands.value, this.options.platform, command, request, recheck);
    if (done.ok && !isPreparation(command)) this.hasActed = true;
    return done.ok ? succeed(typeof done.value === "string" ? done.value : "") : done;
  }

  async readClipboard({ tool }: Request, selection: Selection): Promise<Result<string>> {
    const { client, records } = this.options;
    const stopped = forbidWhenStopped(this.options);
    if (stopped !== undefined) return fail(stopped);
    const found = await this.findClipboard(tool, selection);
    if (!found.ok) return found;
    const { hands, apps, refused } = found.value;
    if (refused !== undefined) return fail(logRefusal(records, { client: client.name, tool }, refused));
    // A write reads its text back; that is not a look of its own.
    const look = { what: "look", client: client.name, tool, apps, way: "clipboard" } as const;
    const noted = this.begin === undefined ? records.write(look) : undefined;
    return noted?.ok === false ? noted : hands.readClipboard(selection);
  }

  /** The applications that own the clipboard, and why it must not be read. */
  private async findClipboard(tool: string, selection: Selection) {
    const { policy, client } = this.options;
    const hands = await this.options.openHands();
    if (!hands.ok) return hands;
    const owner = await hands.value.findClipboardOwner(selection);
    if (!owner.ok) return owner;
    const refused = refuseClipboard(policy, { client: client.name, tool, apps: owner.value, dangers: [] });
    return succeed({ hands: hands.value, apps: owner.value, refused });
  }

  /** Refuses to paste what must not be read: into the target it could be read. */
  private async refusePaste(command: Command, request: Request): Promise<Failure | undefined> {
    const selection = findPaste(command, request);
    if (selection === undefined || this.options.policy.standings.size === 0) return undefined;
    const found = await this.findClipboard(request.tool, selection);
    if (!found.ok) return found.failure;
    const { hands, refused } = found.value;
    if (refused?.reason === "blind") return refused;
    // A secret may only be pasted into a secret field.
    const read = request.element?.states.has("secret") === true ? undefined : await hands.readClipboard(selection);
    return read?.ok === false && read.failure.reason === "secret" ? read.failure : undefined;
  }

  /** A button that copies takes the selection of the focused field: refused while a secret field is in view. */
  private async refuseCopy(command: Command, request: Request): Promise<Failure | undefined> {
    const { platform, policy } = this.options;
    const { window } = request;
    if (window === undefined || policy.standings.size === 0 || !pressesCopy(command, request)) return undefined;
    const list = await platform.listWindows();
    if (!list.ok) return list.failure;
    const windows = list.value.windows.filter(({ id, pid }) => id === window.id || pid === window.pid);
    const read = await platform.readWindows({ windows, includeHidden: false, timeoutMs: copyCheckMs });
    if (!read.ok) return read.failure;
    const all = flatten(read.value.flatMap(({ root }) => (root === undefined ? [] : [root])));
    return all.some(({ states }) => states.has("secret")) ? refuseSecretCopy() : undefined;
  }

  /** An action that did nothing, and was refused neither here nor by the redacted view, leaves no line. */
  conclude(ended: Result<Effect>): Result<Effect> {
    const outcome = this.hasActed ? tellWhatWasDone(ended) : ended;
    const { records } = this.options;
    const { tool, begin, approval } = this;
    const client = this.options.client.name;
    if (begin === undefined) {
      const refusal = outcome.ok ? this.refusal : outcome.failure;
      if (refusal === undefined) return outcome;
      const isRefused = this.refusal !== undefined || refusal.code === "REFUSED";
      const told = logRefusal(records, { client, tool }, refusal, isRefused);
      return told === refusal ? outcome : fail(told);
    }
    const effect = outcome.ok ? outcome.value.verdict : (outcome.failure.reason ?? outcome.failure.code);
    const way = outcome.ok ? outcome.value.way : undefined;
    this.options.observer?.end(begin, outcome);
    const digest = this.bound.length > 1 ? this.digest(this.bound) : undefined;
    const end = { client, tool, begin, way, effect, approval, typed: this.typed, digest };
    const written = records.write({ what: "end", ...end });
    return written.ok ? outcome : fail(describeUnloggedEnd(tool, outcome, written.failure));
  }

  private async assess(command: Command, request: Request, isPlanned = false): Promise<Result<Attempt>> {
    const { platform, policy, records, client } = this.options;
    const isAnyAllowed = policy.standings.size === 0 && policy.rules.length === 0 && policy.sensitive === "allow";
    // The planned window is enough for the log if nothing is forbidden.
    const planned = succeed(request.window === undefined ? [] : [request.window]);
    const receivers = isAnyAllowed || isPlanned ? planned : await findReceivers(platform, command, request, policy);
    if (!receivers.ok) return receivers;
    const warnings = isAnyAllowed ? [] : findDangers(command, request, policy, receivers.value);
    const reached = { receivers: receivers.value, warnings, isPlanned };
    return succeed({ command, request, client: client.name, policy, records, ...reached });
  }

  /** While a command lasts: who would get the rest of it, and is that still allowed? Nobody is asked meanwhile. */
  private async recheck({ command, request }: Attempt): Promise<Failure | undefined> {
    const policy = await this.options.refreshPolicy?.();
    if (policy?.ok === false) return policy.failure;
    // The start of a drag may have left its place.
    const rest: Command = command.kind === "drag" ? { kind: "point", point: command.to } : command;
    const attempt = await this.assess(rest, request);
    if (!attempt.ok) return attempt.failure;
    const forbidden = findForbidden(attempt.value) ?? this.options.findCancel?.();
    if (forbidden !== undefined || decideAttempt(attempt.value) !== "ask" || rest !== command) return forbidden;
    if (this.isApproved(attempt.value) || this.isGranted(attempt.value)) return undefined;
    const why = attempt.value.warnings.map(({ because }) => because).join("; ");
    return refuse("unasked", `the rest would need a person's approval (${why})`, "look, and do the rest by itself.");
  }

  private async judge(attempt: Attempt): Promise<Failure | undefined> {
    const failure = findForbidden(attempt);
    if (failure !== undefined) return failure;
    return (
      (await this.findMissingSecret(attempt)) ?? (decideAttempt(attempt) === "ask" ? this.ask(attempt) : undefined)
    );
  }

  /** Nobody is asked about a secret that does not exist. */
  private async findMissingSecret({ command, request }: Attempt): Promise<Failure | undefined> {
    if (command.kind !== "fill-secret") return undefined;
    const hands = await this.options.openHands();
    const checked = hands.ok ? await hands.value.checkSecret(command.secret, findSecretPlace(request)) : hands;
    return checked.ok ? undefined : checked.failure;
  }

  private async ask(attempt: Attempt): Promise<Failure | undefined> {
    const key = nameApproved(attempt);
    if (this.isApproved(attempt) || this.isGranted(attempt)) return undefined;
    const { client, records, platform } = this.options;
    const question = { ...describeQuestion(attempt, this.tool), caller: records.describeCaller?.() };
    const { words, dangers } = question;
    const unshown = refuseUnshown(question);
    if (unshown !== undefined) return unshown;
    const before = await rememberState(platform, attempt);
    if (!before.ok) return before.failure;
    const asked = records.write({
      what: "ask",
      client: client.name,
      tool: this.tool,
      target: targetOf(attempt),
      words,
      digest: this.digest([nameBound(attempt)]),
    });
    if (!asked.ok) return asked.failure;
    const answer = await this.whileAsking(question);
    const effect = answer.ok ? "yes" : (answer.failure.reason ?? "no");
    const by = answer.ok ? answer.value.by : undefined;
    const answered = { begin: asked.value, effect, approval: by, words: dangers.join(" ") };
    const noted = records.write({ what: "answer", client: client.name, tool: this.tool, ...answered });
    // Everything may have been stopped meanwhile.
    const stopped = forbidWhenStopped(attempt) ?? this.options.findCancel?.();
    if (stopped !== undefined) return stopped;
    if (!answer.ok) return answer.failure;
    if (!noted.ok) return noted.failure;
    const changed = await bringBack(platform, () => this.options.openHands(), attempt, before.value);
    if (changed !== undefined) return changed;
    this.approved.set(key, attempt.receivers);
    this.approval = answer.value.by;
    return undefined;
  }

  private async whileAsking(question: Question): Promise<Result<Approval>> {
    const { approver, records, setAsking, findCancel } = this.options;
    setAsking?.(true);
    try {
      return await approver.ask(question, () => records.findStop() !== undefined || findCancel?.() !== undefined);
    } finally {
      setAsking?.(false);
    }
  }

  /** A yes is for the application that was shown: not for another that has come to be in front. */
  private isApproved(attempt: Attempt): boolean {
    const shown = this.approved.get(nameApproved(attempt));
    return (
      shown !== undefined && attempt.receivers.every((one) => shown.some((other) => isSameApplication(one, other)))
    );
  }

  private isGranted(attempt: Attempt): boolean {
    // A person has allowed what they ask for, not what a page told a model to do.
    if (attempt.policy.recipient !== undefined) return false;
    const held = this.options.records.update((ledger) => ({ ledger, result: ledger.grants }));
    const about = { client: this.options.client, apps: listReachedApps(attempt) };
    const grant = held.ok
      ? held.value.find((one) => one.isSensitive && one.untilMs > Date.now() && covers(one, about))
      : undefined;
    if (grant === undefined) return false;
    this.approval = `deskmap allow, until ${showLocalTime(grant.untilMs)}`;
    return true;
  }

  private count(attempt: Attempt): Failure | undefined {
    // Approved actions are not limited.
    if (this.begin !== undefined || this.approval !== undefined) return undefined;
    const { records, policy, client } = this.options;
    if (policy.actionsPerMinute === 0) return undefined;
    const apps = listReachedApps(attempt);
    const action = { client, app: apps[0]?.[0] ?? "" };
    const counted = records.update((ledger) => countAction(ledger, policy, action, Date.now(), apps));
    return counted.ok ? counted.value : counted.failure;
  }

  /** Shows later that what was done is what was approved: it covers every argument and text, and tells none. */
  private digest(keys: readonly string[]): string {
    return this.options.records.describeText(keys.join("\n")).hash;
  }

  /** Logs the begin before the first command: an action that cannot be logged is not done. */
  private log(attempt: Attempt): Failure | undefined {
    const { records, client } = this.options;
    const { command } = attempt;
    const text = "text" in command ? command.text : undefined;
    this.bound.push(nameBound(attempt));
    if (this.begin !== undefined) {
      if (text !== undefined) this.typed = records.describeText(text);
      return undefined;
    }
    const written = records.write({
      what: "begin",
      client: client.name,
      tool: this.tool,
      apps: [...new Set(attempt.receivers.map(({ app }) => app))],
      target: targetOf(attempt),
      way: isElementCommand(command) && command.kind === "invoke" ? `invoke ${command.action}` : command.kind,
      approval: this.approval,
      typed: text === undefined ? undefined : records.describeText(text),
      digest: this.digest(this.bound),
    });
    if (!written.ok) return written.failure;
    this.begin = written.value;
    return undefined;
  }
}
