import type { Selection } from "../model/clipboard.ts";
import type { ElementDeed, Filling, InputDeed, SecretDeed, SystemDeed, WindowDeed } from "../model/deed.ts";
import type { Result } from "../model/failure.ts";

/**
 * What changes the desktop. The guard alone holds it: no other folder may import this file, and nothing here judges.
 * A success says that the deed was delivered, never that it had an effect; a failure says in `done` what was.
 */
export interface Hands {
  doToElement(deed: ElementDeed): Promise<Result<void>>;
  /** Whether there is a secret of that name, which is not read: nobody is to be asked about one that is missing. */
  checkSecret(name: string): Promise<Result<void>>;
  /** The secret is read at this moment, and goes nowhere but into the field; what it holds then is only counted. */
  fillSecret(deed: SecretDeed): Promise<Result<Filling>>;
  /** Every key and button it presses is released, every keyboard setting it changes restored, also after a crash. */
  input(deed: InputDeed): Promise<Result<void>>;
  arrange(deed: WindowDeed): Promise<Result<void>>;
  /** What was started or asked, in words; what was started is named as "process N". */
  doToSystem(deed: SystemDeed): Promise<Result<string>>;
  readClipboard(selection: Selection): Promise<Result<string>>;
  /** Every name of the application that a selection came from; none where nobody holds it. */
  findClipboardOwner(selection: Selection): Promise<Result<readonly string[]>>;
  close(): void;
}
