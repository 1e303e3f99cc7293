import { FileRecords } from "../../guard/audit/file-records.ts";
import { findPlaces } from "../../guard/places.ts";
import { findMap } from "../../map/keep/keeper.ts";
import { rescueMap } from "../../map/keep/rescue.ts";
import { joinRows } from "../../show/csv.ts";
import { answer } from "../report.ts";
import { alignRows } from "./describe.ts";
import type { FormatFlags } from "./open.ts";

export async function runRescue(flags: FormatFlags): Promise<void> {
  await answer(flags.format, async () => {
    const entry = { what: "policy", client: "person", tool: "map", effect: "rescued" } as const;
    const written = new FileRecords(findPlaces(process.env)).write(entry);
    if (!written.ok) return written.failure;
    const done = rescueMap(findMap(process.env), Date.now());
    if (!done.ok) return done.failure;
    const { kept, rows, lastMark, isCounterKnown } = done.value;
    const table = Object.entries(rows).map(([name, count]) => [name, String(count)]);
    const counter = isCounterKnown ? "" : ", far above any that can have been given out";
    return {
      forms: {
        text: () =>
          kept === undefined
            ? "the map is whole: nothing was done."
            : [
                "a new map was made of what could be read:",
                alignRows(table.map(([name = "", count = ""]) => [`  ${name}`, count])),
                `new marks begin after ${lastMark}${counter}`,
                `the damaged file is kept: ${kept}`,
              ].join("\n"),
        json: () => JSON.stringify({ kept: kept ?? null, rows, lastMark, isCounterKnown }),
        csv: () => joinRows("table,rows", table),
      },
    };
  });
}
