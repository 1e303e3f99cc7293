import { type Result, succeed } from "../../model/failure.ts";
import { hashLooks } from "../evidence.ts";
import { readTargets } from "../store/exchange.ts";
import { type Rescue, rescue } from "../store/rescue.ts";
import { SqliteStore } from "../store/sqlite.ts";

/** A new map of what can be read of a damaged one. What led to a control may be lost where the control is not: it is made anew. */
export function rescueMap(path: string, nowMs: number): Result<Rescue> {
  const rescued = rescue(path, nowMs);
  if (!rescued.ok || rescued.value.kept === undefined) return rescued;
  const store = SqliteStore.open(path);
  if (!store.ok) return store;
  store.value.inTransaction(() => leadAgain(store.value));
  store.value.close();
  return succeed(rescued.value);
}

function leadAgain(store: SqliteStore): void {
  // To nothing that is still there.
  store.file.run("DELETE FROM evidence WHERE mark NOT IN (SELECT mark FROM targets)");
  for (const batch of readTargets(store.file)) {
    const made = batch.flatMap(({ ref, learned }) => hashLooks(ref).map((hash) => [hash, learned.mark] as const));
    const known = store.findMarks(made.map(([hash]) => hash));
    store.setEvidence(new Map(made.filter(([hash]) => !known.has(hash))));
  }
}
