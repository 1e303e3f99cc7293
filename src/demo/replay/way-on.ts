import type { Failure } from "../../model/failure.ts";

/** What to do before the rest can be done, where the failure itself says nothing better. */
const remedies: { readonly [Code in Failure["code"]]?: string } = {
  NOT_FOUND: "bring what it needs to the screen, or record the step again",
  AMBIGUOUS: "leave only one control that fits, or record the step again",
  REFUSED: "let a person decide",
  CANCELLED: "",
};

/** How to go on after a stop, in a whole sentence: what comes first, and which step is next. */
export function suggestWayOn(n: number, count: number, failure: Failure, isTouched: boolean): string {
  const isLast = n === count;
  const given = failure.suggestion?.replace(/[;.\s]+$/, "");
  if (isTouched) {
    const first = given === undefined ? "" : `${given}; `;
    const look = `${first}look whether step ${n} has done its work`;
    const again = `do it again with --from ${n}`;
    return isLast
      ? `${look}: it was the last one; or ${again}`
      : `${look}; then go on with --from ${n + 1}, or ${again}`;
  }
  const first = given ?? remedies[failure.code] ?? "mend that";
  return first === "" ? `go on with --from ${n}` : `${first}; then go on with --from ${n}`;
}

export function describeSteps(steps: readonly number[]): string {
  const [first = 0, last = 0] = [steps[0], steps.at(-1)];
  if (steps.length === 1) return `step ${first} was`;
  return last - first === steps.length - 1 ? `steps ${first} to ${last} were` : `steps ${steps.join(", ")} were`;
}
