import type { Point } from "./bounds.ts";
import type { Button, Direction } from "./command.ts";
import type { Modifier } from "./keys.ts";

/** One input of a person, or of a program other than Deskmap that sends input in a person's place. */
export type PersonInput = {
  /** When it happened, by the wall clock. */
  readonly atMs: number;
  /** How much later this process learned of it. */
  readonly lagMs: number;
  readonly modifiers: readonly Modifier[];
} & (
  | { readonly kind: "press" | "release"; readonly button: Button; readonly point: Point }
  | { readonly kind: "wheel"; readonly direction: Direction; readonly point: Point }
  /** `key` as in a combination; `text` is what it types by the layout in use, if that is a text. */
  | { readonly kind: "key"; readonly key: string; readonly text: string | undefined }
  | { readonly kind: "key-release"; readonly key: string }
);
