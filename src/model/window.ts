import type { Bounds } from "./bounds.ts";
import type { Failure } from "./failure.ts";

export interface Monitor {
  readonly name: string;
  readonly bounds: Bounds;
  readonly isPrimary: boolean;
}

export interface Window {
  /** The window system's own id. */
  readonly id: number;
  readonly app: string;
  /** Other names by which a person may call the application: class, instance, program. */
  readonly aliases: readonly string[];
  readonly pid: number;
  readonly title: string;
  readonly class: string;
  readonly bounds: Bounds;
  readonly isFocused: boolean;
  readonly state: readonly WindowState[];
  readonly monitor: string;
  /** 0 is the window in front. */
  readonly zOrder: number;
}

/** What is on the screen and in no list of windows. */
export interface Overlay extends Window {
  /** An open menu takes the pointer and the keyboard from everything else. */
  readonly isMenu?: boolean | undefined;
}

/** A window that must not be looked at: only by what it may be asked for, and what is answered then. */
export interface Withheld {
  readonly id: number;
  readonly pid: number;
  /** Of its application. */
  readonly names: readonly string[];
  readonly refusal: Failure;
}

/** Names the application across restarts and titles: its program, or its class where the program is hidden. */
export function applicationKeyOf(window: Window): string {
  return window.aliases.at(-1) ?? window.app;
}

export type WindowState = "minimised" | "maximised" | "fullscreen";

export interface Application {
  readonly app: string;
  readonly pid: number;
  readonly windowCount: number;
  readonly isFocused: boolean;
  /** Whether it offers an accessibility tree. */
  readonly hasTree: boolean;
}
