import type { Foretold } from "../../model/foretold.ts";
import { quoteText } from "../../model/plain-text.ts";
import type { Demo, Step } from "../file.ts";
import { fillText, type Values } from "../parameters.ts";
import { isSameApp, isSimilarTitle, type SeenWindow } from "./answers.ts";

/** Where nothing has changed for so long, a recording takes the effect of a step as complete. */
const lookedMs = 250;
/** Most effects begin in this time. */
const briefMs = 60;
/** Nothing is done after the last step that could meet with its late effect: it is looked for as after any action. */
const lastMs = 550;

/**
 * How long to look for an effect of a step where the recording, which looked long enough, shows that nothing comes of it;
 * undefined if it shows an effect, or cannot tell.
 */
export function findSilence({ steps }: Demo, n: number, to: number): number | undefined {
  const [step, next] = [steps[n - 1], steps[n]];
  if (step?.effect === undefined) return undefined;
  const isPress = step.tool === "click" || (step.tool === "type" && step.input.key !== undefined);
  const { verdict, opened, closed, appeared, gone, changed } = step.effect;
  const isNothing = [opened, closed, appeared, gone, changed].every((list = []) => list.length === 0);
  if (!isPress || !isNothing || (verdict !== "unverified" && verdict !== "no-change")) return undefined;
  if (next === undefined || n >= to) return lastMs;
  const freeMs = (next.after_ms ?? 0) - (step.after_ms ?? 0) - (step.took_ms ?? 0);
  return freeMs < lookedMs ? undefined : briefMs;
}

/** Longer texts were cut off when they were recorded. */
const longestCompared = 100;

/** What the recording saw, with the values of this run. */
export function listForetold({ effect }: Step, values: Values): Foretold {
  const changed = effect?.changed?.flatMap(({ role, name, what, after }) => {
    const now = fillText(after, values);
    const isText = (what === "value" || what === "name") && now.length < longestCompared;
    return isText ? [{ role, name: fillText(name, values), what, after: now }] : [];
  });
  return { isUnproven: effect?.verdict === "unverified" || effect?.verdict === "no-change", changed };
}

/** The windows before a press of which nothing was expected. */
export interface Unwatched {
  readonly n: number;
  readonly app: string | undefined;
  readonly windows: readonly SeenWindow[];
}

/** A window that opened since such a press, and that no step of the demo uses: in words. */
export function findStranger(
  { n, app, windows }: Unwatched,
  now: readonly SeenWindow[],
  steps: readonly Step[],
  values: Values,
): string | undefined {
  const isKnown = ({ title }: SeenWindow): boolean =>
    steps.some((one) => one.window !== undefined && isSimilarTitle(fillText(one.window, values), title));
  const stranger = now.find(
    (one) => isSameApp(app, one.app) && windows.every(({ id }) => id !== one.id) && !isKnown(one),
  );
  if (stranger === undefined) return undefined;
  return `the window ${quoteText(stranger.title)} opened after step ${n}, which the recording does not have`;
}
