import { type CallReply, type Host, isAnswer } from "../../host/port.ts";
import { type Failure, fail, hasDoneNothing, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { Foretold } from "../../model/foretold.ts";
import { isSeenSource } from "../../model/source.ts";
import type { StepRef } from "../file.ts";
import type { Described, ListedWindows, Located } from "./answers.ts";

/** Not every change is reported, so a look is also taken after this time. */
const lookMs = 500;

/** Failures that may pass: what is needed is not there yet, or not ready. */
const passing: ReadonlySet<Failure["code"]> = new Set([
  ...(["NOT_FOUND", "NOT_VISIBLE", "DISABLED", "MOVING", "COVERED", "AMBIGUOUS", "TIMEOUT"] as const),
]);

export interface AskingOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether a person typed the command, and may be asked at its terminal. */
  readonly isTyped?: boolean | undefined;
  readonly turn?: string | undefined;
  /** How long to wait for what a step needs. */
  readonly timeoutMs: number;
}

/** What a replay needs of a host: nothing that has rights of its own. */
export type ReplayHost = Pick<Host, "call" | "watch">;

/** Asks a host as a replay does: looks, waits for changes, acts. */
export class Asking {
  constructor(
    readonly host: ReplayHost,
    readonly options: AskingOptions,
  ) {}

  get isEnded(): boolean {
    return this.options.signal?.aborted === true;
  }

  call(tool: string, input: Readonly<Record<string, unknown>>, foretold?: Foretold): Promise<CallReply> {
    const { signal, isTyped, turn } = this.options;
    return this.host.call({ tool, input, formats: ["data"], isTyped, turn, foretold }, { signal });
  }

  /** In one window, if its id is known. */
  async locate(ref: StepRef, windowId?: number): Promise<Result<Located>> {
    const where = windowId === undefined ? {} : { windowId };
    const reply = await this.call("locate", { ref: JSON.stringify(ref), ...where, ...visionFor(ref) });
    return readAnswer<Located>(reply);
  }

  /** What a control holds now. */
  async readValue(mark: number): Promise<Result<string>> {
    const answer = readAnswer<Described>(await this.call("element", { id: mark }));
    if (!answer.ok) return answer;
    const { now } = answer.value;
    return now === undefined ? fail(makeFailure("NOT_FOUND", "it is not there any more")) : succeed(now.value);
  }

  async listWindows(app: string | undefined): Promise<Result<ListedWindows["windows"]>> {
    const reply = readAnswer<ListedWindows>(await this.call("list", app === undefined ? {} : { app }));
    if (reply.ok) return succeed(reply.value.windows);
    return reply.failure.code === "NOT_FOUND" ? succeed([]) : reply;
  }

  /** Looks again after every change until the look finds what it seeks, or the time is up: then the last look is returned. */
  async lookUntil<T>(
    app: string | undefined,
    look: () => Promise<{ readonly isThere: boolean; readonly value: T }>,
    timeoutMs = this.options.timeoutMs,
  ): Promise<{ readonly isThere: boolean; readonly value: T }> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const found = await look();
      const leftMs = deadline - performance.now();
      if (found.isThere || leftMs <= 0 || this.isEnded) return found;
      await this.waitForChange(app, Math.min(lookMs, leftMs));
    }
  }

  /** Acts once the control is ready. What failed half-way is not repeated. */
  async act(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    app: string | undefined,
    foretold?: Foretold,
  ): Promise<CallReply> {
    const { value } = await this.lookUntil(app, async () => {
      const reply = await this.call(tool, input, foretold);
      const canPass = reply.failure !== undefined && passing.has(reply.failure.code) && hasDoneNothing(reply.failure);
      return { isThere: !canPass, value: reply };
    });
    return value;
  }

  /** Waits for a change in the windows of an application, at most this long. */
  private async waitForChange(app: string | undefined, forMs: number): Promise<void> {
    const end = new AbortController();
    const stop = (): void => end.abort();
    const timer = setTimeout(stop, forMs);
    this.options.signal?.addEventListener("abort", stop, { once: true });
    try {
      let isFirst = true;
      for await (const batch of this.host.watch({ input: app === undefined ? {} : { app } }, end.signal)) {
        // An application that does not run yet cannot be watched; one that starts is a change of the list.
        if (!batch.ok) return await this.waitForTime(end.signal);
        // The first batch lists what is there already.
        if (!isFirst) return;
        isFirst = false;
      }
    } finally {
      clearTimeout(timer);
      this.options.signal?.removeEventListener("abort", stop);
      end.abort();
    }
  }

  private waitForTime(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }
}

/** What only a picture showed is looked for in pictures. */
export function visionFor({ source }: StepRef): { readonly vision?: "on" } {
  return source !== undefined && isSeenSource(source) ? { vision: "on" } : {};
}

function readAnswer<Answer extends object>({ data, failure }: CallReply): Result<Answer> {
  if (failure !== undefined) return fail(failure);
  if (isAnswer<Answer>(data)) return succeed(data);
  return fail(makeFailure("FAILED", "the host gave no answer"));
}
