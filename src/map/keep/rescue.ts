import { existsSync } from "node:fs";
import { fail, type Result, succeed } from "../../model/failure.ts";
import { isPixelSource } from "../../model/source.ts";
import { hashAppearances } from "../evidence.ts";
import { describeFailure, MapFile } from "../store/database.ts";
import { readTargets } from "../store/exchange.ts";
import { type Hold, holdAlone } from "../store/hold.ts";
import { MapUnavailable } from "../store/port.ts";
import { type Rescue, rescue } from "../store/rescue.ts";
import { SqliteStore } from "../store/sqlite.ts";

/** Makes a new map from what is readable of a damaged one, and recomputes the evidence that was lost. */
export function rescueMap(path: string, nowMs: number): Result<Rescue> {
  let hold: Hold | undefined;
  try {
    hold = existsSync(path) ? holdAlone(path) : undefined;
    const rescued = rescue(path, nowMs);
    if (!rescued.ok || rescued.value.kept === undefined) return rescued;
    const store = SqliteStore.over(MapFile.openHeld(path));
    store.inTransaction(() => rebuildEvidence(store));
    store.close();
    return succeed(rescued.value);
  } catch (error) {
    return fail(error instanceof MapUnavailable ? error.failure : describeFailure(path, error));
  } finally {
    hold?.release();
  }
}

function rebuildEvidence(store: SqliteStore): void {
  // Evidence of controls that were lost.
  store.file.run("DELETE FROM evidence WHERE mark NOT IN (SELECT mark FROM targets)");
  for (const batch of readTargets(store.file)) {
    const told = batch.filter(({ learned }) => !isPixelSource(learned.source));
    const made = told.flatMap(({ ref, learned }) => hashAppearances(ref).map((hash) => [hash, learned.mark] as const));
    const known = store.findMarks(made.map(([hash]) => hash));
    store.setEvidence(new Map(made.filter(([hash]) => !known.has(hash))));
  }
}
