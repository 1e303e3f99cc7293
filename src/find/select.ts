import { type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { quoteName, quoteText } from "../model/plain-text.ts";
import type { Window, Withheld } from "../model/window.ts";
import type { WindowList } from "../platform/port.ts";
import { nearest } from "./nearest.ts";

/** Selects windows; every given field must match. */
export interface WindowQuery {
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  readonly windowId?: number | undefined;
  readonly pid?: number | undefined;
  readonly class?: string | undefined;
}

type Windows = Pick<WindowList, "windows" | "withheld">;

/** Returns the selected windows front to back; or a failure: what is there, or that it must not be read. */
export function selectWindows({ windows, withheld = [] }: Windows, query: WindowQuery): Result<readonly Window[]> {
  let left = windows;
  for (const condition of listConditions(windows, query)) {
    const next = left.filter((window) => condition.matches(window));
    if (next.length === 0) return fail(findRefusal(withheld, query) ?? describeMiss(condition, left, windows));
    left = next;
  }
  return succeed(left);
}

const maxCandidates = 8;

/**
 * Returns the one selected window. Of several windows of one process, the focused one or the only one that is not
 * minimised is chosen; windows of different processes are ambiguous.
 */
export function chooseWindow(list: Windows, query: WindowQuery): Result<Window> {
  const selected = selectWindows(list, query);
  if (!selected.ok) return selected;
  const [first, ...others] = selected.value;
  if (first === undefined) return fail(makeFailure("NOT_FOUND", "there is no window", suggestStarting));
  if (others.length === 0) return succeed(first);
  const isOneProcess = first.pid !== 0 && others.every(({ pid }) => pid === first.pid);
  const shown = selected.value.filter(({ state }) => !state.includes("minimised"));
  const chosen = selected.value.find(({ isFocused }) => isFocused) ?? (shown.length === 1 ? shown[0] : undefined);
  if (isOneProcess && chosen !== undefined) return succeed(chosen);
  const nearest = selected.value.slice(0, maxCandidates).map((window) => `${window.id} ${describeWindow(window)}`);
  const suggestion = `--window-id ${first.id}   (or the id of another)`;
  return fail(makeFailure("AMBIGUOUS", `${selected.value.length} windows match`, suggestion, { nearest }));
}

/** Returns the front window of the one selected process. */
export function chooseProcess(list: Windows, query: WindowQuery): Result<Window> {
  const selected = selectWindows(list, query);
  if (!selected.ok) return selected;
  const [first] = selected.value;
  if (first === undefined || first.pid === 0) {
    const message =
      first === undefined ? "there is no window" : `${quoteText(first.title)} does not report its process`;
    return fail(makeFailure("UNAVAILABLE", message, suggestListing));
  }
  const fronts = [...new Map(selected.value.toReversed().map((window) => [window.pid, window])).values()].toReversed();
  if (fronts.length === 1) return succeed(first);
  const nearest = fronts.slice(0, maxCandidates).map((window) => `${window.pid} ${describeWindow(window)}`);
  const suggestion = `--pid ${first.pid}   (or that of another)`;
  return fail(makeFailure("AMBIGUOUS", `${fronts.length} processes match`, suggestion, { nearest }));
}

function describeWindow({ app, title }: Window): string {
  return `${quoteName(app)} ${quoteText(title)}`;
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

interface Condition {
  readonly words: string;
  matches(window: Window): boolean;
  /** How a window is named among the alternatives. */
  name(window: Window): string;
  /** For a text: the alternatives are ranked by their similarity to it. */
  readonly sought?: string;
}

function listConditions(windows: readonly Window[], query: WindowQuery): Condition[] {
  const { app = "", window: title = "", windowId, pid, class: className = "" } = query;
  const [soughtApp = "", soughtTitle = "", soughtClass = ""] = [app, title, className].map((text) =>
    text.toLowerCase(),
  );
  // "code" must find Code and not Xcode if there is an exact match.
  const isExact = windows.some((window) => namesOf(window).includes(soughtApp));
  const conditions: readonly (Condition & { readonly isGiven: boolean })[] = [
    {
      isGiven: query.app !== undefined,
      words: `application "${app}"`,
      matches: (window) => namesOf(window).some((name) => (isExact ? name === soughtApp : name.includes(soughtApp))),
      name: (window) => window.app,
      sought: app,
    },
    {
      isGiven: query.window !== undefined,
      words: `window titled "${title}"`,
      matches: (window) => window.title.toLowerCase().includes(soughtTitle),
      name: (window) => window.title,
      sought: title,
    },
    {
      isGiven: windowId !== undefined,
      words: `window with id ${windowId}`,
      matches: ({ id }) => id === windowId,
      name: (window) => `${window.id} (${quoteName(window.app)})`,
    },
    {
      isGiven: query.class !== undefined,
      words: `window of class "${className}"`,
      matches: (window) => window.class.toLowerCase() === soughtClass,
      name: (window) => window.class,
      sought: className,
    },
    {
      isGiven: pid !== undefined,
      words: `process ${pid} with a window`,
      matches: (window) => window.pid === pid,
      name: (window) => `${window.pid} (${quoteName(window.app)})`,
    },
  ];
  return conditions.filter(({ isGiven }) => isGiven);
}

function namesOf(window: Window): string[] {
  return [window.app, ...window.aliases].map((name) => name.toLowerCase());
}

const suggestListing = "deskmap list shows every window.";
const suggestStarting = "no window is open: start an application first.";

function describeMiss({ words, name, sought }: Condition, left: readonly Window[], all: readonly Window[]): Failure {
  const scope = left.length === all.length ? "" : ` among ${left.length} of ${all.length} windows`;
  const names = [...new Set(left.map(name))];
  const near = sought === undefined ? names.slice(0, 5) : nearest(sought, names);
  const suggestion = all.length === 0 ? suggestStarting : suggestListing;
  return makeFailure("NOT_FOUND", `no ${words}${scope}`, suggestion, { nearest: near });
}
