import type { Host } from "../../host/port.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { buildContext, type Context } from "../context/build.ts";
import { Desk, type SeenEffect, type SeenWindow } from "../desk.ts";
import type { Message, Model, ModelRequest, ToolCall, Usage } from "../model/port.ts";
import { AnswerCache } from "./cache.ts";
import { keepLast, maxMessages, writeSummaryRequest } from "./history.ts";
import { Fence, maxRounds, nudgeFor, writeInstructions } from "./prompt.ts";
import { modelTools, readCall } from "./tools.ts";

export interface DoneCall {
  readonly tool: string;
  readonly effect?: SeenEffect["effect"] | undefined;
  readonly failure?: Failure | undefined;
}

export interface Answer {
  readonly text: string;
  /** What the model did, in order. */
  readonly calls: readonly DoneCall[];
  readonly usage: Usage;
  readonly isCached: boolean;
  /** Why the answer is missing, or not whole. */
  readonly failure?: Failure | undefined;
}

export interface Listener {
  onText?(text: string): void;
  onCall?(call: DoneCall): void;
}

export interface ConversationOptions {
  readonly host: Pick<Host, "call" | "send">;
  /** Chosen afresh for each request. */
  openModel(): Promise<Result<Model>>;
  /** The window that is meant; undefined if there is none. */
  findWindow(): Promise<Result<SeenWindow | undefined>>;
  readonly now?: () => number;
}

const nothing: Usage = { inputTokens: 0, outputTokens: 0 };
const longestResult = 6000;

/** A conversation with a model that acts through the host's tools, as a client without rights of its own. */
export class Conversation {
  private history: readonly Message[] = [];
  private summary = "";
  private readonly cache: AnswerCache;
  private readonly fence = new Fence();
  private current: AbortController | undefined;

  constructor(private readonly options: ConversationOptions) {
    this.cache = new AnswerCache(options.now);
  }

  /** Stops what is under way: its network traffic and its actions. */
  cancel(): void {
    this.current?.abort();
  }

  /** A new request ends the one before. */
  async ask(query: string, listener: Listener = {}, signal?: AbortSignal): Promise<Answer> {
    this.cancel();
    const own = new AbortController();
    this.current = own;
    const both = signal === undefined ? own.signal : AbortSignal.any([own.signal, signal]);
    const turn = new Turn(query, listener, both);
    const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
    const abort = (): void => resolve(undefined);
    if (both.aborted) abort();
    both.addEventListener("abort", abort, { once: true });
    try {
      const failure = await Promise.race([this.run(turn), aborted.then(() => describeCancelled())]);
      return turn.end(failure);
    } finally {
      both.removeEventListener("abort", abort);
      if (this.current === own) this.current = undefined;
    }
  }

  /** What a request would send first, without sending it. */
  async preview(
    query: string,
  ): Promise<Result<{ readonly instructions: string; readonly url: string; readonly body: string }>> {
    const model = await this.options.openModel();
    if (!model.ok) return model;
    const context = await this.look(this.openDesk(model.value, new AbortController().signal));
    if (!context.ok) return context;
    const request = this.write(context.value, [{ role: "user", text: query }], 0);
    return succeed({ instructions: request.instructions, ...(await model.value.preview(request)) });
  }

  private async run(turn: Turn): Promise<Failure | undefined> {
    const opened = await this.options.openModel();
    if (!opened.ok) return opened.failure;
    const model = opened.value;
    const desk = this.openDesk(model, turn.signal);
    const first = await this.look(desk);
    if (!first.ok) return first.failure;
    const key = `${model.recipient} ${model.name} ${first.value.hash}`;
    const cached = this.cache.find(turn.query, key);
    if (cached !== undefined) return turn.takeCached(cached);
    const messages: Message[] = [...this.history, { role: "user", text: turn.query }];
    let context: Context | string = first.value;
    for (let round = 0; round < maxRounds; round += 1) {
      const said = await this.runRound(model, this.write(context, messages, round), turn);
      if (!said.ok) return said.failure;
      const { text, calls } = said.value;
      messages.push({ role: "assistant", text, calls: round < maxRounds - 1 ? calls : [] });
      if (calls.length === 0 || round === maxRounds - 1) {
        if (turn.signal.aborted) return undefined;
        if (text === "") return describeUnfinished();
        if (!turn.hasActed) this.cache.add(turn.query, key, text);
        return this.keep(messages, model, turn);
      }
      for (const call of calls) {
        messages.push({ role: "tool", call, text: this.fence.enclose(await this.perform(desk, call, turn)) });
        if (turn.signal.aborted) return undefined;
      }
      const again = await this.look(desk);
      context = again.ok ? again.value : `The window cannot be read now: ${again.failure.message}.`;
    }
    return describeUnfinished();
  }

  private openDesk(model: Model, signal: AbortSignal): Desk {
    return new Desk(this.options.host, { signal: () => signal, recipient: model.recipient });
  }

  private async look(desk: Desk): Promise<Result<Context>> {
    const window = await this.options.findWindow();
    if (!window.ok) return window;
    if (window.value !== undefined) return buildContext(desk, window.value);
    return fail(makeFailure("NOT_FOUND", "no window is open", "open an application first."));
  }

  private write(context: Context | string, messages: readonly Message[], round: number): ModelRequest {
    const { fence, summary } = this;
    const instructions = writeInstructions(context, { fence, summary, nudge: nudgeFor(round) });
    return { instructions, messages, tools: modelTools, mayCall: round < maxRounds - 1 };
  }

  private async runRound(
    model: Model,
    request: ModelRequest,
    turn: Turn,
  ): Promise<Result<{ readonly text: string; readonly calls: readonly ToolCall[] }>> {
    const calls: ToolCall[] = [];
    let [text, isEnded] = ["", false];
    for await (const part of model.stream(request, turn.signal)) {
      if (!part.ok) return part;
      if (part.value.of === "text") text += turn.say(part.value.text, text === "");
      if (part.value.of === "call") calls.push(part.value.call);
      if (part.value.of !== "end") continue;
      isEnded = true;
      turn.count(part.value.usage);
      if (part.value.isRefused) return fail(makeFailure("FAILED", "the model declined to answer", "ask otherwise."));
    }
    if (!isEnded && !turn.signal.aborted) {
      return fail(makeFailure("UNAVAILABLE", "the model's answer broke off", "ask again."));
    }
    return succeed({ text, calls });
  }

  /** Failures are answers, too: the model may find another way. */
  private async perform(desk: Desk, call: ToolCall, turn: Turn): Promise<string> {
    const meant = readCall(call);
    if (typeof meant === "string") return turn.note({ tool: call.tool }, meant);
    const { tool, input, acts } = meant;
    if (acts) turn.hasActed = true;
    const reply = await desk.call(tool, input, ["text", "data"]);
    const { failure } = reply;
    if (failure !== undefined) {
      const told = [failure.message, failure.suggestion ?? "", ...(failure.nearest ?? [])].filter(
        (part) => part !== "",
      );
      return turn.note({ tool, failure }, `${failure.code}: ${told.join("; ")}`);
    }
    const effect = readEffect(reply.data);
    const text = reply.outputs.text ?? "";
    return turn.note({ tool, effect }, text.length > longestResult ? `${text.slice(0, longestResult)}…` : text);
  }

  private async keep(messages: readonly Message[], model: Model, turn: Turn): Promise<undefined> {
    this.history = messages;
    if (messages.length <= maxMessages) return;
    let summary = "";
    for await (const part of model.stream(writeSummaryRequest(messages, this.summary), turn.signal)) {
      if (!part.ok) break;
      if (part.value.of === "text") summary += part.value.text;
      if (part.value.of === "end") turn.count(part.value.usage);
    }
    if (summary === "") this.history = keepLast(messages);
    else [this.history, this.summary] = [[], summary];
  }
}

/** One request and its answer, as far as it has come. */
class Turn {
  hasActed = false;
  private readonly calls: DoneCall[] = [];
  private text = "";
  private usage: Usage = nothing;
  private isCached = false;
  private isOver = false;

  constructor(
    readonly query: string,
    private readonly listener: Listener,
    readonly signal: AbortSignal,
  ) {}

  /** Nothing is said any more once it is over, whatever still arrives. */
  say(part: string, isFirst: boolean): string {
    if (this.isOver || this.signal.aborted) return part;
    const shown = isFirst && this.text !== "" ? `\n\n${part}` : part;
    this.text += shown;
    this.listener.onText?.(shown);
    return part;
  }

  note(call: DoneCall, text: string): string {
    this.calls.push(call);
    if (!this.isOver) this.listener.onCall?.(call);
    return text;
  }

  count({ inputTokens, outputTokens, cost }: Usage): void {
    const { usage } = this;
    const sum = cost === undefined && usage.cost === undefined ? {} : { cost: (usage.cost ?? 0) + (cost ?? 0) };
    this.usage = {
      inputTokens: usage.inputTokens + inputTokens,
      outputTokens: usage.outputTokens + outputTokens,
      ...sum,
    };
  }

  takeCached(text: string): undefined {
    this.isCached = true;
    this.say(text, true);
  }

  end(failure: Failure | undefined): Answer {
    this.isOver = true;
    const { text, calls, usage, isCached, signal } = this;
    const reason = failure ?? (signal.aborted ? describeCancelled() : undefined);
    return { text, calls: [...calls], usage, isCached, ...(reason === undefined ? {} : { failure: reason }) };
  }
}

const effects: readonly unknown[] = ["confirmed", "partial", "unverified", "no-change", "wrong-target", "would"];

function readEffect(data: unknown): SeenEffect["effect"] | undefined {
  const effect: unknown = typeof data === "object" && data !== null ? Reflect.get(data, "effect") : undefined;
  return isEffect(effect) ? effect : undefined;
}

function isEffect(value: unknown): value is SeenEffect["effect"] {
  return effects.includes(value);
}

function describeCancelled(): Failure {
  return makeFailure("CANCELLED", "it was cancelled", "ask again.");
}

function describeUnfinished(): Failure {
  return makeFailure("FAILED", `the model did not come to an answer in ${maxRounds} rounds`, "ask for less at once.");
}
