import { closeSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { windowSpace } from "../../model/bounds.ts";
import type { StoredRef } from "../../model/ref.ts";
import { isRole } from "../../model/role.ts";
import { findSource, sources } from "../../model/source.ts";
import type { Counts, KeptTarget, Share } from "../store/exchange.ts";
import { readMapId, readTargets, subtractCounts } from "../store/exchange.ts";
import type { StoredTarget } from "../store/port.ts";
import type { SqliteStore } from "../store/sqlite.ts";

/**
 * A map as JSON Lines: a header, then one control per line. `counts` are the map's own observations, `shares` those it
 * imported, so that data arriving by two routes counts once.
 */
const lineVersion = 1;

export interface Head {
  readonly deskmap: "map";
  readonly version: number;
  /** The id of the exported map. */
  readonly map: string;
  /** The highest number it had allotted. */
  readonly lastMark: number;
  readonly exportedAt: string;
  /** The names of each application. */
  readonly names: Readonly<Record<string, readonly string[]>>;
}

export interface TargetLine extends Omit<StoredTarget, "learned" | "feedback"> {
  readonly mark: number;
  readonly learned: Omit<StoredTarget["learned"], "mark" | "missing" | "depth" | "parent" | "feedback" | keyof Counts>;
  readonly counts: Counts;
  readonly shares: readonly Share[];
  readonly isCalm: boolean | undefined;
}

function writeLine({ ref, clickPoint, learned, shares, isCalm }: KeptTarget): string {
  const { app, windows, role, name, platformId, path, index, count, owner, sisters, twins, hasTwin, bounds } = ref;
  const { same, moved, hits, misses } = learned;
  return JSON.stringify({
    mark: learned.mark,
    ref: { app, windows, role, name, platformId, path, index, count, owner, sisters, twins, hasTwin, bounds },
    clickPoint,
    source: learned.source,
    certainty: learned.certainty,
    firstSeen: new Date(learned.firstSeenMs).toISOString(),
    lastSeen: new Date(learned.lastSeenMs).toISOString(),
    counts: shares.reduce<Counts>(subtractCounts, { same, moved, hits, misses }),
    taught: learned.taught || undefined,
    calm: isCalm,
    visualHash: learned.visualHash || undefined,
    layout: learned.layoutVersion,
    shares: shares.length === 0 ? undefined : shares,
  });
}

/** Returns the header, or what is wrong with the line. */
export function readHead(line: string): Head | string {
  const given = readObject(line);
  if (typeof given === "string") return given;
  if (given.deskmap !== "map") return 'not an export of a map: the first line must be {"deskmap":"map", …}';
  if (given.version !== lineVersion) {
    return `version ${String(given.version)} is not supported; this Deskmap reads version ${lineVersion}`;
  }
  if (!isText(given.map) || !/^[0-9a-f]{8,64}$/.test(given.map)) return '"map" must be a map id';
  if (!isCount(given.lastMark)) return '"lastMark" must be a whole number';
  const names: Record<string, string[]> = {};
  for (const [app, own] of Object.entries(isObject(given.names) ? given.names : {})) {
    if (!Array.isArray(own) || !own.every(isText)) return `"names" of ${JSON.stringify(app)} must be a list of texts`;
    names[app] = own;
  }
  const exportedAt = isText(given.exportedAt) ? given.exportedAt : "";
  return { deskmap: "map", version: lineVersion, map: given.map, lastMark: given.lastMark, exportedAt, names };
}

/** Returns the target, or what is wrong with the line. */
export function readLine(line: string): TargetLine | string {
  const given = readObject(line);
  if (typeof given === "string") return given;
  const {
    mark,
    clickPoint,
    source,
    certainty,
    firstSeen,
    lastSeen,
    taught = "",
    calm,
    visualHash = "",
    layout = 1,
  } = given;
  const ref = readRef(given.ref);
  if (typeof ref === "string") return ref;
  const counts = readCounts(given.counts);
  const shares = given.shares === undefined ? [] : readShares(given.shares);
  const [firstSeenMs, lastSeenMs] = [readTime(firstSeen), readTime(lastSeen)];
  const known = findSource(source);
  if (!isCount(mark) || mark === 0) return '"mark" must be a whole number from 1';
  if (known === undefined) return `"source" must be one of ${sources.join(", ")}`;
  if (certainty !== undefined && !isShare(certainty)) return '"certainty" must be from 0 to 1';
  if (firstSeenMs === undefined || lastSeenMs === undefined) return '"firstSeen" and "lastSeen" must be times';
  if (counts === undefined) return '"counts" must have same, moved, hits and misses';
  if (shares === undefined) return '"shares" must be a list of counts with "origin" and "number"';
  if (!isText(taught) || !isText(visualHash)) return '"taught" and "visualHash" must be texts';
  if (calm !== undefined && typeof calm !== "boolean") return '"calm" must be true or false';
  if (!isCount(layout)) return '"layout" must be a whole number';
  const point = clickPoint === undefined ? undefined : readPoint(clickPoint);
  if (clickPoint !== undefined && point === undefined) return '"clickPoint" must have x and y';
  const times = { firstSeenMs, lastSeenMs };
  const learned = { source: known, certainty, ...times, taught, visualHash, layoutVersion: layout };
  return { mark, ref, clickPoint: point, learned, counts, shares, isCalm: calm };
}

function readRef(given: unknown): StoredRef | string {
  if (!isObject(given)) return '"ref" is missing';
  const {
    app,
    windows,
    role,
    name,
    platformId = "",
    path,
    index,
    count,
    owner = "",
    sisters = ["", ""],
    twins = 0,
  } = given;
  if (!isText(app) || app === "") return '"ref.app" must be a text';
  if (!isTexts(windows) || windows.length === 0) return '"ref.windows" must be a list of texts';
  if (!isText(role) || !isRole(role)) return `unknown "ref.role": ${JSON.stringify(role)}`;
  if (!isText(name) || !isText(platformId) || !isText(owner))
    return '"ref.name", "platformId" and "owner" must be texts';
  if (!isTexts(sisters) || sisters.length !== 2) return '"ref.sisters" must be two texts';
  if (!isCount(index) || !isCount(count) || !isCount(twins))
    return '"ref.index", "count" and "twins" must be whole numbers';
  const steps = Array.isArray(path) && path.length <= maxDepth ? path.map(readStep) : [undefined];
  const way = steps.filter((step) => step !== undefined);
  if (way.length !== steps.length) return '"ref.path" must be a list of containers with role, name, index and count';
  const bounds = given.bounds === undefined ? undefined : readBounds(given.bounds);
  if (given.bounds !== undefined && bounds === undefined) return '"ref.bounds" must have x, y, width and height';
  const [before = "", after = ""] = sisters;
  const words = { app, windows, role, name, platformId, owner, sisters: [before, after] as const };
  return { ...words, path: way, index, count, twins, hasTwin: given.hasTwin === true, bounds, space: windowSpace };
}

const maxDepth = 500;

function readStep(given: unknown): StoredRef["path"][number] | undefined {
  if (!isObject(given)) return undefined;
  const { role, name, index, count } = given;
  if (!isText(role) || !isRole(role) || !isText(name) || !isCount(index) || !isCount(count)) return undefined;
  return { role, name, index, count };
}

function readBounds(given: unknown): StoredRef["bounds"] {
  if (!isObject(given)) return undefined;
  const { x, y, width, height } = given;
  return isWhole(x) && isWhole(y) && isWhole(width) && isWhole(height) ? { x, y, width, height } : undefined;
}

function readPoint(given: unknown): StoredTarget["clickPoint"] {
  if (!isObject(given)) return undefined;
  const { x, y } = given;
  return isWhole(x) && isWhole(y) ? { x, y } : undefined;
}

function readCounts(given: unknown): Counts | undefined {
  if (!isObject(given)) return undefined;
  const { same, moved, hits, misses } = given;
  return isCount(same) && isCount(moved) && isCount(hits) && isCount(misses)
    ? { same, moved, hits, misses }
    : undefined;
}

function readShares(given: unknown): Share[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const shares = given.map((one: unknown) => {
    const counts = readCounts(one);
    if (counts === undefined || !isObject(one) || !isText(one.origin) || !isCount(one.number)) return undefined;
    return { ...counts, origin: one.origin, number: one.number };
  });
  const read = shares.filter((share) => share !== undefined);
  return read.length === shares.length ? read : undefined;
}

function readObject(line: string): Record<string, unknown> | string {
  try {
    const given: unknown = JSON.parse(line);
    return isObject(given) ? given : "not a JSON object";
  } catch {
    return "not JSON";
  }
}

function readTime(given: unknown): number | undefined {
  const atMs = isText(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : atMs;
}

function isObject(given: unknown): given is Record<string, unknown> {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}

/** Longer than any text a map stores. */
const maxText = 100_000;

function isText(given: unknown): given is string {
  return typeof given === "string" && given.length <= maxText;
}

function isTexts(given: unknown): given is string[] {
  return Array.isArray(given) && given.length <= maxDepth && given.every(isText);
}

function isWhole(given: unknown): given is number {
  return typeof given === "number" && Number.isSafeInteger(given) && Math.abs(given) < 2 ** 40;
}

function isCount(given: unknown): given is number {
  return isWhole(given) && given >= 0;
}

function isShare(given: unknown): given is number {
  return typeof given === "number" && given >= 0 && given <= 1;
}

const chunkBytes = 1 << 20;

/** Streams the lines of a file: an import reads all of them within one transaction. */
export function* readLines(path: string): Generator<string> {
  const descriptor = path === "-" ? 0 : openSync(path, "r");
  const decoder = new StringDecoder("utf8");
  const chunk = Buffer.alloc(chunkBytes);
  let rest = "";
  try {
    for (let size = readSome(descriptor, chunk); size > 0; size = readSome(descriptor, chunk)) {
      const lines = (rest + decoder.write(chunk.subarray(0, size))).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
  } finally {
    if (path !== "-") closeSync(descriptor);
  }
}

/** A non-blocking pipe without data fails with EAGAIN. */
function readSome(descriptor: number, chunk: Buffer): number {
  while (true) {
    try {
      return readSync(descriptor, chunk);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

export interface ExportOptions {
  /** Limits the export to these applications, named as in refs. */
  readonly apps: ReadonlySet<string> | undefined;
  readonly nowMs: number;
}

/** Yields a map as lines, in batches. The store holds neither handles nor values, so an export contains none. */
export function* exportMap(store: SqliteStore, { apps, nowMs }: ExportOptions): Generator<readonly string[]> {
  const names = [...store.listNames()].filter(([app]) => apps?.has(app) ?? true);
  const head: Head = {
    deskmap: "map",
    version: lineVersion,
    map: readMapId(store.file),
    lastMark: store.countMarks(),
    exportedAt: new Date(nowMs).toISOString(),
    names: Object.fromEntries(names.map(([app, own]) => [app, [...own]])),
  };
  yield [JSON.stringify(head)];
  for (const batch of readTargets(store.file)) {
    yield batch.filter(({ ref }) => apps?.has(ref.app) ?? true).map(writeLine);
  }
}
