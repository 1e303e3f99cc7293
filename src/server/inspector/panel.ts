import type * as z from "zod/mini";
import type { Host } from "../../host/port.ts";
import type { Events } from "../../inspector/messages.ts";
import type { Env } from "../../model/env.ts";
import type { Result } from "../../model/failure.ts";

/** What a method has of the page that calls it: one object for each page, so that a panel can hold things by it (a WeakMap). */
export interface PanelContext {
  readonly host: Host;
  readonly env: Env;
  /** In the title of the browser window that shows the page, and in no other. */
  readonly ownTitle: string;
  /** Ends when the page is gone. */
  readonly signal: AbortSignal;
  /** Resolves when the page has taken what waited for it; whoever tells much waits for it. */
  push<Name extends keyof Events>(event: Name, data: Events[Name]): Promise<void>;
  /** Sends a JPEG or PNG, and gives the number by which the page knows it. */
  sendPicture(file: Uint8Array): number;
  /** Calls back whenever what runs tools is there (again). */
  onHostOpen(callback: () => void): void;
}

/** Something that the page may ask for. */
export interface Method {
  readonly name: string;
  readonly params: z.ZodMiniType;
  /** The signal ends when the page is gone, or does not want the answer any more. */
  run(params: unknown, context: PanelContext, signal: AbortSignal): Promise<Result<unknown>>;
}

interface Declared<Params extends z.ZodMiniType> {
  readonly name: string;
  readonly params: Params;
  run(params: z.infer<Params>, context: PanelContext, signal: AbortSignal): Promise<Result<unknown>>;
}

/** Keeps the schema's type for the work, and forgets it for the list of methods. */
export function defineMethod<Params extends z.ZodMiniType>(method: Declared<Params>): Method {
  return {
    name: method.name,
    params: method.params,
    run: (params, context, signal) => method.run(method.params.parse(params), context, signal),
  };
}
