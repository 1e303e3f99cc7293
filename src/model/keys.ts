/** A key combination such as Ctrl+Shift+T: modifiers in the order they are pressed, then one key. */
export interface Combo {
  readonly modifiers: readonly Modifier[];
  /** A key's name ("Return", "F7") in the X vocabulary, or one character. */
  readonly key: string;
}

export const modifiers = ["ctrl", "alt", "shift", "super"] as const;
export type Modifier = (typeof modifiers)[number];
