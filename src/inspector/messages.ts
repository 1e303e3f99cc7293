import type { Result } from "../model/failure.ts";
import type { ActivityEvents, ActivityMethods } from "./activity.ts";
import type { DemosEvents, DemosMethods } from "./demos.ts";
import type { ElementMethods } from "./element.ts";
import type { MapMethods } from "./map.ts";
import type { KeyName } from "./proof.ts";
import type { ScreenMethods, TreeEvents, TreeMethods } from "./screen.ts";

/**
 * The protocol between the page and the process that serves it: JSON over one socket.
 *
 *   page     hello    once, first, with a nonce
 *   server   proof    that it knows the key which it names; or `refused`, and the socket is closed
 *   page     proof    that it knows the key, too; without it, nothing else is sent
 *   server   welcome  or `refused`. No key is ever sent: both sides derive the session's key from that of the link
 *   page     {id, method, params}    answered as {id, ok, value} or {id, ok, failure}, in any order
 *   page     {cancel: id}            cancels a request
 *   server   {event, data}           at any time
 *   server   pictures: binary, 4 bytes with the picture's number (big-endian), then the file. A picture is sent before the answer
 *            or event that names it.
 *
 * Each panel declares its own methods and events in its file beside this one; their names begin with the panel's.
 */
export type Methods = ScreenMethods & TreeMethods & ElementMethods & MapMethods & ActivityMethods & DemosMethods;
export type Events = ShellEvents & TreeEvents & ActivityEvents & DemosEvents;

interface ShellEvents {
  /** Whether the host is connected; sent at the start and after each change. */
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

/** Further requests of one page are refused. */
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
