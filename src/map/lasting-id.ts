import { hashNear } from "../model/hash.ts";
import type { Ref, Step } from "../model/ref.ts";
import { isInEntry } from "./evidence.ts";
import { windowOf } from "./newcomers.ts";

/**
 * An id that its author gave to one control for good: it holds in another language, and whatever the control says. An id
 * with a figure in it may be counted, and one that names a kind alone ("pushButton", "submit") is that of another control
 * on the next page.
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
/** Longer ones are mostly made up. */
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
 * The containers that belong to an id. A page is known by its address, and an id is unique in it by the rules of HTML:
 * whatever box it is in there. Elsewhere two pages of a window may each have a "saveButton".
 */
export function listTelling(path: readonly Step[]): readonly Step[] {
  const page = path.findLastIndex(({ role }) => role === "web");
  return page < 0 ? path : path.slice(page).filter(({ role, name }) => role !== "group" || name !== "");
}

/**
 * For each control with such an id, unique among those that were read of its window, the hash of it without any words; by
 * runtime id. Its containers belong to it, without theirs.
 */
export function listLastingIds(refs: readonly Ref[]): ReadonlyMap<string, string> {
  const own = refs.filter((ref) => isLastingId(ref.platformId) && !isInEntry(ref));
  const groups = Map.groupBy(own, (ref) => [ref.app, windowOf(ref), ref.role, ref.platformId].join("\u0004"));
  const lasting = new Map<string, string>();
  for (const [key, holders] of groups) {
    const [only] = holders;
    if (only === undefined || holders.length > 1) continue;
    const path = listTelling(only.path).map(({ role, name, index, count }) => {
      return role === "web" ? `web:${name}` : `${role}:${index}/${count}`;
    });
    lasting.set(only.runtimeId, hashNear(only.app, ["lasting", key, ...path].join("\u0004")));
  }
  return lasting;
}
