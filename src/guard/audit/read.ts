import type { Places } from "../places.ts";
import { type Line, parseLine } from "./chain.ts";
import { openLogFiles, readLogLines } from "./lines.ts";

/** What the log tells of one thing that happened: the beginning and the end of an action are one. */
export interface Happening extends Omit<Line, "what" | "prev" | "hash" | "doubt"> {
  readonly what: Exclude<Line["what"], "begin" | "end"> | "action";
  readonly endedAt?: string | undefined;
}

export interface Wanted {
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly app?: string | undefined;
  readonly client?: string | undefined;
  readonly tool?: string | undefined;
  readonly what?: string | undefined;
  /** False leaves out looks. */
  readonly isLook?: boolean | undefined;
  /** Only lines before this one. */
  readonly before?: number | undefined;
  /** The last so many. */
  readonly last?: number | undefined;
}

/** What is told of an action whose end was never written: its process was ended. */
export const unfinished = "unfinished";

/** What happened, oldest first, and how much more there was of it. */
export function readHappenings(places: Places, wanted: Wanted): { happenings: Happening[]; leftOut: number } {
  const found: Happening[] = [];
  const open = new Map<number, number>();
  let leftOut = 0;
  for (const line of readLines(places)) {
    const at = line.begin === undefined ? undefined : open.get(line.begin);
    const begun = at === undefined ? undefined : found[at - leftOut];
    if (line.what === "end") {
      open.delete(line.begin ?? 0);
      if (begun !== undefined && at !== undefined) found[at - leftOut] = finish(begun, line);
      continue;
    }
    const happening = toHappening(line);
    if (!fits(happening, wanted)) continue;
    if (line.what === "begin") open.set(line.n, found.length + leftOut);
    found.push(happening);
    if (wanted.last !== undefined && found.length > wanted.last) {
      found.shift();
      leftOut += 1;
    }
  }
  return { happenings: found, leftOut };
}

function* readLines(places: Places): Generator<Line> {
  for (const file of openLogFiles(places).files) {
    for (const { bytes } of readLogLines(file)) {
      const line = parseLine(bytes.toString());
      if (line !== undefined) yield line;
    }
  }
}

export function toHappening(line: Line): Happening {
  const { what, prev: _prev, hash: _hash, begin, doubt: _doubt, ...rest } = line;
  if (what === "begin" || what === "end") return { ...rest, what: "action", effect: unfinished };
  // An answer says which question it is to.
  return begin === undefined ? { ...rest, what } : { ...rest, what, begin };
}

export function finish(begun: Happening, { at, way, effect, approval }: Line): Happening {
  return { ...begun, endedAt: at, way: way ?? begun.way, effect, approval: approval ?? begun.approval };
}

export function fits(
  happening: Happening,
  { sinceMs, untilMs, app, client, tool, what, before, isLook }: Wanted,
): boolean {
  const atMs = Date.parse(happening.at);
  if (sinceMs !== undefined && !(atMs >= sinceMs)) return false;
  if (untilMs !== undefined && !(atMs < untilMs)) return false;
  if (isLook === false && happening.what === "look") return false;
  if (before !== undefined && happening.n >= before) return false;
  const apps = [...(happening.apps ?? []), ...(happening.target?.app === undefined ? [] : [happening.target.app])];
  return (
    (app === undefined || apps.some((name) => isSame(name, app))) &&
    (client === undefined || isSame(happening.client, client)) &&
    (tool === undefined || happening.tool === tool) &&
    (what === undefined || happening.what === what)
  );
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
