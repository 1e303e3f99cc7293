import type { Result } from "../../src/model/failure.ts";
import type { Hands } from "../../src/platform/hands.ts";
import type { Platform } from "../../src/platform/port.ts";

/** A window of an application in the scene. */
export interface SceneWindow {
  readonly pid: number;
  readonly title: string;
}

/**
 * The applications that a platform shows for the conformance tests. Every scene has the same windows:
 *
 *   form     a text field with `typed` in it, a secret field with `secret` in it, and two buttons
 *   editor   a window with a closed menu called "File", which contains an entry that is not on the screen
 *   doomed   a window with a button, of an application that will be ended
 */
export interface ConformanceScene {
  readonly form: SceneWindow;
  readonly editor: SceneWindow;
  readonly doomed: SceneWindow;
  readonly typed: string;
  readonly secret: string;
  open(): Promise<Result<Platform>>;
  openHands(platform: Platform): Promise<Result<Hands>>;
  /** Suspends the application; its window stays. */
  stop(window: SceneWindow): void;
  resume(window: SceneWindow): void;
  /** Kills the application. */
  end(window: SceneWindow): void;
  /** Presses the form's OK; returns what the application itself received. */
  submit(): Promise<string>;
  close(): Promise<void>;
}

export { waitFor as waitUntil } from "../wait.ts";
