import type { Result } from "../model/failure.ts";
import type { ActivityEvents, ActivityMethods } from "./activity.ts";
import type { ElementEvents, ElementMethods } from "./element.ts";
import type { MapEvents, MapMethods } from "./map.ts";
import type { ScreenMethods } from "./screen.ts";
import type { TreeEvents, TreeMethods } from "./tree.ts";

/**
 * What the page and the process that serves it say to each other: JSON over one socket.
 *
 *   page     hello    once, first: the one-time token of its address, or the secret that it was given for one
 *   server   welcome  the secret to come back with, after a reload or a break; or `refused`, and the socket ends
 *   page     {id, method, params}    answered as {id, ok, value} or {id, ok, failure}, in any order
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
  readonly hello: { readonly token?: string | undefined; readonly session?: string | undefined };
}

export type Greeting =
  | { readonly welcome: { readonly session: string; readonly version: string; readonly title: string } }
  | { readonly refused: string };

export type PanelReply = { readonly id: number } & Result<unknown>;

export interface Push {
  readonly event: string;
  readonly data: unknown;
}
