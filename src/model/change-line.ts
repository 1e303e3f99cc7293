/**
 * One line of what a watch tells. Lines come in batches, one for each moment at which the screen was looked at; a `token`
 * line ends every batch, and whoever gives that token later is told what is different since.
 */
export type ChangeLine =
  | { readonly kind: "start"; readonly reason: StartReason }
  | ({ readonly kind: "appeared"; readonly in?: number; readonly depth?: number } & ChangedControl)
  | ({ readonly kind: "gone" } & ChangedControl)
  | ({ readonly kind: "changed"; readonly was: Readonly<Record<string, string>> } & ChangedControl)
  | ({ readonly kind: "focus" } & ChangedControl)
  | {
      readonly kind: "window";
      readonly what: "opened" | "closed" | "changed" | "focused";
      readonly window: number;
      readonly app: string;
      readonly title: string;
      readonly was?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "note"; readonly window: number; readonly code: string; readonly text: string }
  | { readonly kind: "token"; readonly token: string; readonly atMs: number };

/** Why everything that is there follows: nothing was known before, or what was cannot be compared any more. */
export type StartReason = "first" | "expired" | "restarted" | "other-selection";

interface ChangedControl {
  readonly id: number;
  readonly role: string;
  readonly name: string;
  readonly window: number;
  readonly value?: string;
  readonly states?: readonly string[];
  readonly bounds?: readonly [number, number, number, number];
}
