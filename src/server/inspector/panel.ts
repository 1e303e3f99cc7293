import { setTimeout as pause } from "node:timers/promises";
import type * as z from "zod/mini";
import { type CallRequest, type Host, isAnswer } from "../../host/port.ts";
import type { Events } from "../../inspector/messages.ts";
import type { Bounds } from "../../model/bounds.ts";
import type { Env } from "../../model/env.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { ElementDescriptionData } from "../../show/element-description.ts";
import type { FrameData } from "../../show/frame.ts";
import type { ListData, MonitorData, WindowData } from "../../show/list.ts";

/** The page that calls a method. There is one object for each page, so that panels can use it as the key of a WeakMap. */
export interface PanelContext {
  readonly host: Host;
  readonly env: Env;
  /** Only the browser window that shows the page has this in its title. */
  readonly ownTitle: string;
  /** Ends when the page is gone. */
  readonly signal: AbortSignal;
  /** Resolves when the page has taken what was sent; wait for it before sending much. */
  push<Name extends keyof Events>(event: Name, data: Events[Name]): Promise<void>;
  /** Sends a JPEG or PNG, and returns the number by which messages name it. */
  sendPicture(file: Uint8Array): number;
  /** Calls back whenever the host is connected (again), until the returned function is called. */
  onHostOpen(callback: () => void): () => void;
}

export interface Method {
  readonly name: string;
  readonly params: z.ZodMiniType;
  /** The signal ends when the page is gone or cancels the request. */
  run(params: unknown, context: PanelContext, signal: AbortSignal): Promise<Result<unknown>>;
}

/** Checks `run` against the schema's type, which the list of methods does not have. */
export function method<Params extends z.ZodMiniType>(
  name: string,
  params: Params,
  run: (params: z.infer<Params>, context: PanelContext, signal: AbortSignal) => Promise<Result<unknown>>,
): Method {
  return { name, params, run: (given, context, signal) => run(params.parse(given), context, signal) };
}

const retryMs = 1000;

/** Calls `follow` until the signal ends; after a failure, when the host is connected again or after a second. */
export async function followHost(
  context: PanelContext,
  signal: AbortSignal,
  follow: () => Promise<Failure | undefined>,
  onTrouble: (failure: Failure) => Promise<void>,
): Promise<void> {
  let connected = Promise.withResolvers<void>();
  const release = context.onHostOpen(() => connected.resolve());
  while (!signal.aborted) {
    const failure = await follow();
    if (failure === undefined || signal.aborted) continue;
    connected = Promise.withResolvers();
    await onTrouble(failure);
    await Promise.race([connected.promise, pause(retryMs)]);
  }
  release();
}

type Input = CallRequest["input"];

export class Asker {
  constructor(
    private readonly host: Pick<Host, "call">,
    private readonly signal: AbortSignal,
  ) {}

  async windows(): Promise<Result<readonly WindowData[]>> {
    const list = await this.ask<ListData>("list", {});
    if (!list.ok) return list;
    return succeed("windows" in list.value ? list.value.windows : []);
  }

  async monitors(): Promise<Result<readonly MonitorData[]>> {
    const list = await this.ask<ListData>("list", { monitors: true });
    if (!list.ok) return list;
    return succeed("monitors" in list.value ? list.value.monitors : []);
  }

  frame(input: Input): Promise<Result<FrameData>> {
    return this.ask("screenshot", input);
  }

  element(input: Input): Promise<Result<ElementDescriptionData>> {
    return this.ask("element", input);
  }

  /** `Answer` is the tool's declared output. */
  private async ask<Answer extends object>(tool: string, input: Input): Promise<Result<Answer>> {
    const { data, failure } = await this.host.call({ tool, input, formats: ["data"] }, { signal: this.signal });
    if (failure !== undefined) return fail(failure);
    if (isAnswer<Answer>(data)) return succeed(data);
    return fail(makeFailure("FAILED", `${tool} gave no answer`));
  }
}

export function toBounds([x, y, width, height]: WindowData["bounds"]): Bounds {
  return { x, y, width, height };
}
