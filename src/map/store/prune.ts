import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { type Result, succeed } from "../../model/failure.ts";
import { rewrite } from "./forget.ts";

export interface PruneOptions {
  /** Minimum age in days. */
  readonly days: number;
  /** Applications of which everything is kept. */
  readonly keepApps: readonly string[];
  readonly nowMs: number;
}

export interface Pruned {
  readonly targets: number;
  readonly evidence: number;
  /** Object evidence of application runs that ended long ago. */
  readonly objects: number;
  readonly lives: number;
  readonly places: number;
}

/** An application run not seen for this long has ended. */
const lifeDays = 30;
const daySeconds = 86_400;

/** Deletes old targets that are unused and untaught, and evidence that leads nowhere. Numbers stay allotted. */
export function prune(path: string, options: PruneOptions): Result<Pruned> {
  if (!existsSync(path)) return succeed({ targets: 0, evidence: 0, objects: 0, lives: 0, places: 0 });
  return rewrite(
    path,
    (database) => {
      const run = (sql: string, ...values: (number | string)[]): number =>
        Number(database.prepare(sql).run(...values).changes);
      const oldest = (days: number): number => Math.floor(options.nowMs / 1000) - days * daySeconds;
      database.exec("CREATE TEMP TABLE chosen (mark INTEGER PRIMARY KEY)");
      const old = `INSERT INTO chosen SELECT mark FROM targets JOIN places USING (place)
      WHERE targets.last_seen < ?1 AND (places.last_seen < ?1 OR last_look IS NOT looks) AND taught IS NULL AND hits = 0
      AND app NOT IN (SELECT value FROM json_each(?2))`;
      run(old, oldest(options.days), JSON.stringify(options.keepApps));
      const lives = run("DELETE FROM lives WHERE last_seen < ?", oldest(Math.min(options.days, lifeDays)));
      const objects =
        run("DELETE FROM objects WHERE life NOT IN (SELECT life FROM lives)") + deleteChosen(run, "objects");
      const evidence = deleteChosen(run, "evidence");
      for (const table of ["tempers", "aliases", "imported", "history"]) deleteChosen(run, table);
      const targets = deleteChosen(run, "targets");
      const places = deleteEmptyPlaces(database, run);
      database.exec("DROP TABLE temp.chosen");
      return { targets, evidence, objects, lives, places };
      // Local only: other desktops of a shared map may still use these controls.
    },
    "here",
  );
}

type Run = (sql: string, ...values: (number | string)[]) => number;

function deleteChosen(run: Run, table: string): number {
  return run(`DELETE FROM ${table} WHERE mark IN (SELECT mark FROM temp.chosen)`);
}

/** Names of applications without any remaining container are deleted too. */
function deleteEmptyPlaces(database: DatabaseSync, run: Run): number {
  const places = run("DELETE FROM places WHERE place NOT IN (SELECT place FROM targets)");
  database.exec("DELETE FROM names WHERE app NOT IN (SELECT app FROM places)");
  database.exec("DELETE FROM windows WHERE app NOT IN (SELECT app FROM places)");
  return places;
}
