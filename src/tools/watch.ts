import * as z from "zod/mini";
import { defaultDebounceMs, type WatchQuery, watchDesktop } from "../live/watch.ts";
import type { ChangeLine, WindowName } from "../model/change-line.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { changesForms, changesOutput } from "../show/changes.ts";
import { defineTool } from "./define.ts";
import { parseDuration } from "./duration.ts";
import { flag, text, wholeNumber } from "./fields.ts";
import { parseReadQuery, readSelection } from "./selection.ts";
import type { Session } from "./session.ts";

const defaultForMs = 10_000;

const input = z.object({
  ...readSelection,
  points: flag("also where controls are, and when they move in their window"),
  since: text("go on after the answer that gave this token"),
  fromNow: flag("not what is there at the start, only what changes"),
  debounceMs: wholeNumber(0, `look when nothing has shown for this long (${defaultDebounceMs})`, 5000),
  count: wholeNumber(1, "end after this many batches of changes"),
  for: text("end after this time, such as 500ms, 10s or 5m"),
});

export const watch = defineTool({
  name: "watch",
  summary: "Report changes as they happen: what appears, disappears, changes or gets the focus.",
  description:
    "On a command line it runs until Ctrl-C, --count or --for, and prints JSON Lines when piped. The " +
    "current state comes first (unless --from-now), then every change, in batches that each end with a token; --since " +
    "with a token continues there. It waits for an application that is not there yet. Elsewhere it answers with the next " +
    "change, or with none after --for (10s). In text, + means appeared, - gone, ~ changed, > moved.",
  examples: [
    "deskmap watch --app mousepad",
    "deskmap watch --from-now --roles button,dialog --for 30s",
    "deskmap watch --app firefox --count 1 --from-now --format text",
  ],
  input,
  output: changesOutput,
  forms: changesForms,
  goesOn: "always",
  async run(given, session) {
    const lines: ChangeLine[] = [];
    const names: WindowName[] = [];
    const { count = 1, for: time = `${defaultForMs}ms`, since } = given;
    const ending = new AbortController();
    let batches = 0;
    const bounded = { ...given, count, for: time, fromNow: since === undefined || given.fromNow };
    for await (const batch of openWatch(bounded, session, ending.signal)) {
      if (!batch.ok) return batch;
      for (const line of batch.value) if (line.kind === "token") names.push(...(line.names ?? []));
      // Only the last token counts.
      lines.splice(0, lines.length, ...lines.filter(({ kind }) => kind !== "token"), ...batch.value);
      if (batch.value.length > 1) batches += 1;
      if (batches >= count) break;
    }
    const last = lines.find((line) => line.kind === "token");
    return succeed({ lines, token: last?.token, atMs: last?.atMs ?? Date.now(), names });
  },
});

type WatchInput = z.infer<typeof input>;

export async function* openWatch(
  given: WatchInput,
  session: Session,
  signal: AbortSignal,
): AsyncGenerator<Result<readonly ChangeLine[]>> {
  const query = parseWatchQuery(given, session.timeoutMs);
  if (!query.ok) yield query;
  else yield* watchDesktop(session, query.value, signal);
}

function parseWatchQuery(given: WatchInput, timeoutMs: number): Result<WatchQuery> {
  const query = parseReadQuery(given, timeoutMs);
  if (!query.ok) return query;
  const forMs = given.for === undefined ? undefined : parseDuration(given.for);
  if (given.for !== undefined && forMs === undefined) {
    const suggestion = "a number with its unit: --for 500ms, --for 10s, --for 5m";
    return fail(describeUsage(`--for "${given.for}" is not a time`, suggestion));
  }
  const { points: withPlaces = false, since, fromNow: isFromNow, debounceMs, count: maxBatches } = given;
  return succeed({ ...query.value, withPlaces, since, isFromNow, debounceMs, maxBatches, forMs });
}
