import type { Doubt } from "../map/certify.ts";
import type { Point } from "../model/bounds.ts";
import { type Element, flatten } from "../model/element.ts";
import { type Failure, makeFailure } from "../model/failure.ts";
import { describeMissingMark } from "../model/passing-mark.ts";
import { quoteArgument, quoteName, quoteText } from "../model/plain-text.ts";
import type { StoredRef } from "../model/ref.ts";
import { type Role, shortRole } from "../model/role.ts";
import { listElements, type WindowRead } from "../model/snapshot.ts";
import { isPixelSource } from "../model/source.ts";
import type { Monitor, Window } from "../model/window.ts";
import type { Match, WordQuery } from "./match.ts";
import { nearest } from "./nearest.ts";

const maxNearest = 3;

/** What was not found, what is there instead, and what to try. */
export function describeNoMatch({ words, roles, inside }: WordQuery, reads: readonly WindowRead[]): Failure {
  const kinds = roles === undefined ? "element" : [...roles].join(" or ");
  const what = `no ${kinds}${words === "" ? " is" : ` matches "${words}"`}`;
  const near = { nearest: listNearest(words, reads, roles) };
  const message = `${what} in ${inside === undefined ? "" : "that part of "}${countWindows(reads)}${describeGaps(reads)}`;
  return describeSilence(message, reads, near) ?? makeFailure("NOT_FOUND", message, describeWhereElse(reads), near);
}

/** A read shows nothing more where a window draws what no tree tells. */
function describeWhereElse(reads: readonly WindowRead[]): string {
  const isPartial = ({ root, notes }: WindowRead): boolean =>
    root === undefined || notes.some(({ code }) => code === "UNTOLD" || code === "NO_TREE");
  const partial = reads.find(isPartial);
  if (partial === undefined) return "deskmap read shows everything that is on the screen.";
  const { window, notes } = partial;
  const picture = showPicture(window);
  const isTold = notes.some(({ code }) => code === "UNTOLD");
  return isTold ? `deskmap read --vision on --window-id ${window.id} reads what is drawn there; ${picture}` : picture;
}

function showPicture({ id }: Window): string {
  return `deskmap screenshot --window-id ${id} shows it, and click --at X,Y presses there.`;
}

/** For the n-th of fewer matches that fit equally well. */
export function describeTooFew({ words, roles }: WordQuery, nth: number, equals: readonly Match[]): Failure {
  const what = words === "" ? [...(roles ?? [])].join(" or ") : `"${words}"`;
  const nearest = equals.slice(0, maxNearest).map(({ element }) => describeBriefly(element));
  const message = `${what} fits ${equals.length} equally well: there is no --nth ${nth}`;
  return makeFailure("NOT_FOUND", message, "--nth -1 is the last.", { nearest });
}

export function describeNoScrolling({ app, title }: Window, reads: readonly WindowRead[]): Failure {
  const message = `nothing in ${quoteText(title)} of ${quoteName(app)} is known to scroll${describeGaps(reads)}`;
  const suggestion = "name a control with --id or --on, or a point with --at X,Y.";
  return describeSilence(message, reads) ?? makeFailure("NOT_FOUND", message, suggestion);
}

/** Where only a plain text has the words. */
export function describeOnlyText(words: string, { element, read }: Pick<Match, "element" | "read">): Failure {
  return makeFailure(
    "NOT_FOUND",
    `no control matches "${words}"; only a text does`,
    isPixelSource(element.source)
      ? showPicture(read.window)
      : "deskmap read --interactive shows the controls; --role text means the text itself.",
    { nearest: [`${shortRole(element.role)} ${quoteText(element.name)} in ${quoteName(read.window.app)}`] },
  );
}

export function describeUnknownMark(mark: number): Failure {
  return makeFailure("NOT_FOUND", describeMissingMark(mark), "deskmap read gives every control its mark.");
}

function describeMeaning(mark: number, { app, role, name }: StoredRef): string {
  return `${mark} means ${role}${name === "" ? "" : ` ${quoteText(name)}`} of ${quoteName(app)}`;
}

/**
 * For a mark whose control is absent. `successors` have its words now, `former` is its object with other words. Similar
 * ones are listed, never used.
 */
export function describeLostMark(
  mark: number,
  ref: StoredRef,
  isOpen: boolean,
  reads: readonly WindowRead[],
  successors: readonly string[] = [],
  former?: string,
): Failure {
  const what = describeMeaning(mark, ref);
  const silence = isOpen ? describeSilence(`${what}, which does not answer`, reads) : undefined;
  if (silence !== undefined) return silence;
  const isListed = (words: string): boolean => successors.length > 0 && words === describeBriefly(ref);
  const similar = listNearest(ref.name, reads, undefined).filter((words) => !isListed(words));
  const near = { nearest: [...successors, ...similar].slice(0, maxNearest) };
  if (!isOpen) {
    const message = `${what}, which has no window open here`;
    return makeFailure("NOT_FOUND", message, `start ${quoteName(ref.app)}, then try again.`, near);
  }
  const suggestion = `deskmap read --app ${quoteArgument(ref.app)} shows what is there.`;
  const object = listElements(reads).find(({ handle }) => handle === former);
  if (object !== undefined) {
    const nearest = [describeBriefly(object), ...near.nearest].slice(0, maxNearest);
    return makeFailure("NOT_FOUND", `${what}; it has other words now`, suggestion, { nearest: [...new Set(nearest)] });
  }
  return makeFailure("NOT_FOUND", `${what}; it is not there now${describeGaps(reads)}`, suggestion, near);
}

/** For a mark that leads to what may be another control. */
export function describeDoubt(
  mark: number,
  ref: StoredRef,
  doubt: Doubt,
  reads: readonly WindowRead[],
  successors: readonly string[],
): Failure {
  const what = describeMeaning(mark, ref);
  const suggestion = `deskmap read --app ${quoteArgument(ref.app)} shows which mark is which now.`;
  const list = (...handles: readonly string[]): Pick<Failure, "nearest"> => {
    const suspects = listElements(reads).filter(({ handle }) => handles.includes(handle));
    return { nearest: [...suspects.map(describeBriefly), ...successors].slice(0, maxNearest) };
  };
  switch (doubt.kind) {
    case "disguise":
      return makeFailure("NOT_FOUND", `${what}; what looks like it now was ${doubt.mark} before`, suggestion, list());
    case "renamed": {
      const message = `${what} since it was last shown; what has its former name may be another`;
      return makeFailure("NOT_FOUND", message, suggestion, list());
    }
    case "elsewhere": {
      const message = `${what}; it has changed since, and another control looks as it did`;
      return makeFailure("AMBIGUOUS", message, suggestion, list(doubt.handle));
    }
    case "twins": {
      const message = `${what}; its window was rebuilt, and ${doubt.handles.length} look like it`;
      return makeFailure("AMBIGUOUS", message, suggestion, list());
    }
  }
}

export function describeNothingAt(
  point: Point,
  screen: { readonly monitors: readonly Monitor[]; readonly windows: readonly Window[] },
  window?: Window,
  read?: WindowRead,
): Failure {
  const where = `${point.x},${point.y}`;
  if (window !== undefined) {
    const why = read?.notes.map(({ text }) => text).join("; ");
    const message = `${quoteName(window.app)} exposes nothing at ${where}${why ? `: ${why}` : ""}`;
    const silence = read && describeSilence(message, [read]);
    if (silence !== undefined) return silence;
    return makeFailure(
      "NOT_FOUND",
      message,
      `deskmap screenshot --window-id ${window.id} shows it; deskmap doctor says what is missing.`,
    );
  }
  const monitors = screen.monitors.map(({ name, bounds }) => {
    return `${name} ${bounds.width}x${bounds.height} at ${bounds.x},${bounds.y}`;
  });
  return makeFailure(
    "NOT_FOUND",
    `no window is at ${where}`,
    "points are physical pixels of the screen; deskmap list shows where the windows are.",
    { nearest: monitors },
  );
}

/** What could not be read is neither there nor absent. */
function describeSilence(
  message: string,
  reads: readonly WindowRead[],
  near: Pick<Failure, "nearest"> = {},
): Failure | undefined {
  const suggestion = "wait until the application answers; --timeout-ms waits longer.";
  const unknown = `${message}: whether it is there is unknown`;
  return reads.some(isSilent) ? makeFailure("TIMEOUT", unknown, suggestion, near) : undefined;
}

/** Whether the application stopped answering during the read. */
export function isSilent({ notes }: WindowRead): boolean {
  return notes.some(({ code }) => code === "TIMEOUT");
}

function listNearest(words: string, reads: readonly WindowRead[], roles: ReadonlySet<Role> | undefined): string[] {
  const inside = flatten(reads.flatMap(({ root }) => root?.children ?? []));
  const named = inside.filter((element) => element.name !== "" && (roles === undefined || roles.has(element.role)));
  // What looks like a button may be another kind of control.
  const sought = words.toLowerCase();
  const others = inside.filter(({ name, role }) => roles?.has(role) === false && name.toLowerCase() === sought);
  const similar = nearest(words, named.map(describeBriefly), maxNearest);
  return words === "" ? similar : [...new Set([...others.map(describeBriefly), ...similar])].slice(0, maxNearest);
}

function describeBriefly({ name, role }: Pick<Element, "name" | "role">): string {
  return `${shortRole(role)} ${name}`;
}

function countWindows(reads: readonly WindowRead[]): string {
  return reads.length === 1 ? quoteText(reads[0]?.window.title ?? "") : `${reads.length} windows`;
}

/** States that part of the screen could not be searched. */
function describeGaps(reads: readonly WindowRead[]): string {
  const gaps = reads.filter(({ notes }) => notes.length > 0);
  if (gaps.length === 0) return "";
  const first = gaps.find(isSilent) ?? gaps[0];
  return ` (${first?.window.app}: ${first?.notes[0]?.text}${gaps.length > 1 ? `, and ${gaps.length - 1} more` : ""})`;
}

/** No window belongs to the application that a ref names. */
export function describeNotRunning(app: string, windows: readonly Window[]): Failure {
  const near = nearest(app, [...new Set(windows.map((window) => window.app))]);
  return makeFailure(
    "NOT_FOUND",
    `${quoteName(app)} is not running: no window belongs to it`,
    "deskmap open starts it.",
    {
      nearest: near,
    },
  );
}
