import type { Selection } from "../model/clipboard.ts";
import type { Command } from "../model/command.ts";
import type { SingleElement } from "../model/element.ts";
import type { Env } from "../model/env.ts";
import type { Result } from "../model/failure.ts";
import type { Window } from "../model/window.ts";

/** Who asks: a program by the name it gives, or the command line. */
export interface Client {
  readonly name: string;
}

/** A name that a client gives itself. */
const clientVariable = "DESKMAP_CLIENT";

export function clientOf(env: Env): Client {
  return { name: env[clientVariable] || "cli" };
}

/** What a command is meant for, as far as whoever planned it knows. */
export interface Request {
  readonly tool: string;
  readonly window?: Window | undefined;
  readonly element?: SingleElement | undefined;
  readonly mark?: number | undefined;
  /** Where something is dragged to. */
  readonly onto?: SingleElement | undefined;
  /** What the element is in, the outermost first. */
  readonly within?: (() => readonly SingleElement[]) | undefined;
  /** What else the window says: the question over two buttons, the text of a dialog. */
  readonly surroundings?: (() => readonly string[]) | undefined;
  /** Whether the application tells of the menu that it has open. */
  readonly tellsMenu?: (() => boolean) | undefined;
}

/** The one way to the desktop: what it does not let through is not done. */
export interface Gate {
  /** Judges a command before anything is prepared for it; a person is asked now, while nothing has been moved. */
  foresee(command: Command, request: Request): Promise<Result<void>>;
  /**
   * Lets those who look on see what is there, and waits for that; true where somebody does. What is checked besides the guard's
   * own rules is checked after this.
   */
  showBefore?(request: Request, command?: Command): Promise<boolean>;
  /** Delivers a command, or refuses it. What comes back says what was delivered, not what it did. */
  carryOut(command: Command, request: Request): Promise<Result<string>>;
  readClipboard(request: Request, selection: Selection): Promise<Result<string>>;
}
