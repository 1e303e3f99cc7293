import { type Condition, contentOf, describeSubject, findNamed, isMet, type Subject } from "../find/condition.ts";
import { rankMatches } from "../find/match.ts";
import { type Desktop, lookAt, type ReadOptions, recognise, withMap } from "../find/read.ts";
import { describeUnknownMark } from "../find/refuse.ts";
import { selectWindows, type WindowQuery } from "../find/select.ts";
import { type Element, flatten } from "../model/element.ts";
import { fail, type Result, succeed } from "../model/failure.ts";
import type { Outcome } from "../model/outcome.ts";
import { quoteName, quoteText } from "../model/plain-text.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { attachMarks } from "../model/view.ts";
import type { Window } from "../model/window.ts";
import type { WindowList } from "../platform/port.ts";
import type { Watch } from "../sources/port.ts";

export interface WaitQuery extends WindowQuery, ReadOptions {
  readonly condition: Condition;
  /** How long to wait; 0 looks once. */
  readonly waitMs: number;
}

const quietMs = 300;
/** How often to read without a sign: not every change is reported. */
const stepMs = 500;

/** Reads at every sign of change until a condition holds; or once. */
export function waitFor(desktop: Desktop, query: WaitQuery): Promise<Result<Outcome>> {
  return withMap(async () => {
    const startedAt = performance.now();
    const list = await desktop.platform.listWindows();
    if (!list.ok) return list;
    const scope = chooseScope(list.value, query);
    if (!scope.ok) return scope;
    const watch = await desktop.platform.watch(scope.value, query.timeoutMs);
    if (!watch.ok) return watch;
    try {
      if (query.condition.kind === "still") return succeed(await waitForStillness(watch.value, query, startedAt));
      return await watchFor(desktop, query, watch.value, startedAt);
    } finally {
      watch.value.close();
    }
  });
}

/** The window may not exist yet when the wait begins. */
function chooseScope(list: WindowList, query: WaitQuery): Result<readonly Window[]> {
  const chosen = selectWindows(list, query);
  if (chosen.ok || chosen.failure.code !== "NOT_FOUND") return chosen;
  const mayCome = query.waitMs > 0 || query.condition.kind === "window" || isAbsence(query.condition);
  return mayCome ? succeed([]) : chosen;
}

function isAbsence(condition: Condition): boolean {
  return condition.kind === "present" && !condition.isPresent;
}

async function waitForStillness(watch: Watch, { waitMs }: WaitQuery, startedAt: number): Promise<Outcome> {
  const isStill = await watch.waitForStillness(quietMs, Math.max(waitMs, quietMs + 1));
  const words = isStill ? `nothing has changed for ${quietMs} ms` : "something still changes";
  return report(startedAt, isStill, words);
}

async function watchFor(desktop: Desktop, query: WaitQuery, watch: Watch, startedAt: number): Promise<Result<Outcome>> {
  let first: string | undefined;
  for (;;) {
    const outcome = await examine(desktop, query, first, startedAt);
    if (!outcome.ok) return outcome;
    const left = startedAt + query.waitMs - performance.now();
    if (outcome.value.isMet || left <= 0) return outcome;
    const { element } = outcome.value;
    if (element !== undefined) first ??= contentOf({ ...element, children: [] });
    watch.take();
    await watch.waitForSign(Math.max(1, Math.min(stepMs, left)));
  }
}

async function examine(
  desktop: Desktop,
  query: WaitQuery,
  first: string | undefined,
  startedAt: number,
): Promise<Result<Outcome>> {
  const { condition, timeoutMs, vision } = query;
  const list = await desktop.platform.listWindows();
  if (!list.ok) return list;
  const scope = chooseScope(list.value, query);
  if (!scope.ok) return scope;
  if (condition.kind === "window") {
    const sought = condition.title.toLowerCase();
    const window = scope.value.find(({ title }) => title.toLowerCase().includes(sought));
    const words = `window "${condition.title}" is ${window === undefined ? "not " : ""}open`;
    const isSo = (window !== undefined) === condition.isOpen;
    return succeed(report(startedAt, isSo, words, { window }));
  }
  if (condition.kind === "still") throw new Error("stillness is waited for elsewhere");
  const snapshot = await lookAt(desktop.platform, scope.value, list.value.windows, {
    includeHidden: false,
    timeoutMs,
    vision,
  });
  if (!snapshot.ok) return snapshot;
  const found = findSubjects(desktop, snapshot.value, condition.subject);
  if (!found.ok) return found;
  // If several match, one that meets the condition is enough; for absence, none may be left.
  const element = found.value.find((one) => isMet(condition, one, first)) ?? found.value[0];
  const silent = snapshot.value.windows.find(({ notes }) => notes.some(({ code }) => silence.has(code)));
  if (element === undefined && silent !== undefined) {
    // What could not be read is neither present nor gone.
    const words = `${quoteName(silent.window.app)} does not answer: ${describeSubject(condition.subject)} may be there or not`;
    return succeed(report(startedAt, false, words, { window: silent.window }));
  }
  const numbers = recognise(desktop.marks, snapshot.value, new Set(element === undefined ? [] : [element.handle]));
  const words = element === undefined ? `${describeSubject(condition.subject)} is not there` : describeContent(element);
  const marked = element && attachMarks({ ...element, children: [] }, numbers);
  return succeed(report(startedAt, isMet(condition, element, first), words, { element: marked }));
}

function findSubjects(desktop: Desktop, snapshot: Snapshot, subject: Subject): Result<readonly Element[]> {
  const roots = snapshot.windows.flatMap(({ root }) => root ?? []);
  switch (subject.by) {
    case "mark": {
      if (desktop.marks.findRef(subject.mark) === undefined) return fail(describeUnknownMark(subject.mark));
      const numbers = recognise(desktop.marks, snapshot, new Set());
      const isMeant = ({ handle }: Element): boolean => numbers.get(handle) === subject.mark;
      return succeed(flatten(roots).filter(isMeant));
    }
    case "name":
      return succeed(findNamed(roots, subject));
    case "words":
      return succeed(findByWords(snapshot, subject.words));
  }
}

const sureScore = 0.6;
const silence: ReadonlySet<string> = new Set(["TIMEOUT", "GONE", "FAILED"]);

function findByWords({ windows }: Snapshot, words: string): readonly Element[] {
  const matches = rankMatches(windows, { words }).filter(({ score }) => score >= sureScore);
  return matches.filter(({ score }) => score === matches[0]?.score).map(({ element }) => element);
}

function describeContent({ name, value, states }: Element): string {
  const held = value === "" ? "" : ` with ${quoteText(value, 80)}`;
  const facts = [...states].filter((state) =>
    ["disabled", "checked", "selected", "focused", "expanded"].includes(state),
  );
  return `${quoteText(name)} is there${held}${facts.length === 0 ? "" : `, ${facts.join(" ")}`}`;
}

function report(startedAt: number, isMet: boolean, words: string, found: Partial<Outcome> = {}): Outcome {
  const afterMs = Math.round(performance.now() - startedAt);
  return { isMet, afterMs, words, element: undefined, window: undefined, ...found };
}
