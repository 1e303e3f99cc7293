import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { quoteName, quoteText } from "../model/plain-text.ts";
import { kindOfRole, shortRole } from "../model/role.ts";
import { isNamed, type Match, roleReason } from "./match.ts";

/** A lower score is good enough to show, not to act on. */
export const sureScore = 0.6;
/** Minimum lead of the best match. */
const margin = 0.08;
const maxCandidates = 5;

/**
 * Returns the one unambiguous match, or a refusal that lists the candidates with marks. Of several that fit equally well,
 * the only one that suits the order is meant: a text goes into the field "Find", not into the button "Find".
 */
export function chooseClear(
  words: string,
  matches: readonly Match[],
  numbers: ReadonlyMap<string, number>,
  suits?: (match: Match) => boolean,
): Result<Match> {
  const [best, ...others] = matches;
  if (best === undefined) throw new Error("no match to choose from");
  // An exact name is unambiguous unless another element has it too.
  const near = others.filter((one) => one.score > best.score - margin && isNamed(one) >= isNamed(best));
  // A label shares the name of its control: the control is meant.
  const isMeant = ({ element }: Match): boolean => kindOfRole(element.role) === "control";
  const rivals = isNamed(best) && isMeant(best) ? near.filter(isMeant) : near;
  const describe = ({ element, read, reason }: Match): string => {
    const mark = numbers.get(element.handle);
    const name = element.name === "" ? "" : ` ${quoteText(element.name)}`;
    return `${mark ?? ""} ${shortRole(element.role)}${name} in ${quoteName(read.window.app)} (${reason})`.trim();
  };
  const isOnlyOfKind = words === "" || (best.reason === roleReason && others.length === 0);
  if ((best.score < sureScore && !isOnlyOfKind) || best.reason.includes("spelt alike")) {
    return fail(
      makeFailure("NOT_FOUND", `nothing clearly matches "${words}"`, "use its mark (--id N) or its exact name.", {
        nearest: matches.slice(0, maxCandidates).map(describe),
      }),
    );
  }
  if (rivals.length === 0) return succeed(best);
  const equals = [best, ...rivals];
  const isSpeltSo = ({ element }: Match): boolean => element.name === words;
  for (const isPreferred of [suits ?? (() => true), isSpeltSo]) {
    const [only, ...more] = equals.filter(isPreferred);
    if (only !== undefined && more.length === 0) return succeed(only);
  }
  const what =
    words === ""
      ? `there are ${equals.length} such controls`
      : `"${words}" matches ${equals.length} controls equally well`;
  return fail(
    makeFailure(
      "AMBIGUOUS",
      what,
      "choose one by its mark: --id N; or by its order: --nth 1; or by what it is in: --within N.",
      { nearest: equals.slice(0, maxCandidates).map(describe) },
    ),
  );
}
