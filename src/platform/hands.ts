import type { Selection } from "../model/clipboard.ts";
import type { ClipboardCommand, InputCommand, ProgramCommand, WindowCommand } from "../model/command.ts";
import type { Result } from "../model/failure.ts";
import type { ElementActor } from "../sources/port.ts";

/**
 * What changes the desktop. Only the guard holds it: no other folder may import this file, and nothing here judges.
 * A success says that the command was delivered, not that it had an effect; a failure says in `done` what was done.
 */
export interface Hands extends ElementActor, InputActor, WindowActor, ProgramActor, ClipboardActor {
  close(): void;
}

export interface InputActor {
  /** Releases every key and button that it presses and restores every keyboard setting that it changes, even after a crash. */
  input(command: InputCommand): Promise<Result<void>>;
}

export interface WindowActor {
  arrange(command: WindowCommand): Promise<Result<void>>;
}

export interface ProgramActor {
  /** Returns what was started or asked, in words; what was started is named as "process N". */
  doToProgram(command: ProgramCommand): Promise<Result<string>>;
}

export interface ClipboardActor {
  readClipboard(selection: Selection): Promise<Result<string>>;
  /** Every name of the application that a selection came from; none where nobody holds it. */
  findClipboardOwner(selection: Selection): Promise<Result<readonly string[]>>;
  writeClipboard(command: ClipboardCommand): Promise<Result<string>>;
}
