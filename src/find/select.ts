import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { quoteName, quoteText } from "../model/plain-text.ts";
import type { Window, Withheld } from "../model/window.ts";
import { nearest } from "./nearest.ts";

/** Selects windows; every given field must match. */
export interface WindowQuery {
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  readonly windowId?: number | undefined;
  readonly pid?: number | undefined;
  readonly class?: string | undefined;
}

interface Condition {
  readonly words: string;
  matches(window: Window): boolean;
  /** What could be meant instead. */
  alternatives(windows: readonly Window[]): readonly string[];
}

/** Returns the selected windows front to back; or a failure: what is there, or that it must not be read. */
export function selectWindows(
  windows: readonly Window[],
  query: WindowQuery,
  withheld: readonly Withheld[] = [],
): Result<readonly Window[]> {
  let left = windows;
  for (const condition of listConditions(windows, query)) {
    const next = left.filter((window) => condition.matches(window));
    if (next.length === 0) return fail(findRefusal(withheld, query) ?? describeMiss(condition, left, windows));
    left = next;
  }
  return succeed(left);
}

/**
 * Returns the one selected window. Of several windows of one process, the focused one or the only one that is not
 * minimised is chosen; windows of different processes are ambiguous.
 */
export function chooseWindow(
  windows: readonly Window[],
  query: WindowQuery,
  withheld: readonly Withheld[] = [],
): Result<Window> {
  const selected = selectWindows(windows, query, withheld);
  if (!selected.ok) return selected;
  const [first, ...others] = selected.value;
  if (first === undefined) {
    const suggestion = "no window is open: start an application first.";
    return fail(makeFailure("NOT_FOUND", "there is no window", suggestion));
  }
  if (others.length === 0) return succeed(first);
  const isOneProcess = first.pid !== 0 && others.every(({ pid }) => pid === first.pid);
  const shown = selected.value.filter(({ state }) => !state.includes("minimised"));
  const chosen = selected.value.find(({ isFocused }) => isFocused) ?? (shown.length === 1 ? shown[0] : undefined);
  if (isOneProcess && chosen !== undefined) return succeed(chosen);
  return fail(
    makeFailure(
      "AMBIGUOUS",
      `${selected.value.length} windows fit`,
      `--window-id ${first.id}   (or the id of another)`,
      {
        nearest: selected.value
          .slice(0, maxCandidates)
          .map(({ id, app, title }) => `${id} ${quoteName(app)} ${quoteText(title)}`),
      },
    ),
  );
}

const maxCandidates = 8;

/** Returns the front window of the one selected process. */
export function chooseProcess(
  windows: readonly Window[],
  query: WindowQuery,
  withheld: readonly Withheld[] = [],
): Result<Window> {
  const selected = selectWindows(windows, query, withheld);
  if (!selected.ok) return selected;
  const [first] = selected.value;
  if (first === undefined || first.pid === 0) {
    const message =
      first === undefined ? "there is no window" : `${quoteText(first.title)} does not report its process`;
    return fail(makeFailure("UNAVAILABLE", message, "deskmap list shows every window."));
  }
  const byPid = Map.groupBy(selected.value, ({ pid }) => pid);
  if (byPid.size === 1) return succeed(first);
  return fail(
    makeFailure("AMBIGUOUS", `${byPid.size} processes fit`, `--pid ${first.pid}   (or that of another)`, {
      nearest: [...byPid]
        .slice(0, maxCandidates)
        .map(([pid, [one]]) => `${pid} ${quoteName(one?.app ?? "")} ${quoteText(one?.title ?? "")}`),
    }),
  );
}

/** Titles are not compared: otherwise a caller could probe the title of a hidden window. */
function findRefusal(withheld: readonly Withheld[], { app, windowId, pid, class: className }: WindowQuery) {
  const names = [app, className].flatMap((name) => (name === undefined ? [] : [name.toLowerCase()]));
  if (names.length === 0 && windowId === undefined && pid === undefined) return undefined;
  const isMeant = (one: Withheld): boolean =>
    (windowId === undefined || windowId === one.id) &&
    (pid === undefined || pid === one.pid) &&
    names.every((name) => one.names.some((own) => own.toLowerCase().includes(name)));
  return withheld.find(isMeant)?.refusal;
}

function listConditions(windows: readonly Window[], query: WindowQuery): Condition[] {
  const conditions: Condition[] = [];
  const { app, window: title, windowId, pid } = query;
  if (app !== undefined) {
    // "code" must find Code and not Xcode if there is an exact match.
    const isExact = windows.some((window) => namesOf(window).includes(app.toLowerCase()));
    conditions.push({
      words: `application "${app}"`,
      matches: (window) =>
        namesOf(window).some((name) => (isExact ? name === app.toLowerCase() : name.includes(app.toLowerCase()))),
      alternatives: (all) => nearest(app, [...new Set(all.map((window) => window.app))]),
    });
  }
  if (title !== undefined) {
    conditions.push({
      words: `window titled "${title}"`,
      matches: (window) => window.title.toLowerCase().includes(title.toLowerCase()),
      alternatives: (all) =>
        nearest(
          title,
          all.map((window) => window.title),
        ),
    });
  }
  if (windowId !== undefined) {
    conditions.push({
      words: `window with id ${windowId}`,
      matches: (window) => window.id === windowId,
      alternatives: (all) => all.map((window) => `${window.id} (${quoteName(window.app)})`),
    });
  }
  if (query.class !== undefined) {
    const sought = query.class.toLowerCase();
    conditions.push({
      words: `window of class "${query.class}"`,
      matches: (window) => window.class.toLowerCase() === sought,
      alternatives: (all) => nearest(sought, [...new Set(all.map((window) => window.class))]),
    });
  }
  if (pid !== undefined) {
    conditions.push({
      words: `process ${pid} with a window`,
      matches: (window) => window.pid === pid,
      alternatives: (all) => [...new Set(all.map((window) => `${window.pid} (${quoteName(window.app)})`))],
    });
  }
  return conditions;
}

function namesOf(window: Window): string[] {
  return [window.app, ...window.aliases].map((name) => name.toLowerCase());
}

function describeMiss(condition: Condition, left: readonly Window[], all: readonly Window[]) {
  const scope = left.length === all.length ? "" : ` among ${left.length} of ${all.length} windows`;
  const near = condition.alternatives(left).slice(0, 5);
  const isEmpty = all.length === 0;
  return makeFailure(
    "NOT_FOUND",
    `no ${condition.words}${scope}`,
    isEmpty ? "no window is open: start an application first." : "deskmap list shows every window.",
    { nearest: near },
  );
}
