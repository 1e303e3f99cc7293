import { isAnswer } from "../../host/port.ts";
import type { Failure } from "../../model/failure.ts";
import { quoteName, quoteText } from "../../model/plain-text.ts";
import type { Demo, Step } from "../file.ts";
import { fillText, type Values } from "../parameters.ts";
import { flattenParts, isSameApp, isSimilarTitle, plainRole, type SeenPart, type SeenWindow } from "./answers.ts";
import type { Asking } from "./asking.ts";

/** What may be the fault of something in the way. */
const hinderable: ReadonlySet<Failure["code"]> = new Set([
  ...(["NOT_FOUND", "AMBIGUOUS", "COVERED", "NOT_VISIBLE", "DISABLED", "TIMEOUT", "FAILED"] as const),
]);
const [mostObstacles, mostButtons, longestText] = [3, 6, 120];

interface Sought {
  readonly demo: Demo;
  readonly step: Step;
  readonly values: Values;
}

/** What stands before the window of a step that the recording does not have, in words; it is left as it is. */
export async function describeObstacles(asking: Asking, sought: Sought, { code }: Failure): Promise<readonly string[]> {
  if (!hinderable.has(code) || sought.step.app === undefined) return [];
  const listed = await asking.listWindows(undefined);
  if (!listed.ok) return [];
  const windows = findObstacles(listed.value, sought).slice(0, mostObstacles);
  const described = await Promise.all(windows.map(async (one) => describeWindow(one, await readParts(asking, one.id))));
  const own = described.length > 0 ? undefined : findOwn(listed.value, sought);
  const inside = own === undefined ? [] : findDialogs(await readParts(asking, own.id), sought);
  return [...described, ...inside.map((part) => describePart(part))].slice(0, mostObstacles);
}

function findOwn(windows: readonly SeenWindow[], { step, values }: Sought): SeenWindow | undefined {
  const title = step.window === undefined ? undefined : fillText(step.window, values);
  return windows.find((one) => isSameApp(step.app, one.app) && isSimilarTitle(one.title, title ?? one.title));
}

/** Modal windows in front of the step's own, those of its application that no step uses, and what covers its place. */
function findObstacles(windows: readonly SeenWindow[], sought: Sought): readonly SeenWindow[] {
  const { demo, step, values } = sought;
  const own = findOwn(windows, sought);
  const before = own === undefined ? windows : windows.slice(0, windows.indexOf(own));
  const isKnown = ({ title }: SeenWindow): boolean =>
    demo.steps.some((one) => one.window !== undefined && isSimilarTitle(fillText(one.window, values), title));
  return before.filter((one) => {
    const state = one.state ?? [];
    if (state.includes("minimised")) return false;
    if (isSameApp(step.app, one.app)) return state.includes("modal") || !isKnown(one);
    return own !== undefined && isOver(one, own, step) && !isKnown(one);
  });
}

/** Whether another application's window is over the place of the control, or over the middle of its window. */
function isOver({ bounds }: SeenWindow, { bounds: under }: SeenWindow, { ref }: Step): boolean {
  if (bounds === undefined || under === undefined) return false;
  const [left, top, width, height] = bounds;
  const { bbox, window_bbox: around } = ref ?? {};
  const [x, y] =
    bbox === undefined || around === undefined
      ? [under[0] + under[2] / 2, under[1] + under[3] / 2]
      : [under[0] + (bbox[0] + bbox[2]) / 2 - around[0], under[1] + (bbox[1] + bbox[3]) / 2 - around[1]];
  return x >= left && x < left + width && y >= top && y < top + height;
}

async function readParts(asking: Asking, windowId: number): Promise<readonly SeenPart[]> {
  const { data } = await asking.call("read", { windowId });
  return isAnswer<{ readonly elements?: readonly SeenPart[] }>(data) ? (data.elements ?? []) : [];
}

/** Alerts within the window itself; a dialog that the step itself is in is none. */
function findDialogs(parts: readonly SeenPart[], { step }: Sought): readonly SeenPart[] {
  const isSought = step.ref?.container_path?.some((one) => one.startsWith("dialog")) === true;
  return isSought ? [] : flattenParts(parts).filter(({ r }) => plainRole(r) === "dialog");
}

function describeWindow({ title, app }: SeenWindow, parts: readonly SeenPart[]): string {
  return `window ${quoteText(title, longestText)} of ${quoteName(app)}${describeContent(title, parts)}`;
}

function describePart({ t = "", c = [] }: SeenPart): string {
  return `dialog ${quoteText(t, longestText)}${describeContent(t, c)}`;
}

/** Its first text that is not its title, and its buttons: those that answer a dialog come last. */
function describeContent(title: string, parts: readonly SeenPart[]): string {
  const all = flattenParts(parts).filter(({ t = "" }) => t !== "");
  const words = all.find(({ r, t }) => ["txt", "heading"].includes(plainRole(r)) && t !== title)?.t;
  const buttons = all.filter(({ r }) => plainRole(r) === "btn").slice(-mostButtons);
  return [
    ...(words === undefined ? [] : [`, which says ${quoteText(words, longestText)}`]),
    ...(buttons.length === 0 ? [] : [`, with ${buttons.map(({ t = "" }) => quoteText(t, 40)).join(", ")}`]),
  ].join("");
}
