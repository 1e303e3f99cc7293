import { setTimeout as pause } from "node:timers/promises";
import type * as z from "zod/mini";
import type { Host } from "../../host/port.ts";
import type { Events } from "../../inspector/messages.ts";
import type { Env } from "../../model/env.ts";
import type { Failure, Result } from "../../model/failure.ts";

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

/** A request that the page may make. */
export interface Method {
  readonly name: string;
  readonly params: z.ZodMiniType;
  /** The signal ends when the page is gone or cancels the request. */
  run(params: unknown, context: PanelContext, signal: AbortSignal): Promise<Result<unknown>>;
}

interface Declared<Params extends z.ZodMiniType> {
  readonly name: string;
  readonly params: Params;
  run(params: z.infer<Params>, context: PanelContext, signal: AbortSignal): Promise<Result<unknown>>;
}

/** Checks `run` against the schema's type, which the list of methods does not have. */
export function defineMethod<Params extends z.ZodMiniType>(method: Declared<Params>): Method {
  return {
    name: method.name,
    params: method.params,
    run: (params, context, signal) => method.run(method.params.parse(params), context, signal),
  };
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
