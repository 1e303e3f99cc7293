import type { Result } from "../model/failure.ts";
import type { ActivityEvents, ActivityMethods } from "./activity.ts";
import type { ElementEvents, ElementMethods } from "./element.ts";
import type { MapEvents, MapMethods } from "./map.ts";
import type { KeyName } from "./proof.ts";
import type { ScreenMethods } from "./screen.ts";
import type { TreeEvents, TreeMethods } from "./tree.ts";

/**
 * What the page and the process that serves it say to each other: JSON over one socket.
 *
 *   page     hello    once, first, with a number of its own
 *   server   proof    that it knows the key which it names; or `refused`, and the socket ends
 *   page     proof    that it knows it, too; nothing else is sent to who has not proved it
 *   server   welcome  or `refused`. No key is ever sent: that of the session is made out of that of the link by both
 *   page     {id, method, params}    answered as {id, ok, value} or {id, ok, failure}, in any order
 *   page     {cancel: id}            its answer is not wanted any more
 *   server   {event, data}           whenever it has something to tell
 *   server   pictures: binary, 4 bytes with its number (the most significant first), then the file. It comes before the answer or
 *            event that names it.
 *
 * Each panel declares its own methods and events in its file beside this one; their names begin with the panel's.
 */
export type Methods = ScreenMethods & TreeMethods & ElementMethods & MapMethods & ActivityMethods;
export type Events = ShellEvents & TreeEvents & ElementEvents & MapEvents & ActivityEvents;

interface ShellEvents {
  /** Whether what runs tools for this page can be reached; told at the start and whenever it is different. */
  readonly "shell.host": HostState;
}

export type HostState =
  | { readonly state: "open" }
  | { readonly state: "connecting" }
  | { readonly state: "lost"; readonly reason: string };

export interface Hello {
  readonly hello: { readonly nonce: string };
}

export interface PageProof {
  readonly proof: string;
}

export interface ServerProof {
  readonly by: KeyName;
  readonly nonce: string;
  readonly mac: string;
}

/** A page that asks for more at once is told to wait. */
export const maxUnderWay = 16;

export type Greeting =
  | { readonly proof: ServerProof }
  | { readonly welcome: { readonly version: string; readonly title: string } }
  | { readonly refused: string };

export type PanelReply = { readonly id: number } & Result<unknown>;

export interface Push {
  readonly event: string;
  readonly data: unknown;
}
