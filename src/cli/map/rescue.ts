import * as z from "zod/mini";
import { findMap } from "../../map/keep/keeper.ts";
import { rescueMap } from "../../map/keep/rescue.ts";
import type { Result } from "../../model/failure.ts";
import { recordKeeping } from "../../server/keeping.ts";
import { joinRows } from "../../show/csv.ts";
import { alignRows } from "../../show/text.ts";
import { defineAnswer } from "../define.ts";

type Rescued = Extract<ReturnType<typeof rescueMap>, { ok: true }>["value"];

export const rescue = defineAnswer({
  name: "rescue",
  summary: "Makes a new map of what can still be read of a damaged one; the damaged one is kept beside it.",
  output: () =>
    z.strictObject({
      kept: z.nullable(z.string()),
      rows: z.record(z.string(), z.number()),
      lastMark: z.number(),
      isCounterKnown: z.boolean(),
    }),
  forms: {
    data: ({ kept, rows, lastMark, isCounterKnown }: Rescued) => ({
      kept: kept ?? null,
      rows: { ...rows },
      lastMark,
      isCounterKnown,
    }),
    text({ kept, rows, lastMark, isCounterKnown }) {
      if (kept === undefined) return "the map is whole: nothing was done.";
      const counter = isCounterKnown ? "" : ", far above any that can have been given out";
      return [
        "a new map was made of what could be read:",
        alignRows(Object.entries(rows).map(([name, count]) => [`  ${name}`, String(count)])),
        `new marks begin after ${lastMark}${counter}`,
        `the damaged file is kept: ${kept}`,
      ].join("\n");
    },
    csv: ({ rows }) =>
      joinRows(
        "table,rows",
        Object.entries(rows).map(([name, count]) => [name, String(count)]),
      ),
  },
  async run(): Promise<Result<Rescued>> {
    const written = recordKeeping(process.env, [], "rescued");
    return written.ok ? rescueMap(findMap(process.env), Date.now()) : written;
  },
});
