import { type Bounds, type Point, windowSpace } from "../../model/bounds.ts";
import type { Ref, Step, StoredRef } from "../../model/ref.ts";
import { entryRoles, isRole, type Role } from "../../model/role.ts";
import { sources } from "../../model/source.ts";
import type { Learned } from "../../model/target.ts";
import type { MapFile, Row } from "./database.ts";
import type { StoredTarget } from "./port.ts";
import { containerKey, writePath } from "./schema.ts";

export interface ContainerRow {
  readonly key: string;
  readonly app: string;
  readonly windows: string;
  readonly path: string;
}

/** Siblings share the same `path` array: each is serialised once. */
const written = new WeakMap<
  Ref["path"],
  { readonly app: string; readonly windows: Ref["windows"]; readonly row: ContainerRow }
>();

export function toContainerRow({ app, windows, path }: Pick<Ref, "app" | "windows" | "path">): ContainerRow {
  const known = written.get(path);
  if (known !== undefined && known.app === app && known.windows === windows) return known.row;
  const [names, way] = [JSON.stringify(windows), writePath(path)];
  const row = { key: containerKey(app, names, way), app, windows: names, path: way };
  written.set(path, { app, windows, row });
  return row;
}

export function addContainers(file: MapFile, refs: readonly Pick<Ref, "app" | "windows" | "path">[]): void {
  const rows = new Map(refs.map((ref) => [toContainerRow(ref).key, toContainerRow(ref)]));
  file.runEach(
    "INSERT OR IGNORE INTO places (key, app, windows, path) VALUES (CAST(? AS INTEGER), ?, ?, ?)",
    [...rows.values()].map(({ key, app, windows, path }) => [key, app, windows, path]),
  );
}

/** In the order of the written columns: without mark, container and times. */
export function writeTarget(ref: Ref): (string | number | null)[] {
  const { role, name, platformId, index, count, owner, sisters, twins, hasTwin, bounds } = ref;
  const box = bounds === undefined ? [null, null, null, null] : [bounds.x, bounds.y, bounds.width, bounds.height];
  return [role, name, platformId, index, count, owner, ...sisters, twins, Number(hasTwin), ...box];
}

export const targetColumns = `mark, role, name, platform_id, position, alike, owner, sister_before, sister_after, twins, has_twin,
  x, y, width, height, press_x, press_y, source, certainty, first_seen, targets.last_seen AS last_seen, last_look, same, moved,
  hits, misses, taught, feedback, parent, visual_hash, layout, app, windows, path, looks, places.last_seen AS place_seen`;

/** The rows of marks that are given as a JSON list. */
export const selectTargets = `SELECT ${targetColumns} FROM targets JOIN places USING (place)
  WHERE mark IN (SELECT value FROM json_each(?))`;

export function readTarget(row: Row): StoredTarget {
  const x = Number(row.press_x);
  const clickPoint: Point | undefined = row.press_x === null ? undefined : { x, y: Number(row.press_y) };
  const feedback = row.feedback === null ? "" : String(row.feedback);
  return { ref: readRef(row), clickPoint, learned: readLearned(row), feedback };
}

export function readRef(row: Row): StoredRef {
  return {
    app: String(row.app),
    windows: JSON.parse(String(row.windows)),
    role: readRole(row.role),
    name: String(row.name),
    platformId: String(row.platform_id),
    path: readPath(String(row.path)),
    index: Number(row.position),
    count: Number(row.alike),
    owner: String(row.owner),
    sisters: [String(row.sister_before), String(row.sister_after)],
    twins: Number(row.twins),
    hasTwin: row.has_twin === 1,
    bounds: readBounds(row),
    space: windowSpace,
  };
}

/** Containers that may show only part of their content. */
const scrolling: ReadonlySet<Role> = new Set<Role>(["scroll", "list", "table", "tree", "web", "document"]);

/** Whether an absent control may only be scrolled away. */
export function isScrolling(path: readonly Pick<Step, "role">[]): boolean {
  return path.some(({ role }) => scrolling.has(role));
}

export function readLearned(row: Row): Learned {
  const path = readPath(String(row.path));
  const mayBeAway = entryRoles.has(readRole(row.role)) || isScrolling(path);
  const lastLook = row.last_look === null ? undefined : Number(row.last_look);
  return {
    mark: Number(row.mark),
    source: sources[Number(row.source)] ?? "a11y",
    certainty: row.certainty === null ? undefined : Number(row.certainty),
    firstSeenMs: Number(row.first_seen) * 1000,
    lastSeenMs: readLastSeen(row) * 1000,
    same: Number(row.same),
    moved: Number(row.moved),
    missing: mayBeAway || lastLook === undefined ? 0 : Math.max(0, Number(row.looks) - lastLook),
    hits: Number(row.hits),
    misses: Number(row.misses),
    taught: row.taught === null ? "" : String(row.taught),
    parent: row.parent === null ? undefined : Number(row.parent),
    depth: path.length,
    visualHash: row.visual_hash === null ? "" : String(row.visual_hash),
    layoutVersion: Number(row.layout),
  };
}

/** A control present at the last change of its container has been seen as recently as the container. */
function readLastSeen({ last_seen, last_look, looks, place_seen }: Row): number {
  const isThere = last_look !== null && last_look === looks;
  return isThere ? Math.max(Number(last_seen), Number(place_seen)) : Number(last_seen);
}

function readBounds({ x, y, width, height }: Row): Bounds | undefined {
  if (x === null) return undefined;
  return { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
}

function readPath(path: string): Step[] {
  const steps: readonly (readonly [string, string, number, number])[] = JSON.parse(path);
  return steps.map(([role, name, index, count]) => ({ role: readRole(role), name, index, count }));
}

function readRole(role: unknown): Role {
  const name = String(role);
  return isRole(name) ? name : "other";
}

export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Actions are counted by the confidence before them, in bins of a tenth. */
export function reliabilityBinOf(confidence: number): number {
  return Math.max(0, Math.min(9, Math.floor(confidence * 10)));
}
