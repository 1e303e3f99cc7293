import { closeSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import * as z from "zod/mini";
import { windowSpace } from "../../model/bounds.ts";
import { isRole, type Role } from "../../model/role.ts";
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

const maxDepth = 500;
/** Longer than any text a map stores. */
const maxText = 100_000;
const largest = 2 ** 40;
const fraction = "must be from 0 to 1";

const text = z.string("must be a text").check(z.maxLength(maxText, "is too long"));
const texts = z.array(text, "must be a list of texts").check(z.maxLength(maxDepth, "is too long"));
const whole = z.int("must be a whole number").check(z.gt(-largest, "is too small"), z.lt(largest, "is too large"));
const count = whole.check(z.nonnegative("must not be negative"));
const role = z.custom<Role>((given) => typeof given === "string" && isRole(given), "must be a role");
const time = z.string("must be a time").check(z.refine((given) => !Number.isNaN(Date.parse(given)), "must be a time"));
const point = z.object({ x: whole, y: whole }, "must have x and y");
const bounds = z.object({ x: whole, y: whole, width: whole, height: whole }, "must have x, y, width and height");
const step = z.object({ role, name: text, index: count, count }, "must have role, name, index and count");
const counts = z.object({ same: count, moved: count, hits: count, misses: count }, "must have counts");
const share = z.extend(counts, { origin: text, number: count });

const headLine = z.object({
  deskmap: z.literal("map", 'must be "map": this is no export of a map'),
  version: z.literal(lineVersion, `must be ${lineVersion}: this Deskmap reads no other`),
  map: z.string("must be a map id").check(z.regex(/^[0-9a-f]{8,64}$/, "must be a map id")),
  /** The highest number it had allotted. */
  lastMark: count,
  exportedAt: z._default(text, ""),
  names: z._default(z.record(z.string(), texts, "must be lists of texts"), {}),
});
export type Head = z.infer<typeof headLine>;

const refLine = z.object(
  {
    app: text.check(z.minLength(1, "must not be empty")),
    windows: texts.check(z.minLength(1, "must not be empty")),
    role,
    name: text,
    platformId: z._default(text, ""),
    path: z.array(step, "must be a list of containers").check(z.maxLength(maxDepth, "is too long")),
    index: count,
    count,
    owner: z._default(text, ""),
    sisters: z._default(z.tuple([text, text], "must be two texts"), ["", ""]),
    twins: z._default(count, 0),
    hasTwin: z.unknown(),
    bounds: z.optional(bounds),
  },
  "is missing",
);

const targetLine = z.object({
  mark: count.check(z.positive("must be a whole number from 1")),
  ref: refLine,
  clickPoint: z.optional(point),
  source: z.custom<string>((given) => findSource(given) !== undefined, `must be one of ${sources.join(", ")}`),
  certainty: z.optional(z.number(fraction).check(z.minimum(0, fraction), z.maximum(1, fraction))),
  firstSeen: time,
  lastSeen: time,
  counts,
  taught: z._default(text, ""),
  calm: z.optional(z.boolean("must be true or false")),
  visualHash: z._default(text, ""),
  layout: z._default(count, 1),
  shares: z._default(z.array(share, "must be a list of counts"), []),
});

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
  return parseLine(headLine, line);
}

/** Returns the target, or what is wrong with the line. */
export function readLine(line: string): TargetLine | string {
  const given = parseLine(targetLine, line);
  if (typeof given === "string") return given;
  const { mark, ref, clickPoint, source, certainty, taught, calm, visualHash, layout, shares } = given;
  return {
    mark,
    ref: { ...ref, hasTwin: ref.hasTwin === true, bounds: ref.bounds, space: windowSpace },
    clickPoint,
    learned: {
      source: findSource(source) ?? "a11y",
      certainty,
      firstSeenMs: Date.parse(given.firstSeen),
      lastSeenMs: Date.parse(given.lastSeen),
      taught,
      visualHash,
      layoutVersion: layout,
    },
    counts: given.counts,
    shares,
    isCalm: calm,
  };
}

function parseLine<Schema extends z.ZodMiniType>(schema: Schema, line: string): z.infer<Schema> | string {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    return "not JSON";
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: "" }] = parsed.error.issues;
  return path.length === 0 ? "not a JSON object" : `"${path.join(".")}" ${message}`;
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
