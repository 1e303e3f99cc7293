import { type Result, succeed } from "../model/failure.ts";
import { rolesNamed, shortRole } from "../model/role.ts";
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

/**
 * Letters and digits alone: a person leaves out punctuation, ellipses and underscores. A name of signs alone, such as "+",
 * stays as it is.
 */
export function simplify(text: string): string {
  const words = text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return words === "" ? text.trim() : words;
}

/**
 * The one control that the words name. A name that is said whole wins; most of a name only if no other control has it;
 * anything less is a question.
 */
export async function chooseControl(desk: Desk, target: Target, where: Where, roles?: string): Promise<Result<Choice>> {
  const role = target.role ?? roles;
  if (target.words === "" && role !== undefined) return chooseByRole(desk, target, role, where);
  const asked = { ...where, words: target.words, ...(role === undefined ? {} : { role }) };
  const found = await desk.find(asked);
  if (!found.ok) return found;
  const usable = found.value.filter((one) => !one.x?.includes("hidden"));
  return succeed(pick(usable.length > 0 ? usable : found.value, target));
}

/** "The button", "the second field": whatever it is called. */
async function chooseByRole(desk: Desk, target: Target, role: string, { windowId }: Where): Promise<Result<Choice>> {
  const read = await desk.read(windowId);
  if (!read.ok) return read;
  const wanted = new Set(role.split(",").flatMap((name) => rolesNamed(name).map(shortRole)));
  const there = read.value.filter(({ r, x }) => wanted.has(r) && !x?.includes("hidden"));
  return succeed(
    pick(
      there.map((one) => ({ ...one, score: 1, why: "", in: [], app: "", window: "", id: windowId })),
      target,
    ),
  );
}

function pick(matches: readonly Match[], { words, nth }: Target): Choice {
  if (matches.length === 0) return { kind: "none" };
  const wanted = simplify(words);
  const names = (one: Match): readonly string[] =>
    [one.n, one.t].flatMap((name) => (name === undefined ? [] : [simplify(name)]));
  const whole = matches.filter((one) => wanted === "" || isCalled(one, words));
  const parts = matches.filter((one) => names(one).some((name) => isMostOf(name, wanted)));
  const fitting = [whole, parts].find(({ length }) => length > 0);
  if (fitting === undefined) return { kind: "several", matches: matches.slice(0, maxChoices), isGuess: true };
  if (nth !== undefined) {
    const counted = fitting.at(nth < 0 ? nth : nth - 1);
    return counted === undefined ? { kind: "none" } : { kind: "one", match: counted };
  }
  const [only, ...others] = dropLabels(fitting);
  if (only !== undefined && others.length === 0) return { kind: "one", match: only };
  return { kind: "several", matches: fitting.slice(0, maxChoices), isGuess: false };
}

/** A text that is called like one control is its label: the control is meant. */
function dropLabels(matches: readonly Match[]): readonly Match[] {
  const controls = matches.filter(({ r }) => r !== "txt");
  return controls.length === 1 ? controls : matches;
}

/** The control in sight of which the words are the whole name; undefined if there is none, or more than one. */
export async function findCalled(desk: Desk, words: string, where: Where): Promise<Match | undefined> {
  const found = await desk.find({ ...where, words });
  if (!found.ok) return undefined;
  const inSight = found.value.filter(({ r, x }) => r !== "txt" && !x?.includes("hidden"));
  const [only, ...others] = inSight.filter((one) => isCalled(one, words));
  return others.length === 0 ? only : undefined;
}

function isCalled({ n, t }: Match, words: string): boolean {
  return [n, t].some((name) => name !== undefined && simplify(name) === simplify(words));
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
