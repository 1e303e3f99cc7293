import type { Bounds } from "./bounds.ts";
import type { Failure } from "./failure.ts";

export interface Monitor {
  readonly name: string;
  readonly bounds: Bounds;
  readonly isPrimary: boolean;
}

export interface Window {
  /** The window system's id. */
  readonly id: number;
  readonly app: string;
  /** Other names of the application: class, instance, program. */
  readonly aliases: readonly string[];
  readonly pid: number;
  readonly title: string;
  readonly class: string;
  readonly bounds: Bounds;
  readonly isFocused: boolean;
  readonly state: readonly WindowState[];
  /** The window that it was opened for, as a dialog for its main window. */
  readonly ownerId?: number | undefined;
  readonly monitor: string;
  /** 0 is the frontmost window. */
  readonly zOrder: number;
}

/** A surface that is in no window list, such as a menu. */
export interface Popup extends Window {
  /** An open menu grabs pointer and keyboard. */
  readonly isMenu?: boolean | undefined;
  /** The keyboard is grabbed, and as far as can be told by this surface: keys go there, whichever window has the focus. */
  readonly hasGrab?: boolean | undefined;
}

/** A window that must not be read: only the names by which it may be requested, and the refusal. */
export interface Withheld {
  readonly id: number;
  readonly pid: number;
  readonly names: readonly string[];
  readonly refusal: Failure;
}

/** Whether two windows, which may be the same, belong to one process. */
export function isSameApplication(a: Window, b: Window): boolean {
  return a.id === b.id || (a.pid === b.pid && a.pid !== 0);
}

/** Identifies the application across restarts and titles: its program, or its class if the program is unknown. */
export function applicationKeyOf(window: Window): string {
  return window.aliases.at(-1) ?? window.app;
}

export type WindowState = "minimised" | "maximised" | "fullscreen" | "modal";

export interface Application {
  readonly app: string;
  readonly pid: number;
  readonly windowCount: number;
  readonly isFocused: boolean;
  readonly hasTree: boolean;
}
