import { type Result, succeed } from "../model/failure.ts";
import { type Desk, type Match, nameOf } from "./desk.ts";
import type { Target } from "./request.ts";

export type Choice =
  | { readonly kind: "one"; readonly match: Match }
  /** `isGuess`: none of them is called so. */
  | { readonly kind: "several"; readonly matches: readonly Match[]; readonly isGuess: boolean }
  | { readonly kind: "none" };

/** Where to look: the window that the person means. */
export type Where = { readonly windowId: number; readonly within?: number };

const maxChoices = 3;

/** Letters and digits alone: a person leaves out punctuation, ellipses and underscores. */
function simplify(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * The one control that the words name. A name that is said whole wins; most of a name only if no other control has it;
 * anything less is a question.
 */
export async function chooseControl(desk: Desk, target: Target, where: Where, roles?: string): Promise<Result<Choice>> {
  const role = target.role ?? roles;
  const asked = { ...where, words: target.words, ...(role === undefined ? {} : { role }) };
  const found = await desk.find(asked);
  if (!found.ok) return found;
  const usable = found.value.filter((one) => !one.x?.includes("hidden"));
  return succeed(pick(usable.length > 0 ? usable : found.value, target));
}

function pick(matches: readonly Match[], { words, nth }: Target): Choice {
  if (matches.length === 0) return { kind: "none" };
  const wanted = simplify(words);
  const names = (one: Match): readonly string[] =>
    [one.n, one.t].flatMap((name) => (name === undefined ? [] : [simplify(name)]));
  const whole = matches.filter((one) => wanted === "" || names(one).includes(wanted));
  const parts = matches.filter((one) => names(one).some((name) => isMostOf(name, wanted)));
  const fitting = [whole, parts].find(({ length }) => length > 0);
  if (fitting === undefined) return { kind: "several", matches: matches.slice(0, maxChoices), isGuess: true };
  const counted = nth === undefined ? undefined : fitting.at(nth < 0 ? nth : nth - 1);
  const [only = counted, ...others] = counted === undefined ? fitting : [counted];
  if (only === undefined) return { kind: "none" };
  if (others.length === 0) return { kind: "one", match: only };
  return { kind: "several", matches: fitting.slice(0, maxChoices), isGuess: false };
}

/** Of a name, so much must be said: who says "save" does not mean "Save As". */
const leastShare = 0.6;

/** Whether the words are most of a name. */
function isMostOf(name: string, wanted: string): boolean {
  const [there, said] = [name.split(" "), wanted.split(" ")];
  return wanted !== "" && said.every((word) => there.includes(word)) && said.length >= there.length * leastShare;
}

/** A choice that was offered, by its number, its name or its mark. */
export function takeOffered(offered: readonly Match[], answer: string, ordinal: number | undefined): Match | undefined {
  const byOrder =
    ordinal === undefined
      ? undefined
      : (offered.at(ordinal < 0 ? ordinal : ordinal - 1) ?? offered.find(({ i }) => i === ordinal));
  const said = simplify(answer);
  const named = offered.filter((one) => simplify(nameOf(one)) === said);
  return byOrder ?? (named.length === 1 ? named[0] : undefined);
}
