import type { Difference } from "../model/effect.ts";
import { type Element, flatten } from "../model/element.ts";
import {
  describeAppeared,
  describeChange,
  describeClosed,
  describeGone,
  describeOpened,
  describeOther,
} from "../model/observed.ts";
import { idOfWindow } from "../model/pair.ts";
import { kindOfRole, type RoleKind } from "../model/role.ts";
import { hasTrait } from "../model/trait.ts";
import type { Comparison, ElementChange, Part, Seen } from "./compare.ts";

/** One observation after an action, and what it is known by if it changes by itself. */
export interface Evidence extends Part {
  readonly words: string;
  /** Whether it counts unless it is known to change by itself; other evidence counts once it is known not to. */
  readonly isSure: boolean;
}

const nowhere: Part = { own: [], around: [] };

/**
 * Lists the differences, sure ones first: changes of the target itself, windows that opened, windows of its application
 * that closed, and controls that appeared or disappeared. Other texts, titles, log lines and counts often change by
 * themselves. Closed windows of other applications, the focus, and a button that goes down and up prove nothing.
 */
export function gatherEvidence(comparison: Comparison, before: Seen, target: Element | undefined): readonly Evidence[] {
  const pids = new Set(before.snapshot.windows.map(({ window }) => window.pid));
  const own = target && new Set(flatten([target]).map(({ handle }) => handle));
  const isOwn = ({ element }: ElementChange): boolean => own?.has(element.handle) === true;
  const told = (element: Element, words: string, isSure: boolean): Evidence[] =>
    (comparison.parts.get(element.handle) ?? [nowhere]).map((part) => ({ ...part, words, isSure }));
  // A window grows with the texts in it.
  const isFuller = [comparison.appeared, comparison.gone, comparison.changed].some(({ length }) => length > 0);
  const evidence = [
    ...comparison.openedWindows.map((window) => ({ ...nowhere, words: describeOpened(window), isSure: true })),
    ...comparison.closedWindows
      .filter(({ pid }) => pids.has(pid))
      .map((window) => ({ ...nowhere, words: describeClosed(window), isSure: true })),
    ...comparison.changed
      .filter(isRealChange)
      .flatMap((change) => told(change.element, describeChange(change), isOwn(change) && !isCount(change))),
    ...comparison.appeared.flatMap((element) =>
      told(element, describeAppeared(findNamed(element)), !isOnlyRead(element)),
    ),
    ...comparison.gone.flatMap((element) => told(element, describeGone(findNamed(element)), !isOnlyRead(element))),
    ...comparison.changedWindows.flatMap(({ window, differences }) => {
      const first = differences.find(({ what }) => what !== "focus" && !(what === "place" && isFuller));
      const isTold = first !== undefined && pids.has(window.pid);
      return isTold
        ? [{ words: describeOther(window, first.what), own: [idOfWindow(window.id)], around: [], isSure: false }]
        : [];
    }),
  ];
  return [...evidence.filter(({ isSure }) => isSure), ...evidence.filter(({ isSure }) => !isSure)];
}

/** Nobody knows a box without a name: the first thing in it that has one tells more. */
function findNamed(element: Element): Element {
  return flatten([element]).find(({ name }) => name !== "") ?? element;
}

const readKinds: ReadonlySet<RoleKind> = new Set<RoleKind>(["text", "container"]);

/** Lines of a log, and entries of a list in which nothing can be used, come and go by themselves, as texts do. */
function isOnlyRead(element: Element): boolean {
  return flatten([element]).every(({ role }) => readKinds.has(kindOfRole(role)));
}

/** A name or value in which only numbers are different, as on a button that counts seconds. */
function isCount({ differences }: ElementChange): boolean {
  return differences.every(({ what, before, after }) => {
    return what === "focus" || (what !== "states" && before.replace(/\d+/g, "0") === after.replace(/\d+/g, "0"));
  });
}

/** The focus moves even with a click that does nothing, and a clock changes by itself. */
export function isRealChange({ element, differences }: ElementChange): boolean {
  return differences.some(
    (difference) => difference.what !== "focus" && !isClock(element, difference) && !isPushed(element, difference),
  );
}

/** A button that goes down and up again has only been pressed. */
function isPushed(element: Element, { what, before, after }: Difference): boolean {
  if (what !== "states" || element.role === "toggle" || hasTrait(element, "pressed-means-on")) return false;
  const [old, now] = [before, after].map((states) => states.replace(/\bpressed\b/, "").trim());
  return old === now;
}

const clockTime = /\b\d{1,2}:\d{2}(:\d{2})?\b/;

function isClock({ role }: Element, { before, after }: Difference): boolean {
  if (role === "progress") return true;
  const [old, now] = [before, after].map((text) => text.replace(clockTime, ""));
  return old === now && clockTime.test(before) && clockTime.test(after);
}
