import { type Bounds, type Point, windowSpace } from "../../model/bounds.ts";
import type { Ref, Step } from "../../model/ref.ts";
import { entryRoles, isRole, type Role } from "../../model/role.ts";
import { type Learned, sources } from "../../model/target.ts";
import type { Row } from "./database.ts";
import { placeKey, writePath } from "./migrations.ts";
import type { StoredRef, StoredTarget } from "./port.ts";

/** Where sisters are, as it is stored. */
export interface PlaceRow {
  readonly key: string;
  readonly app: string;
  readonly windows: string;
  readonly path: string;
}

/** Sisters share the very list of their containers: it is written once. */
const written = new WeakMap<
  Ref["path"],
  { readonly app: string; readonly windows: Ref["windows"]; readonly row: PlaceRow }
>();

export function writePlace({ app, windows, path }: Pick<Ref, "app" | "windows" | "path">): PlaceRow {
  const known = written.get(path);
  if (known !== undefined && known.app === app && known.windows === windows) return known.row;
  const [names, way] = [JSON.stringify(windows), writePath(path)];
  const row = { key: placeKey(app, names, way), app, windows: names, path: way };
  written.set(path, { app, windows, row });
  return row;
}

/** In the order of the columns that are written: without the mark, its place and its times. */
export function writeTarget(ref: Ref): (string | number | null)[] {
  const { role, name, platformId, index, count, owner, sisters, twins, hasTwin, bounds } = ref;
  const box = bounds === undefined ? [null, null, null, null] : [bounds.x, bounds.y, bounds.width, bounds.height];
  return [role, name, platformId, index, count, owner, ...sisters, twins, Number(hasTwin), ...box];
}

/** What a mark means, with where it is. */
export const targetColumns = `mark, role, name, platform_id, position, alike, owner, sister_before, sister_after, twins, has_twin,
  x, y, width, height, press_x, press_y, source, certainty, first_seen, targets.last_seen AS last_seen, last_look, same, moved,
  hits, misses, taught, feedback, parent, visual_hash, layout, app, windows, path, looks, places.last_seen AS place_seen`;

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

/** Containers that may show only a part of what they hold. */
const scrolling: ReadonlySet<Role> = new Set<Role>(["scroll", "list", "table", "tree", "web", "document"]);

/** Whether what is not there may only be scrolled away. */
export function isFluent(path: readonly Pick<Step, "role">[]): boolean {
  return path.some(({ role }) => scrolling.has(role));
}

export function readLearned(row: Row): Learned {
  const path = readPath(String(row.path));
  const mayBeAway = entryRoles.has(readRole(row.role)) || isFluent(path);
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

/** What was in its container when that last changed has been seen as long as the container has. */
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

/** Acts are counted by how sure the map was before them, in tenths. */
export function reliabilityBinOf(confidence: number): number {
  return Math.max(0, Math.min(9, Math.floor(confidence * 10)));
}
