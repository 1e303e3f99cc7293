import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fail, type Result, succeed } from "../../model/failure.ts";
import { describeFailure } from "./database.ts";

const busyTimeoutMs = 5000;

/**
 * Forgets applications: their marks, what led to them and what they were called. Their numbers are never given out again.
 * Deleting alone would leave the bytes in the file, and in the journal beside it: the file is written anew. Returns how
 * many marks there were.
 */
export function forgetApplications(path: string, apps: readonly string[]): Result<number> {
  if (apps.length === 0 || !existsSync(path)) return succeed(0);
  let database: DatabaseSync | undefined;
  try {
    // Without foreign keys, which would search all evidence once for every mark.
    database = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: false });
    const list = JSON.stringify(apps);
    database.exec("PRAGMA secure_delete = ON; BEGIN IMMEDIATE");
    const places = "SELECT place FROM places WHERE app IN (SELECT value FROM json_each(?))";
    const own = `SELECT mark FROM targets WHERE place IN (${places})`;
    for (const table of ["evidence", "objects", "tempers", "aliases"]) {
      database.prepare(`DELETE FROM ${table} WHERE mark IN (${own})`).run(list);
    }
    const { changes } = database.prepare(`DELETE FROM targets WHERE place IN (${places})`).run(list);
    for (const table of ["places", "windows"]) {
      database.prepare(`DELETE FROM ${table} WHERE app IN (SELECT value FROM json_each(?))`).run(list);
    }
    database.prepare("DELETE FROM names WHERE app IN (SELECT value FROM json_each(?))").run(list);
    database.exec("COMMIT; VACUUM");
    // Taken whole into the file, and cut: older versions of the pages lie in it. Where another process is just reading,
    // the last one to close does it.
    database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    return succeed(Number(changes));
  } catch (error) {
    return fail(describeFailure(path, error));
  } finally {
    database?.close();
  }
}
