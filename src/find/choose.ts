import type { Element } from "../model/element.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { quoteArgument, quoteName, quoteText } from "../model/plain-text.ts";
import { kindOfRole, shortRole } from "../model/role.ts";
import { isInOpenList } from "./hit.ts";
import { isNamed, type Match, normalise, roleReason } from "./match.ts";

/** A lower score is good enough to show, not to act on. */
export const sureScore = 0.6;
/** Minimum lead of the best match. */
const margin = 0.08;
const maxCandidates = 5;

/**
 * Those that fit as well as the best, in the order of a read. A refusal lists them so, and `--nth` counts them so.
 */
export function listEquals(matches: readonly Match[]): readonly Match[] {
  const [best, ...others] = matches;
  if (best === undefined) return [];
  // An exact name is unambiguous unless another element has it too.
  const near = others.filter((one) => one.score > best.score - margin && isNamed(one) >= isNamed(best));
  // A label shares the name of its control: the control is meant.
  const isMeant = ({ element }: Match): boolean => kindOfRole(element.role) === "control";
  const rivals = isNamed(best) && isMeant(best) ? near.filter(isMeant) : near;
  return [best, ...rivals].sort((a, b) => a.order - b.order);
}

/** The n-th of those that fit equally well, from 1, or −1 for the last; all matches without a number. */
export function takeNth(matches: readonly Match[], nth: number | undefined): readonly Match[] {
  if (nth === undefined) return matches;
  const chosen = listEquals(matches).at(nth > 0 ? nth - 1 : nth);
  return chosen === undefined ? [] : [chosen];
}

/** What tells each of several matches from the others: the innermost named container that only it is in. */
export function findOwnContainers(equals: readonly Match[]): ReadonlyMap<Match, Element> {
  const shown = equals.slice(0, maxCandidates);
  const isAround = ({ handle }: Element, { ancestors }: Match): boolean =>
    ancestors.some((one) => one.handle === handle);
  return new Map(
    shown.flatMap((match) => {
      const own = match.ancestors
        .slice(1)
        .findLast((one) => one.name !== "" && equals.every((other) => other === match || !isAround(one, other)));
      return own === undefined ? [] : [[match, own] as const];
    }),
  );
}

/**
 * Returns the one unambiguous match, or a refusal that lists the candidates with marks. Of several that fit equally well,
 * the only one that suits the order is meant: a text goes into the field "Find", not into the button "Find". So is the only
 * one in an open menu, and the only one that is spelt so: "Sort..." is not "Sort".
 */
export function chooseClear(
  words: string,
  matches: readonly Match[],
  numbers: ReadonlyMap<string, number>,
  suits?: (match: Match) => boolean,
): Result<Match> {
  const [best, ...others] = matches;
  if (best === undefined) throw new Error("no match to choose from");
  const equals = listEquals(matches);
  const containers = findOwnContainers(equals);
  const nameIt = ({ handle, role, name }: Element): string =>
    `${numbers.get(handle) ?? ""} ${shortRole(role)}${name === "" ? "" : ` ${quoteText(name)}`}`.trim();
  const describe = (match: Match): string => {
    const container = containers.get(match);
    const inside = container === undefined ? "" : `, inside ${nameIt(container)}`;
    return `${nameIt(match.element)} in ${quoteName(match.read.window.app)} (${match.reason})${inside}`;
  };
  const isOnlyOfKind = words === "" || (best.reason === roleReason && others.length === 0);
  if ((best.score < sureScore && !isOnlyOfKind) || best.reason.includes("spelt alike")) {
    return fail(
      makeFailure("NOT_FOUND", `nothing clearly matches "${words}"`, "use its mark (--id N) or its exact name.", {
        nearest: matches.slice(0, maxCandidates).map(describe),
      }),
    );
  }
  const [only, ...rivals] = equals;
  if (only !== undefined && rivals.length === 0) return succeed(only);
  // An open menu or list takes every press: what is beside it is not meant.
  const isOpen = ({ element, ancestors }: Match): boolean => isInOpenList(element, ancestors);
  const isSpeltSo = ({ element }: Match): boolean => element.name === words;
  // Whoever writes the dots means them.
  const small = words.toLowerCase();
  const isSpeltLike = ({ element }: Match): boolean =>
    small !== normalise(small) && element.name.toLowerCase() === small;
  for (const isPreferred of [suits ?? (() => true), isOpen, isSpeltSo, isSpeltLike]) {
    const [preferred, ...more] = equals.filter(isPreferred);
    if (preferred !== undefined && more.length === 0) return succeed(preferred);
  }
  const what =
    words === ""
      ? `there are ${equals.length} such controls`
      : `"${words}" matches ${equals.length} controls equally well`;
  const suggestion = suggestNarrowing(equals, containers, numbers);
  return fail(makeFailure("AMBIGUOUS", what, suggestion, { nearest: equals.slice(0, maxCandidates).map(describe) }));
}

/** The options that tell the candidates apart. */
function suggestNarrowing(
  equals: readonly Match[],
  containers: ReadonlyMap<Match, Element>,
  numbers: ReadonlyMap<string, number>,
): string {
  const list = (of: (match: Match) => string): readonly string[] => [...new Set(equals.map(of))];
  const [roles, apps] = [list(({ element }) => shortRole(element.role)), list(({ read }) => read.window.app)];
  const windows = list(({ read }) => String(read.window.id));
  const marks = [...containers.values()].flatMap(({ handle }) => numbers.get(handle) ?? []);
  const others = [
    ...(roles.length > 1 ? [`by its role: --role ${roles[0]}`] : []),
    ...(marks[0] === undefined ? [] : [`by what it is in: --within ${marks[0]}`]),
    ...(apps.length > 1 ? [`by its application: --app ${quoteArgument(apps[0] ?? "")}`] : []),
    ...(apps.length === 1 && windows.length > 1 ? [`by its window: --window-id ${windows[0]}`] : []),
  ];
  return `choose one by its mark: --id N; ${["by its place in this list: --nth 1", ...others].join("; or ")}.`;
}
