import type { Point } from "./bounds.ts";
import type { Selection } from "./clipboard.ts";
import type { SingleElement } from "./element.ts";
import type { Combo } from "./keys.ts";
import type { Opener } from "./opener.ts";
import type { Window } from "./window.ts";

/** One command to the desktop, as plain data: planned by act/, judged by the guard, carried out by the platform. */
export type Command = ElementCommand | SecretCommand | InputCommand | WindowCommand | ProgramCommand | ClipboardCommand;

/** Through an element's accessibility interface, without pointer or keyboard. */
export type ElementCommand =
  /** One of the element's `platformActions`, by its own name. */
  | { readonly kind: "invoke"; readonly element: SingleElement; readonly action: string }
  | { readonly kind: "set-text"; readonly element: SingleElement; readonly text: string }
  | { readonly kind: "set-number"; readonly element: SingleElement; readonly value: number; readonly unit?: "percent" }
  | { readonly kind: "select"; readonly element: SingleElement; readonly isSelected: boolean }
  /** Sets the keyboard focus within the window without raising the window. */
  | { readonly kind: "focus"; readonly element: SingleElement }
  | { readonly kind: "reveal"; readonly element: SingleElement };

/** Fills a secret field. Only the platform ever sees the secret; this is its name. */
export interface SecretCommand {
  readonly kind: "fill-secret";
  readonly element: SingleElement;
  readonly secret: string;
  /** Through accessibility, or typed over the selection of the focused field. */
  readonly by: "text" | "keys";
}

/** Whether the field contains as many characters as the secret; untold if it does not report that. */
export type Filling = "counted" | "other" | "untold";

const elementCommands: readonly Command["kind"][] = ["invoke", "set-text", "set-number", "select", "focus", "reveal"];

export function isElementCommand(command: Command): command is ElementCommand {
  return elementCommands.includes(command.kind);
}

export const buttons = ["left", "middle", "right"] as const;
export type Button = (typeof buttons)[number];

export const directions = ["up", "down", "left", "right"] as const;
export type Direction = (typeof directions)[number];

/** Through pointer and keyboard; goes to whatever is there and focused. */
export type InputCommand =
  | { readonly kind: "point"; readonly point: Point }
  | { readonly kind: "click"; readonly point: Point; readonly button: Button; readonly count: 1 | 2 | 3 }
  | { readonly kind: "drag"; readonly from: Point; readonly to: Point; readonly button: Button }
  | { readonly kind: "wheel"; readonly point: Point; readonly direction: Direction; readonly amount: number }
  | { readonly kind: "type"; readonly text: string; readonly delayMs: number }
  /** One press. `times`: how many of them the action is, each a command of its own. */
  | { readonly kind: "keys"; readonly combo: Combo; readonly times?: number | undefined };

export type WindowOperation =
  | { readonly name: "front" | "back" | "minimize" | "restore" | "maximize" | "fullscreen" | "close" }
  | { readonly name: "move"; readonly x: number; readonly y: number }
  | { readonly name: "resize"; readonly width: number; readonly height: number };

/** Through the window manager. */
export interface WindowCommand {
  readonly kind: "window";
  readonly window: Window;
  readonly operation: WindowOperation;
}

export type ProgramCommand =
  /** Starts the program that opens it. */
  | { readonly kind: "open"; readonly opener: Opener }
  /** Asks the application to quit, as its close button would. */
  | { readonly kind: "quit"; readonly windows: readonly Window[]; readonly pid: number }
  /** Kills the process of a window that did not quit when asked. */
  | { readonly kind: "terminate"; readonly window: Window };

export interface ClipboardCommand {
  readonly kind: "write-clipboard";
  readonly text: string;
  readonly selection: Selection;
}
