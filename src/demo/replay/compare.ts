import { lastingStates } from "../../model/demo.ts";
import { quoteText } from "../../model/plain-text.ts";
import type { StepEffect, StepRef } from "../file.ts";
import { fillText, type Values } from "../parameters.ts";
import {
  flattenParts,
  isSameApp,
  isSimilarTitle,
  plainRole,
  plainText,
  plainTitle,
  type SeenEffect,
} from "./answers.ts";

/** What is different from the recording. */
export interface Comparison {
  /** Windows that opened then, and have not yet. */
  readonly unopened: readonly string[];
  readonly unclosed: readonly string[];
  /** Named things that appeared then; none of them has. */
  readonly unseen: readonly { readonly role: string; readonly name: string }[];
  /** What speaks against going on, whatever comes later. */
  readonly doubts: readonly string[];
  /** Differences that a person may want to know. */
  readonly notes: readonly string[];
}

/** The step whose effects are compared. */
interface Compared {
  readonly ref?: StepRef | undefined;
  readonly app?: string | undefined;
  readonly values: Values;
  /** Whether keys were typed, which go to where the caret is; and whether they are the recorded ones. */
  readonly isTyped?: boolean | undefined;
  readonly isSame?: boolean | undefined;
}

const ranks: Readonly<Record<string, number>> = { confirmed: 3, partial: 2, unverified: 1, "no-change": 1 };

export function compareEffect(
  recorded: StepEffect | undefined,
  seen: SeenEffect,
  { ref, app, values, isTyped = false, isSame = false }: Compared,
): Comparison {
  const fill = (text: string): string => fillText(text, values);
  const opened = seen.changes?.openedWindows ?? [];
  const closed = seen.changes?.closedWindows ?? [];
  const wantedOpen = (recorded?.opened ?? []).map(fill);
  const wantedClosed = (recorded?.closed ?? []).map(fill);
  const strangers = opened.filter(({ title }) => !wantedOpen.some((one) => isSimilarTitle(one, title)));
  const lost = closed.filter(({ title }) => !wantedClosed.some((one) => isSimilarTitle(one, title)));
  const own = typeof seen.target === "object" ? seen.target.app : undefined;
  const isOwn = (window: { readonly app: string }): boolean =>
    own === undefined ? isSameApp(app, window.app) : window.app === own;
  const unopened = wantedOpen.filter((one) => !opened.some(({ title }) => isSimilarTitle(one, title)));
  const appeared = new Set(flattenParts(seen.changes?.appeared).map(({ r, t = "" }) => nameKey(r, t)));
  const wantedParts = (recorded?.appeared ?? []).map(({ role, name }) => ({ role, name: fill(name) }));
  const isSomeSeen =
    wantedParts.length === 0 || wantedParts.some(({ role, name }) => appeared.has(nameKey(role, name)));
  return {
    unopened,
    unclosed: wantedClosed.filter((one) => !closed.some(({ title }) => isSimilarTitle(one, title))),
    unseen: isSomeSeen ? [] : wantedParts,
    doubts: [
      ...compareVerdicts(recorded, seen, fill),
      ...strangers
        .filter(isOwn)
        .map(({ title }) => `the window ${quoteText(title)} opened, which the recording does not have`),
      ...lost
        .filter(isOwn)
        .map(({ title }) => `the window ${quoteText(title)} closed, which stayed open in the recording`),
      ...compareTarget(recorded, seen, ref, fill, (after) => isTyped && (isSame || after.includes("{{"))),
    ],
    notes: [...strangers, ...lost]
      .filter((window) => !isOwn(window))
      .map(({ title }) => `meanwhile another application opened or closed ${quoteText(title)}`),
  };
}

function nameKey(role: string, name: string): string {
  return `${plainRole(role)} ${plainTitle(name)}`;
}

function compareVerdicts(
  recorded: StepEffect | undefined,
  seen: SeenEffect,
  fill: (text: string) => string,
): readonly string[] {
  const { effect, delivered } = seen;
  if (effect === "wrong-target") return ["something else than the target reacted"];
  if (!delivered) return [];
  const wanted = ranks[recorded?.verdict ?? "confirmed"] ?? 1;
  if ((ranks[effect] ?? 0) >= wanted || (effect === "unverified" && isChangedAlike(recorded, seen, fill))) return [];
  return [`its effect is ${effect}; it was ${recorded?.verdict ?? "not"} when it was recorded`];
}

/** Whether the same thing has the same value as after the recorded step: then the effect is the recorded one. */
function isChangedAlike(recorded: StepEffect | undefined, seen: SeenEffect, fill: (text: string) => string): boolean {
  return (recorded?.changed ?? []).some(({ role, name, what, after }) => {
    if (what !== "value" || after === "") return false;
    const key = nameKey(role, fill(name));
    const now = seen.changes?.changed?.find(({ r, t = "" }) => nameKey(r, t) === key);
    return now?.value !== undefined && plainText(now.value[1]) === plainText(fill(after));
  });
}

/** Longer values were cut off when they were recorded. */
const longestCompared = 100;

/** What changed on the target itself must be the same; what its application computed may be another with other values. */
function compareTarget(
  recorded: StepEffect | undefined,
  seen: SeenEffect,
  ref: StepRef | undefined,
  fill: (text: string) => string,
  isComparable: (value: string) => boolean,
): readonly string[] {
  if (ref?.name === undefined || ref.role === undefined) return [];
  const own = nameKey(ref.role, fill(ref.name));
  const now = seen.changes?.changed?.find(({ r, t = "" }) => nameKey(r, t) === own);
  const find = (aspect: string) =>
    recorded?.changed?.find(({ role, name, what }) => what === aspect && nameKey(role, fill(name)) === own);
  const text = find("value");
  const isCut = (text?.after.length ?? 0) >= longestCompared;
  if (text !== undefined && now?.value !== undefined && !isCut && isComparable(text.after)) {
    const [wanted, got] = [fill(text.after), now.value[1]];
    if (plainText(wanted) !== plainText(got)) return [`it holds ${quoteText(got)} now, not ${quoteText(wanted)}`];
  }
  const then = find("states");
  if (now?.states === undefined || then === undefined) return [];
  const [wanted, got] = [then.after, now.states[1]].map((states) =>
    lastingStates.filter((state) => states.split(" ").includes(state)).join(" "),
  );
  return wanted === got ? [] : [`it is ${got || "off"} now; it was ${wanted || "off"} after the recorded step`];
}
