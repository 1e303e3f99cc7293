import type { Selection } from "../model/clipboard.ts";
import type { Command } from "../model/command.ts";
import type { SingleElement } from "../model/element.ts";
import type { Env } from "../model/env.ts";
import type { Result } from "../model/failure.ts";
import type { Window } from "../model/window.ts";
import { type ProcessKey, processes } from "../os/index.ts";

export interface Client {
  /** The name that the program gives itself; "cli" for the command line. */
  readonly name: string;
  /** Its process, by the kernel's word; undefined if it is not known. */
  readonly process?: ProcessKey | undefined;
}

/** The name of a command that says nothing else of itself. */
export const commandLine = "cli";

/** The client of a process; of this one if none is given. */
export function clientOf(env: Env, caller: ProcessKey = processes.own()): Client {
  return { name: env.DESKMAP_CLIENT || commandLine, process: caller };
}

/** The target of a command, as planned. */
export interface Request {
  readonly tool: string;
  readonly window?: Window | undefined;
  readonly element?: SingleElement | undefined;
  readonly mark?: number | undefined;
  /** The target of a drag. */
  readonly onto?: SingleElement | undefined;
  /** The element's ancestors, outermost first. */
  readonly within?: (() => readonly SingleElement[]) | undefined;
  /** Other texts in the window, such as the question of a dialog. */
  readonly surroundings?: (() => readonly string[]) | undefined;
  /** Everything that its window shows, for the entries that are selected and the path in a field. */
  readonly elements?: (() => readonly SingleElement[]) | undefined;
  /** Whether the application reports its open menu. */
  readonly tellsMenu?: (() => boolean) | undefined;
}

/** The only way to act on the desktop. */
export interface Gate {
  /** Checks a planned command before anything is prepared; a person is asked now, before anything has moved. */
  foresee(command: Command, request: Request): Promise<Result<void>>;
  /** Shows observers the target before the action, and waits for that; true if there are any. Other checks come after it. */
  showBefore?(request: Request, command?: Command): Promise<boolean>;
  /** Delivers a command, or refuses it. Returns what was delivered, not its effect. */
  carryOut(command: Command, request: Request): Promise<Result<string>>;
  readClipboard(request: Request, selection: Selection): Promise<Result<string>>;
}
