import * as z from "zod/mini";
import { exitCodeOfReplay, type ReplayReport } from "../../demo/replay/report.ts";
import { cleanLine, quoteName } from "../../model/plain-text.ts";
import { joinRows } from "../../show/csv.ts";
import { failureToData, showFailure } from "../../show/failure.ts";
import type { DataOf, Forms } from "../../show/output.ts";

const reportOutput = () => {
  const stop = z.strictObject({
    step: z.number(),
    words: z.string(),
    code: z.string(),
    message: z.string(),
    nearest: z.array(z.string()),
    try: z.string(),
    done: z.string(),
  });
  return z.strictObject({
    demo: z.string(),
    row: z.optional(z.number()),
    from: z.number(),
    to: z.number(),
    steps: z.array(
      z.strictObject({
        n: z.number(),
        words: z.string(),
        state: z.string(),
        verdict: z.optional(z.string()),
        tookMs: z.number(),
        notes: z.optional(z.array(z.string())),
      }),
    ),
    stop: z.optional(stop),
    tookMs: z.number(),
  });
};

export const runsOutput = () =>
  z.strictObject({
    runs: z.array(reportOutput()),
    skipped: z.array(z.strictObject({ row: z.number(), why: z.string() })),
  });

/** Why a row was left out, if all is well with it. */
export const doneBefore = "done before";

type RunsData = DataOf<typeof runsOutput>;

export interface Run extends ReplayReport {
  readonly row?: number | undefined;
}

export interface Runs {
  readonly runs: readonly Run[];
  readonly skipped: readonly { readonly row: number; readonly why: string }[];
}

export const runsForms: Forms<Runs, RunsData> = {
  data: ({ runs, skipped }) => ({ runs: runs.map(toData), skipped: [...skipped] }),
  text: showRuns,
  csv: ({ runs }) =>
    joinRows(
      "row,step,state,verdict,tookMs,words",
      runs.flatMap(({ row = 0, steps }) =>
        steps.map(({ n, state, verdict = "", tookMs, words }) => [
          ...[String(row), String(n), state, verdict, String(tookMs), words],
        ]),
      ),
    ),
  // A row that nobody knows of is not done.
  exitCode: ({ runs, skipped }) =>
    Math.max(skipped.some(({ why }) => why !== doneBefore) ? 1 : 0, ...runs.map(exitCodeOfReplay)),
};

function toData({ stop, steps, demo, row, from, to, tookMs }: Run): RunsData["runs"][number] {
  const told = stop === undefined ? undefined : failureToData(stop.failure).error;
  return {
    ...{ demo, row, from, to, tookMs },
    steps: steps.map(({ notes, ...step }) => ({ ...step, ...(notes.length === 0 ? {} : { notes }) })),
    ...(stop === undefined || told === undefined
      ? {}
      : {
          stop: {
            ...{ step: stop.n, words: stop.words, code: told.code, message: told.message },
            ...{ nearest: told.nearest, try: told.try, done: told.done },
          },
        }),
  };
}

export function showRuns({ runs, skipped }: Runs): string {
  const lines = runs.flatMap((one) => showRun(one));
  const before = skipped.filter(({ why }) => why === doneBefore).length;
  const others = skipped.filter(({ why }) => why !== doneBefore).map(({ row, why }) => `row ${row}: ${why}`);
  return [...lines, ...(before === 0 ? [] : [`${before} rows were done before`]), ...others].join("\n");
}

function showRun({ demo, row, steps, stop, tookMs }: Run): readonly string[] {
  const which = `${quoteName(demo)}${row === undefined ? "" : `, row ${row}`}`;
  if (stop !== undefined) {
    return [`${which}: stopped at step ${stop.n}: ${cleanLine(stop.words)}`, showFailure(stop.failure)];
  }
  const would = steps.filter(({ state }) => state === "would").length;
  const absent = steps.filter(({ state }) => state === "not-there").length;
  if (would + absent > 0) {
    const later = absent === 0 ? "" : `; ${absent} need what is not there yet`;
    return [`${which}: ${would} steps would be done${later}. nothing was done.`];
  }
  const done = steps.filter(({ state }) => state === "done").length;
  return [`${which}: ${done} ${done === 1 ? "step" : "steps"} done in ${tookMs} ms`];
}
