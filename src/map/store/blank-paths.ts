import type { DatabaseSync } from "node:sqlite";
import type { Step } from "../../model/ref.ts";
import { containerKey, writePath } from "./migrations.ts";

/**
 * Removes a forgotten name from the paths of the controls inside that container. Their evidence still matches, since it
 * is stored as hashes.
 */
export function blankPaths(database: DatabaseSync, name: string, app: string): void {
  const quoted = JSON.stringify(name).slice(1, -1);
  const find = "SELECT place, windows, path FROM places WHERE app = ? AND instr(path, ?) > 0";
  for (const { place, windows, path } of database.prepare(find).all(app, quoted)) {
    const steps: readonly (readonly [Step["role"], string, number, number])[] = JSON.parse(String(path));
    const blank = steps.map(([role, called, index, count]) => {
      return { role, name: isCalled(called, name) ? "" : called, index, count };
    });
    const written = writePath(blank);
    if (written !== path) movePlace(database, Number(place), [app, String(windows), written]);
  }
}

/** A list entry is named by all its texts. */
function isCalled(called: string, name: string): boolean {
  return called.replaceAll("\u0002", "\u0001").split("\u0001").includes(name);
}

/** An existing container without the name absorbs the content. */
function movePlace(
  database: DatabaseSync,
  place: number,
  [app, windows, path]: readonly [string, string, string],
): void {
  const key = containerKey(app, windows, path);
  const insert = `INSERT OR IGNORE INTO places (key, app, windows, path, looks, state, last_seen)
    SELECT CAST(? AS INTEGER), app, windows, ?, looks, 0, last_seen FROM places WHERE place = ?`;
  database.prepare(insert).run(key, path, place);
  const move = "UPDATE targets SET place = (SELECT place FROM places WHERE key = CAST(? AS INTEGER)) WHERE place = ?";
  database.prepare(move).run(key, place);
  database.prepare("DELETE FROM places WHERE place = ?").run(place);
}
