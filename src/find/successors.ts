import { listObjects } from "../map/certify.ts";
import type { Element } from "../model/element.ts";
import { quoteName, quoteText } from "../model/plain-text.ts";
import type { StoredRef } from "../model/ref.ts";
import { shortRole } from "../model/role.ts";
import { listElements, type Snapshot, type WindowRead } from "../model/snapshot.ts";
import { type Desktop, recognise } from "./read.ts";

const maxSuccessors = 3;

/**
 * The controls that have the role and the name of a refused mark now, with marks of their own, for the refusal to name.
 * One that carries the refused mark itself, or another mark that was shown with other words, is named without it: an
 * answer that shows it would let the next try through, which may have been meant for those other words.
 */
export function nameSuccessors(
  { marks }: Pick<Desktop, "marks">,
  snapshot: Snapshot,
  reads: readonly WindowRead[],
  mark: number,
  { role, name }: StoredRef,
): string[] {
  const isAlike = (element: Element): boolean => element.role === role && element.name === name;
  const alike = name === "" ? [] : listElements(reads).filter(isAlike);
  const shownFirst = alike.toSorted((a, b) => Number(a.states.has("hidden")) - Number(b.states.has("hidden")));
  const named = shownFirst.slice(0, maxSuccessors);
  const known = recognise(marks, snapshot, new Set());
  const objects = listObjects(marks, snapshot);
  const isNameable = (handle: string): boolean => {
    const own = known.get(handle) ?? objects.get(handle);
    return own === undefined || (own !== mark && marks.findRef(own)?.name === name);
  };
  const others = named.map(({ handle }) => handle).filter(isNameable);
  const numbers = others.length === 0 ? new Map() : recognise(marks, snapshot, new Set(others), true);
  return named.map((element) => {
    const own = isNameable(element.handle) ? numbers.get(element.handle) : undefined;
    const read = reads.find((one) => listElements([one]).includes(element));
    const words = `${shortRole(role)} ${quoteText(name)} in ${quoteName(read?.window.app ?? "")}`;
    return own === undefined ? words : `${own} ${words}`;
  });
}
