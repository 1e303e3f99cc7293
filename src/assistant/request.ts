/** A control as a person names it. */
export interface Target {
  readonly words: string;
  readonly role?: string | undefined;
  /** Which of several, from 1; -1 is the last. */
  readonly nth?: number | undefined;
  /** The window, application or container it is in. */
  readonly within?: string | undefined;
  readonly mark?: number | undefined;
}

type Arrangement = "minimize" | "maximize" | "restore" | "fullscreen";
type Direction = "up" | "down" | "left" | "right";

/** What a person wants, without the words they used. */
export type Request =
  | { readonly of: "press"; readonly target: Target; readonly how: "once" | "twice" | "right" }
  | { readonly of: "type"; readonly text: string; readonly target?: Target | undefined }
  | { readonly of: "set" | "choose"; readonly text: string; readonly target: Target }
  | { readonly of: "clear"; readonly target?: Target | undefined }
  | { readonly of: "check" | "uncheck" | "expand" | "collapse" | "focus" | "how" | "state"; readonly target: Target }
  | {
      readonly of: "key";
      readonly keys: string;
      readonly times: number;
      /** What was said, if it may also be the name of a control. */
      readonly words?: string | undefined;
      /** What a control that does the same is called: it is pressed instead, where one is in sight. */
      readonly instead?: string | undefined;
    }
  | { readonly of: "open" | "launch" | "switch"; readonly what: string }
  | { readonly of: "close"; readonly what?: string | undefined }
  | { readonly of: "arrange"; readonly operation: Arrangement; readonly what?: string | undefined }
  | { readonly of: "scroll"; readonly direction: Direction; readonly isToEnd: boolean }
  | { readonly of: "read"; readonly what: "this" | "text" | "dialog" | "selection" | "window" | "line" | Target }
  /** From 1. */
  | { readonly of: "line"; readonly at: number }
  | { readonly of: "where" | "screen" | "changed" | "actions" | "help" | "repeat" | "stop" }
  | { readonly of: "numbers"; readonly isOn: boolean };
