import type { Selection } from "../model/clipboard.ts";
import type {
  ClipboardCommand,
  Filling,
  InputCommand,
  ProgramCommand,
  SecretCommand,
  WindowCommand,
} from "../model/command.ts";
import type { Failure, Result } from "../model/failure.ts";
import type { SecretPlace } from "../model/secrets.ts";
import type { Window } from "../model/window.ts";
import type { ElementActor, Glimpse } from "../sources/port.ts";

/**
 * What changes the desktop. Only the guard holds it: no other folder may import this file, and no policy is checked here.
 * Success means that the command was delivered, not that it had an effect; the `done` of a failure says what was done.
 */
export interface Hands extends ElementActor, SecretActor, InputActor, WindowActor, ProgramActor, ClipboardActor {
  close(): void;
}

/** The field that a secret is for, reached through its own source. */
export interface SecretField {
  /** The window that must have the keyboard if it is typed. */
  readonly window: Window | undefined;
  readonly recheck?: Recheck | undefined;
  readonly place: SecretPlace;
  glimpse(): Promise<Result<Glimpse | undefined>>;
  setText(text: string): Promise<Result<void>>;
}

export interface SecretActor {
  /** Whether there is a secret of that name for that place. It is not read: nobody should be asked about one that is missing. */
  checkSecret(name: string, place: SecretPlace): Promise<Result<void>>;
  /** The secret is read at this moment and given to the field alone; what the field holds afterwards is only counted. */
  fillSecret(command: SecretCommand, field: SecretField): Promise<Result<Filling>>;
}

/** Called before each further part of a command that lasts: why it must not go on. */
export type Recheck = () => Promise<Failure | undefined>;

export interface InputActor {
  /**
   * Releases every key and button that it presses and restores every keyboard setting that it changes, even after a crash.
   * Keys reach only the given window. If it closes or loses the keyboard, no more are sent, and the value says how many
   * arrived.
   */
  input(command: InputCommand, window?: Window, recheck?: Recheck): Promise<Result<string | undefined>>;
}

export interface WindowActor {
  arrange(command: WindowCommand): Promise<Result<void>>;
}

export interface ProgramActor {
  /** Describes what was started or asked; a started process as "process N". */
  doToProgram(command: ProgramCommand): Promise<Result<string>>;
}

export interface ClipboardActor {
  readClipboard(selection: Selection): Promise<Result<string>>;
  /** All names of the application that owns a selection; empty if nobody does. */
  findClipboardOwner(selection: Selection): Promise<Result<readonly string[]>>;
  writeClipboard(command: ClipboardCommand): Promise<Result<string>>;
}
