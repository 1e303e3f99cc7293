import { fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { quoteName, quoteText } from "../model/plain-text.ts";
import { kindOfRole, shortRole } from "../model/role.ts";
import { exactReason, type Match, roleReason, taughtReason } from "./match.ts";

/** Below this, words are a guess: good enough to show, not to act on. */
const sureScore = 0.6;
/** How much better than the next one the best match must be. */
const margin = 0.08;
const maxCandidates = 5;

/** The one match that is meant beyond doubt; otherwise a refusal that names what could be meant, with marks. */
export function chooseClear(
  words: string,
  matches: readonly Match[],
  numbers: ReadonlyMap<string, number>,
): Result<Match> {
  const [best, ...others] = matches;
  if (best === undefined) throw new Error("no match to choose from");
  // Its very name is beyond doubt, unless another one bears it too.
  const isNamed = ({ reason }: Match): boolean => reason === exactReason || reason === taughtReason;
  const near = others.filter((one) => one.score > best.score - margin && isNamed(one) >= isNamed(best));
  // A label bears the name of the control that it stands beside: that one is meant.
  const isMeant = ({ element }: Match): boolean => kindOfRole(element.role) === "control";
  const rivals = isNamed(best) && isMeant(best) ? near.filter(isMeant) : near;
  const describe = ({ element, read, reason }: Match): string => {
    const mark = numbers.get(element.runtimeId);
    const name = element.name === "" ? "" : ` ${quoteText(element.name)}`;
    return `${mark ?? ""} ${shortRole(element.role)}${name} in ${quoteName(read.window.app)} (${reason})`.trim();
  };
  const isOnlyOfKind = best.reason === roleReason && others.length === 0;
  if ((best.score < sureScore && !isOnlyOfKind) || best.reason.includes("spelt alike")) {
    return fail({
      code: "NOT_FOUND",
      message: `nothing is clearly called "${words}"`,
      nearest: matches.slice(0, maxCandidates).map(describe),
      suggestion: "name it by its mark (--id N), or by its own words.",
      done: nothingDone,
    });
  }
  if (rivals.length === 0) return succeed(best);
  return fail({
    code: "AMBIGUOUS",
    message: `"${words}" fits ${rivals.length + 1} controls equally well`,
    nearest: [best, ...rivals].slice(0, maxCandidates).map(describe),
    suggestion: "name the one you mean by its mark: --id N.",
    done: nothingDone,
  });
}
