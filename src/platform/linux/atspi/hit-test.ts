import type { Point } from "../../../model/bounds.ts";
import type { SingleElement } from "../../../model/element.ts";
import { type Result, succeed } from "../../../model/failure.ts";
import { type Bus, unlessRefused } from "../dbus/bus.ts";
import { coordinatesOf } from "./details.ts";
import { handleOf, withObject } from "./object.ts";
import { type CoordinateType, nullPath, type Peer } from "./peer.ts";
import { isRealExtents, type Quirks } from "./quirks.ts";
import { findQuirks } from "./toolkit.ts";
import { roleNames } from "./vocabulary.ts";

/** Deeper than any window nests; ends a cyclic tree. */
const maxLevels = 60;

/**
 * Chromium answers after 12–23 ms, Firefox within 100 ms at the first request. On a busy machine both are slower, like
 * all other answers: so the wait is a multiple of a measured round trip.
 */
const lateMs = 30;
const lateFactor = 4;
const longestLateMs = 400;
const maxRepeats = 5;
/** Answers based on bounding boxes are repeated twice until the real answer arrives. */
const repeatsWhereAlwaysLate = 2;

/**
 * The application's own object at a point of the element's window; the element itself if it is a text or image inside
 * it. The point is converted to the toolkit's units through the element, whose position is known in both.
 */
export function askWhatIsAt(
  bus: Bus,
  element: SingleElement,
  point: Point,
  timeoutMs: number,
): Promise<Result<string | undefined>> {
  return withObject<string | undefined>(bus, element, timeoutMs, succeed(undefined), async (peer, path) => {
    const quirks = await findQuirks(peer);
    const hit = quirks.hitTest === "nowhere" ? undefined : await findHit(peer, quirks, path, element, point);
    return succeed(hit === undefined ? undefined : handleOf(bus, peer.name, hit));
  });
}

async function findHit(
  peer: Peer,
  quirks: Quirks,
  path: string,
  element: SingleElement,
  point: Point,
): Promise<string | undefined> {
  const coordinates = coordinatesOf(quirks);
  const [around, raw] = await Promise.all([
    listAround(peer, path),
    measurePoint(peer, path, element, point, coordinates),
  ]);
  const window = around.at(-1);
  if (raw === undefined || window === undefined) return undefined;
  if (quirks.hitTest === "in pages" && !(await hasPage(peer, around))) return undefined;
  const ask = (): Promise<string | undefined> => descend(peer, window, raw, coordinates);
  const isVague = (hit: string | undefined): boolean => hit === undefined || (hit !== path && around.includes(hit));
  const started = performance.now();
  const first = await ask();
  const pauseMs = Math.min(Math.max(lateMs, lateFactor * (performance.now() - started)), longestLateMs);
  let hit = first;
  const repeats = { never: 0, always: repeatsWhereAlwaysLate, "at first": maxRepeats }[quirks.hitsLate];
  for (let repeat = 0; repeat < repeats && (quirks.hitsLate === "always" || isVague(hit)); repeat += 1) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    hit = await ask();
  }
  // The tabs of a page keep an earlier answer for their list, which is indistinguishable from a real one.
  const isStale = quirks.hitsLate === "always" && hit === first && isVague(hit);
  return hit === undefined || isStale ? undefined : leavePassive(peer, hit, path, around);
}

async function measurePoint(
  peer: Peer,
  path: string,
  { bounds }: SingleElement,
  point: Point,
  coordinates: CoordinateType,
): Promise<Point | undefined> {
  const extents = await peer.getExtents(path, coordinates);
  if (bounds === undefined || !isRealExtents(extents) || extents[2] <= 0 || extents[3] <= 0) return undefined;
  const [x, y, width, height] = extents;
  return {
    x: x + Math.floor(((point.x - bounds.x) * width) / bounds.width),
    y: y + Math.floor(((point.y - bounds.y) * height) / bounds.height),
  };
}

/** An object and its ancestors, except the application. */
async function listAround(peer: Peer, path: string): Promise<string[]> {
  const around = [path];
  for await (const ancestor of peer.listAncestors(path)) around.push(ancestor);
  return around;
}

async function hasPage(peer: Peer, paths: readonly string[]): Promise<boolean> {
  const roles = await Promise.all(paths.map((path) => unlessRefused(peer.getRole(path))));
  return roles.some((role) => role !== undefined && roleNames[role] === "document web");
}

/** Some toolkits return the innermost object at once, others a child that must be asked in turn. */
async function descend(
  peer: Peer,
  window: string,
  { x, y }: Point,
  coordinates: CoordinateType,
): Promise<string | undefined> {
  let found: string | undefined;
  for (let level = 0; level < maxLevels; level += 1) {
    const asked: string = found ?? window;
    const hit = await unlessRefused(peer.getAccessibleAt(asked, x, y, coordinates));
    if (hit === undefined || hit[0] !== peer.name || hit[1] === nullPath || hit[1] === asked) break;
    found = hit[1];
  }
  return found;
}

/** Roles that do not react to clicks. A read may omit them: a button's text is left out if it is its name. */
const passive = new Set(["static", "label", "image", "icon", "paragraph", "section", "filler", "panel", "text"]);

/**
 * The element itself if everything between it and the hit is passive. Otherwise the object that takes the click: for
 * the text of another button, that button.
 */
async function leavePassive(peer: Peer, hit: string, path: string, around: readonly string[]): Promise<string> {
  let inner = hit;
  let pressed: string | undefined;
  for (let level = 0; level < maxLevels && inner !== path; level += 1) {
    if (around.includes(inner)) return pressed ?? hit;
    const [role, parent] = await Promise.all([peer.getRole(inner), peer.getParent(inner)]);
    if (!passive.has(roleNames[role] ?? "")) pressed ??= inner;
    if (parent === undefined || parent[0] !== peer.name) return pressed ?? hit;
    inner = parent[1];
  }
  return inner === path && pressed === undefined ? inner : hit;
}
