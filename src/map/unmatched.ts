import type { Ref, Step } from "../model/ref.ts";
import type { MapStore } from "./store/port.ts";

/** An element of a read with the marks that evidence other than its appearance leads to. */
export interface Unmatched {
  readonly ref: Ref;
  /** The mark its object was last shown under. */
  readonly objectMark: number | undefined;
  /** The mark its lasting id was last shown under. */
  readonly idMark: number | undefined;
  /** Hash of its application's process run. */
  readonly life: string;
}

/** The names visible in each window now that were not visible there before. */
export type VisibleNames = ReadonlyMap<string, ReadonlySet<string>>;

export function listVisibleNames(store: Pick<MapStore, "findNames">, all: readonly Unmatched[]): VisibleNames {
  const names = store.findNames(all.flatMap(({ objectMark }) => objectMark ?? []));
  const news = all.filter(({ ref, objectMark }) => objectMark === undefined || names.get(objectMark) !== ref.name);
  const windows = Map.groupBy(news, ({ ref }) => windowKeyOf(ref));
  return new Map([...windows].map(([key, own]) => [key, new Set(own.map(({ ref }) => ref.name))]));
}

export function windowKeyOf(ref: Pick<Ref, "app" | "windows">): string {
  return `${ref.app}\u0004${windowOf(ref)}`;
}

export function isNameVisible(visible: VisibleNames, words: string, ref: Ref): boolean {
  return visible.get(windowKeyOf(ref))?.has(words) ?? false;
}

/** Distinguishes its window from others of the application whatever its title. */
export function windowOf({ windows }: Pick<Ref, "windows">): string {
  return windows.at(-1) ?? "";
}

/**
 * A label without the parts that change on the same control: case, a count in brackets, trailing dots and colons,
 * the sign of an unsaved document. A bare number stays: "Page 2" is not "Page 1".
 */
export function foldName(name: string): string {
  const folded = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[([]\s*\d[\d.,]*\s*[)\]]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const bare = folded.replace(/^[*•●]\s*|[.:*\s…]+$/g, "");
  return bare || folded || name;
}

/** The containers that a person sees: unnamed groups are layout only. */
export function listVisibleSteps(path: readonly Step[]): readonly Step[] {
  return path.filter((step) => !isUnnamedGroup(step));
}

export function isUnnamedGroup({ role, name }: Step): boolean {
  return role === "group" && name === "";
}
