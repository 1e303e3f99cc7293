import type { Failure } from "../model/failure.ts";
import type { DoneCall } from "./conversation/conversation.ts";
import type { SeenEffect, SeenWindow } from "./desk.ts";
import type { Usage } from "./model/port.ts";
import type { Request } from "./request.ts";

export interface Reply {
  readonly text: string;
  /** What was understood; undefined if nothing was. */
  readonly understood?: Request | undefined;
  /** The verdict on an action. */
  readonly effect?: SeenEffect["effect"] | undefined;
  /** The controls that the person is asked to choose from. */
  readonly choices?: readonly number[] | undefined;
  /** Whether none of the choices is called so: another reading of the request may fit better. */
  readonly isGuess?: boolean | undefined;
  readonly failure?: Failure | undefined;
  /** If a model answered. */
  readonly model?: ModelReply | undefined;
}

export interface ModelReply {
  readonly name: string;
  readonly usage: Usage;
  readonly calls: readonly DoneCall[];
  readonly isCached: boolean;
}

export interface AssistantOptions {
  /** Of the request that is being answered. */
  readonly signal?: (() => AbortSignal) | undefined;
  readonly isTyped?: boolean | undefined;
  /** The window that is meant where the request names none. */
  readonly windowId?: number | undefined;
  /** Applications that are never meant, such as the terminal of the conversation. */
  readonly isOwn?: ((window: SeenWindow) => boolean) | undefined;
}
