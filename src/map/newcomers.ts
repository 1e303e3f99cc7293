import type { Ref } from "../model/ref.ts";

/** One element of a read, with what leads from it to marks beyond its exact look. */
export interface Unplaced {
  readonly ref: Ref;
  /** What its very object was last shown as. */
  readonly objectMark: number | undefined;
  /** What the same lasting id was last shown as. */
  readonly idMark: number | undefined;
  /** The hash of its application's run. */
  readonly life: string;
}

/** The names that are in each window now. */
export type Shown = ReadonlyMap<string, ReadonlySet<string>>;

export function listShown(all: readonly Unplaced[]): Shown {
  const windows = Map.groupBy(all, ({ ref }) => windowKeyOf(ref));
  return new Map([...windows].map(([key, own]) => [key, new Set(own.map(({ ref }) => ref.name))]));
}

export function windowKeyOf(ref: Pick<Ref, "app" | "windows">): string {
  return `${ref.app}\u0004${windowOf(ref)}`;
}

/** Whether words are to be seen in the window of a control. */
export function isShown(shown: Shown, words: string, ref: Ref): boolean {
  return shown.get(windowKeyOf(ref))?.has(words) ?? false;
}

/** What tells its window from others of the application at any title. */
export function windowOf({ windows }: Pick<Ref, "windows">): string {
  return windows.at(-1) ?? "";
}
