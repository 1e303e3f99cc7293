import { type CallOptions, type CallReply, type CallRequest, type Host, isAnswer } from "../host/port.ts";
import { hasDoneNothing } from "../model/failure.ts";
import type { EffectData } from "../show/effect.ts";
import { DeskmapError, UnconfirmedError } from "./error.ts";

/** Selects windows, as the options of every tool do. */
export interface Selection {
  /** An application by a part of its name, in any case. */
  readonly app?: string | undefined;
  /** A window by a part of its title. */
  readonly window?: string | undefined;
  readonly windowId?: number | undefined;
  readonly pid?: number | undefined;
}

export interface WaitOptions {
  /** How long to wait for the control to be there and ready (10 s). */
  readonly timeoutMs?: number | undefined;
}

export interface ActOptions extends WaitOptions {
  /** Return an action whose effect was not confirmed, instead of throwing an UnconfirmedError. */
  readonly allowUnconfirmed?: boolean | undefined;
  /** Only say what would be done. */
  readonly dryRun?: boolean | undefined;
}

type Input = Readonly<Record<string, unknown>>;

/** Failures that may pass: the control is not there yet, or not ready, or its application does not answer yet. */
const passing: ReadonlySet<DeskmapError["code"]> = new Set([
  "NOT_FOUND",
  "TIMEOUT",
  "NOT_VISIBLE",
  "DISABLED",
  "MOVING",
  "COVERED",
]);
/** Not every change is reported, so a retry also happens after this time. */
const stepMs = 500;

/** A call that was made through this process's host, and when. */
export interface MadeCall {
  readonly tool: string;
  readonly beganMs: number;
  readonly endedMs: number;
}

/** Who is told of the calls that are made with a host: also those of a held desk, which has the same host. */
export const callObservers = new WeakMap<Host, Set<(made: MadeCall) => void>>();

/** Calls tools of a host, and waits for controls that are not ready yet. */
export class Caller {
  constructor(
    readonly host: Host,
    readonly defaultTimeoutMs: number,
    readonly turn?: string | undefined,
  ) {}

  /** The answer of a tool as data. `Answer` is what the tool declares. */
  async ask<Answer extends object>(tool: string, input: Input): Promise<Answer> {
    return readAnswer(await this.callForData(tool, input), tool);
  }

  async askForText(tool: string, input: Input): Promise<string> {
    const reply = await this.call(tool, input, "text");
    if (reply.failure !== undefined) throw new DeskmapError(reply.failure);
    return reply.outputs.text ?? "";
  }

  /** Acts as soon as the control is there and ready. */
  async act(tool: string, input: Input, selection: Selection, options: ActOptions): Promise<EffectData> {
    const { timeoutMs, allowUnconfirmed = false, dryRun } = options;
    const given = { ...selection, ...input, ...(dryRun === true ? { dryRun } : {}) };
    const reply = await this.callWhenReady(tool, given, selection, timeoutMs);
    const effect = readAnswer<EffectData>(reply, tool);
    if (reply.exitCode !== 0 && !allowUnconfirmed) throw new UnconfirmedError(effect);
    return effect;
  }

  /** Asks as soon as what is asked for is there. */
  async askWhenReady<Answer extends object>(
    tool: string,
    input: Input,
    selection: Selection,
    { timeoutMs }: WaitOptions,
  ): Promise<Answer> {
    return readAnswer(await this.callWhenReady(tool, { ...selection, ...input }, selection, timeoutMs), tool);
  }

  /** Repeats an attempt, after each change, while the control is not there or not ready. */
  async whenReady<T>(selection: Selection, timeoutMs = this.defaultTimeoutMs, attempt: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const leftMs = deadline - performance.now();
        // An action that failed half-way is not repeated.
        const canPass = error instanceof DeskmapError && passing.has(error.code) && hasDoneNothing(error);
        if (!canPass || leftMs <= 0) throw error;
        await this.waitForChange(selection, Math.min(stepMs, leftMs));
      }
    }
  }

  private callWhenReady(tool: string, input: Input, selection: Selection, timeoutMs?: number): Promise<CallReply> {
    return this.whenReady(selection, timeoutMs, () => this.callForData(tool, input));
  }

  private async callForData(tool: string, input: Input): Promise<CallReply> {
    const reply = await this.call(tool, input, "data");
    if (reply.failure !== undefined) throw new DeskmapError(reply.failure);
    return reply;
  }

  private call(tool: string, input: Input, format: "data" | "text"): Promise<CallReply> {
    return this.send({ tool, input: dropUndefined(input), formats: [format], turn: this.turn });
  }

  async send(request: CallRequest, options?: CallOptions): Promise<CallReply> {
    const beganMs = Date.now();
    try {
      return await this.host.call(request, options);
    } finally {
      const made = { tool: request.tool, beganMs, endedMs: Date.now() };
      for (const tell of callObservers.get(this.host) ?? []) tell(made);
    }
  }

  /** Waits for a change in those windows, at most this long. */
  private async waitForChange({ app, window, windowId, pid }: Selection, forMs: number): Promise<void> {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(), forMs);
    try {
      let isFirst = true;
      const input = dropUndefined({ app, window, windowId, pid });
      for await (const batch of this.host.watch({ input }, end.signal)) {
        // The first batch lists what is there already.
        if (!isFirst || !batch.ok) break;
        isFirst = false;
      }
    } finally {
      clearTimeout(timer);
      end.abort();
    }
  }
}

function readAnswer<Answer extends object>({ data }: CallReply, tool: string): Answer {
  if (isAnswer<Answer>(data)) return data;
  throw new DeskmapError({ code: "FAILED", message: `${tool} gave no answer`, done: "it is not known." });
}

export function dropUndefined(input: Input): Input {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
