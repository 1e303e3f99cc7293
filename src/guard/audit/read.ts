import { closeSync } from "node:fs";
import type { Places } from "../places.ts";
import type { Line } from "./chain.ts";
import { openLogFiles, parseBackwards, parseLogFiles } from "./log-files.ts";

/** One event of the log: the begin and the end of an action are one event. */
export interface AuditEvent extends Omit<Line, "what" | "prev" | "hash" | "doubt"> {
  readonly what: Exclude<Line["what"], "begin" | "end"> | "action";
  readonly endedAt?: string | undefined;
}

export interface EventFilter extends Readonly<Partial<Record<"app" | "client" | "tool" | "what", string | undefined>>> {
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** False leaves out looks. */
  readonly isLook?: boolean | undefined;
  /** The number of a line. */
  readonly before?: number | undefined;
  /** How many. */
  readonly last?: number | undefined;
}

/** The effect of an action whose process ended before its end was logged. */
export const unfinished = "unfinished";

/** Events, oldest first, and how many earlier ones `last` left out. */
export function readEvents(places: Places, filter: EventFilter): { events: AuditEvent[]; leftOut: number } {
  const found: AuditEvent[] = [];
  const open = new Map<number, number>();
  let leftOut = 0;
  for (const line of parseLogFiles(openLogFiles(places).files)) {
    const at = line.begin === undefined ? undefined : open.get(line.begin);
    const begun = at === undefined ? undefined : found[at - leftOut];
    if (line.what === "end") {
      open.delete(line.begin ?? 0);
      if (begun !== undefined && at !== undefined) found[at - leftOut] = finish(begun, line);
      continue;
    }
    const event = toEvent(line);
    if (!fits(event, filter)) continue;
    if (line.what === "begin") open.set(line.n, found.length + leftOut);
    found.push(event);
    if (filter.last !== undefined && found.length > filter.last) {
      found.shift();
      leftOut += 1;
    }
  }
  return { events: found, leftOut };
}

/** The last events, newest first, read from the end of the log. Yields to other work after each piece. */
export async function readLastEvents(
  places: Places,
  filter: EventFilter & { readonly last: number },
): Promise<{ readonly events: readonly AuditEvent[]; readonly hasOlder: boolean }> {
  const found: AuditEvent[] = [];
  const ends = new Map<number, Line>();
  const { files } = openLogFiles(places);
  try {
    for (const file of files.toReversed()) {
      for (const lines of parseBackwards(file)) {
        for (const line of lines) {
          // Backwards, an end comes before its begin.
          if (line.what === "end") ends.set(line.begin ?? 0, line);
          else take(line);
          if (found.length > filter.last) return { events: found.slice(0, filter.last), hasOlder: true };
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    return { events: found, hasOlder: false };
  } finally {
    for (const { descriptor } of files) closeSync(descriptor);
  }

  function take(line: Line): void {
    const end = line.what === "begin" ? ends.get(line.n) : undefined;
    if (end !== undefined) ends.delete(line.n);
    const event = end === undefined ? toEvent(line) : finish(toEvent(line), end);
    if (fits(event, filter)) found.push(event);
  }
}

function toEvent(line: Line): AuditEvent {
  const { what, prev: _prev, hash: _hash, begin, doubt: _doubt, ...rest } = line;
  if (what === "begin" || what === "end") return { ...rest, what: "action", effect: unfinished };
  // Of an answer, `begin` names its question.
  return begin === undefined ? { ...rest, what } : { ...rest, what, begin };
}

function finish(begun: AuditEvent, { at, way, effect, approval, digest }: Line): AuditEvent {
  const ended = { endedAt: at, way: way ?? begun.way, effect, approval: approval ?? begun.approval };
  return { ...begun, ...ended, digest: digest ?? begun.digest };
}

function fits(event: AuditEvent, { sinceMs, untilMs, app, client, tool, what, before, isLook }: EventFilter): boolean {
  const atMs = Date.parse(event.at);
  if (sinceMs !== undefined && !(atMs >= sinceMs)) return false;
  if (untilMs !== undefined && !(atMs < untilMs)) return false;
  if (isLook === false && event.what === "look") return false;
  if (before !== undefined && event.n >= before) return false;
  const apps = [...(event.apps ?? []), event.target?.app];
  return (
    (app === undefined || apps.some((name) => name !== undefined && isSame(name, app))) &&
    (client === undefined || isSame(event.client, client)) &&
    (tool === undefined || event.tool === tool) &&
    (what === undefined || event.what === what)
  );
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
