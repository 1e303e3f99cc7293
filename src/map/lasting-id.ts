import { hashNear } from "../model/hash.ts";
import type { Ref, Step } from "../model/ref.ts";
import { isInEntry } from "./evidence.ts";
import { windowOf } from "./unmatched.ts";

/**
 * Whether an id was given to one control permanently: it survives renaming and translation. An id with a digit may be a
 * counter, and one that only names a kind ("pushButton", "submit") belongs to another control on the next page.
 */
export function isLastingId(id: string): boolean {
  if (id.length < minLength || id.length > maxLength || /\d/.test(id)) return false;
  const words = id
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .match(/\p{L}+/gu);
  return (words ?? []).some((word) => word.length > 1 && !kindWords.has(word));
}

const minLength = 3;
/** Longer ids are mostly generated. */
const maxLength = 60;

const kindWords: ReadonlySet<string> = new Set(
  `action back box btn button cancel central centralwidget check checkbox close combo combobox container content control
  dialog edit entry field form frame grid group groupbox header icon image input item label layout line lineedit link list
  main menu menubar next ok option page panel prev previous push pushbutton qt radio row scroll search section select spin
  stack stacked status statusbar submit tab table text title tool toolbar toolbutton tree view web widget window wrapper`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/**
 * The containers that qualify an id. In a page, HTML makes ids unique, so unnamed groups do not matter. Elsewhere two
 * pages of a window may each have a "saveButton".
 */
export function listQualifyingSteps(path: readonly Step[]): readonly Step[] {
  const page = path.findLastIndex(({ role }) => role === "web");
  return page < 0 ? path : path.slice(page).filter(({ role, name }) => role !== "group" || name !== "");
}

/** By handle: a hash of each lasting id that is unique in its window, with its containers but without names. */
export function listLastingIds(refs: readonly Ref[]): ReadonlyMap<string, string> {
  const own = refs.filter((ref) => isLastingId(ref.platformId) && !isInEntry(ref));
  const groups = Map.groupBy(own, (ref) => [ref.app, windowOf(ref), ref.role, ref.platformId].join("\u0004"));
  const lasting = new Map<string, string>();
  for (const [key, holders] of groups) {
    const [only] = holders;
    if (only === undefined || holders.length > 1) continue;
    const path = listQualifyingSteps(only.path).map(({ role, name, index, count }) => {
      return role === "web" ? `web:${name}` : `${role}:${index}/${count}`;
    });
    lasting.set(only.handle, hashNear(only.app, ["lasting", key, ...path].join("\u0004")));
  }
  return lasting;
}
