import type { Result } from "../../src/model/failure.ts";
import type { Hands } from "../../src/platform/hands.ts";
import type { Platform } from "../../src/platform/port.ts";

/** A window of an application on the stage. */
export interface Actor {
  readonly pid: number;
  readonly title: string;
}

/**
 * What a platform must be able to put on the screen to be judged. Every stage shows the same scene:
 *
 *   form     a text field with `typed` in it, a secret field with `secret` in it, and two buttons
 *   editor   a window with a closed menu called "File", which holds an entry that is not on the screen
 *   doomed   a window with a button, of an application that is going to end
 */
export interface Stage {
  readonly form: Actor;
  readonly editor: Actor;
  readonly doomed: Actor;
  readonly typed: string;
  readonly secret: string;
  open(): Promise<Result<Platform>>;
  openHands(platform: Platform): Promise<Result<Hands>>;
  /** The application stops answering, but its window stays. */
  stop(actor: Actor): void;
  resume(actor: Actor): void;
  /** The application ends at once, without a farewell. */
  end(actor: Actor): void;
  /** Presses the form's OK; gives back what the application received, by another route than reading. */
  submit(): Promise<string>;
  close(): Promise<void>;
}

export { waitFor as waitUntil } from "../wait.ts";
