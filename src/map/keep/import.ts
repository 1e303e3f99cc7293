import type { StoredRef } from "../../model/ref.ts";
import { isPixelSource } from "../../model/source.ts";
import { hashAppearances } from "../evidence.ts";
import {
  type Addition,
  addAliases,
  addCounts,
  addTargets,
  type Counts,
  combineCounts,
  findLastSeen,
  findShares,
  findTaken,
  keyOf,
  type NewTarget,
  raiseCounter,
  readMapId,
  type Share,
  setShares,
  subtractCounts,
} from "../store/exchange.ts";
import { writePath } from "../store/schema.ts";
import type { SqliteStore } from "../store/sqlite.ts";
import { type Head, readHead, readLine, type TargetLine } from "./lines.ts";

export interface ImportOptions {
  readonly lines: Iterable<string>;
  /** Applications that must not be remembered are skipped. */
  isBlind(names: readonly string[]): boolean;
  onProgress?(count: number): void;
}

export interface ImportReport {
  readonly lines: number;
  readonly added: number;
  /** Already known here, by evidence or from an earlier import. */
  readonly merged: number;
  /** Added under another number than in the imported map. */
  readonly renumbered: number;
  /** Skipped because their application must not be remembered. */
  readonly refused: number;
  /** The first few: number in the imported map, number here. */
  readonly examples: readonly (readonly [there: number, here: number])[];
}

/** A line that cannot be used; nothing was imported. */
export class BadLine extends Error {
  override readonly name = "BadLine";
  constructor(
    readonly line: number,
    readonly what: string,
  ) {
    super(`line ${line}: ${what}`);
  }
}

const batchSize = 1000;
const cacheKilobytes = 128 * 1024;
const maxExamples = 5;
/** Larger numbers are inconvenient to type and a sign of a broken export. */
const highestKept = 1_000_000_000;

/** Imports another map completely or not at all. Throws BadLine or a store error. */
export function importMap(store: SqliteStore, options: ImportOptions): ImportReport {
  // Evidence is spread over the whole file: with SQLite's default 2 MB cache every line would read from disk.
  store.file.get(`PRAGMA cache_size = -${cacheKilobytes}`);
  return store.inTransaction(() => {
    const lines = Iterator.from(options.lines).map((line, at) => [at + 1, line] as const);
    const head = takeHead(lines);
    const run = new Import(store, head, options);
    run.takeNames();
    let batch: TargetLine[] = [];
    for (const [at, text] of lines) {
      if (text.trim() === "") continue;
      const line = readLine(text);
      if (typeof line === "string") throw new BadLine(at, line);
      batch.push(line);
      if (batch.length < batchSize) continue;
      run.take(batch);
      batch = [];
    }
    run.take(batch);
    return run.finish();
  });
}

function takeHead(lines: Iterator<readonly [number, string]>): Head {
  const first = lines.next();
  if (first.done) throw new BadLine(1, "the file is empty");
  const head = readHead(first.value[1]);
  if (typeof head === "string") throw new BadLine(1, head);
  return head;
}

/** Where a line goes: to a known control, or to a new number. */
interface Placement {
  readonly line: TargetLine;
  readonly mark: number;
  readonly isNew: boolean;
  /** What is not counted here yet. */
  readonly delta: Counts;
  readonly shares: readonly Share[];
}

class Import {
  private readonly own: string;
  private readonly lastHere: number;
  private next: number;
  private readonly isBlindByApp = new Map<string, boolean>();
  private report = { lines: 0, added: 0, merged: 0, renumbered: 0, refused: 0 };
  private readonly examples: [number, number][] = [];

  constructor(
    private readonly store: SqliteStore,
    private readonly head: Head,
    private readonly options: ImportOptions,
  ) {
    this.own = readMapId(store.file);
    this.lastHere = store.countMarks();
    // New numbers start above all that may be kept, so no line takes the number of a later one.
    this.next = Math.max(this.lastHere, Math.min(head.lastMark, highestKept));
  }

  takeNames(): void {
    const names = Object.entries(this.head.names).filter(([app]) => !this.isBlind(app));
    this.store.nameApplications(
      new Map(names.map(([app, own]) => [app, new Set(own.map((one) => one.toLowerCase()))])),
    );
  }

  take(given: readonly TargetLine[]): void {
    if (given.length === 0) return;
    const batch = given.filter(({ ref }) => !this.isBlind(ref.app));
    this.report.lines += given.length;
    this.report.refused += given.length - batch.length;
    const placements = this.place(batch);
    addTargets(this.store.file, placements.filter(({ isNew }) => isNew).map(describeNew));
    addCounts(this.store.file, placements.filter(({ isNew }) => !isNew).map(describeAddition));
    setShares(
      this.store.file,
      placements.flatMap(({ shares, mark }) => shares.map((share) => ({ ...share, mark }))),
    );
    this.store.setTempers(
      new Map(
        placements.flatMap(({ mark, line }) => (line.isCalm === undefined ? [] : [[mark, line.isCalm] as const])),
      ),
    );
    this.options.onProgress?.(this.report.lines);
  }

  finish(): ImportReport {
    // Also if nothing was added: an imported number may be an alias here, and must never be allotted again.
    raiseCounter(this.store.file, this.next);
    return { ...this.report, examples: this.examples };
  }

  /** Evidence decides which controls are known. Its new targets are recorded before the next line is judged. */
  private place(batch: readonly TargetLine[]): Placement[] {
    // Recomputed from the refs: another version may hash differently.
    const evidence = new Map(batch.map((line) => [line, listEvidence(line)]));
    const known = new Map(this.store.findMarks([...evidence.values()].flat()));
    const taken = findTaken(
      this.store.file,
      batch.flatMap((line) => this.sharesOf(line)),
    );
    const seen = new Map(findLastSeen(this.store.file, this.listMentioned(batch, known, taken)));
    const origins = this.findOrigins([...new Set(known.values())]);
    const news = new Map<string, number>();
    const aliases = new Map<number, number>();
    const placements: Placement[] = [];
    for (const line of batch) {
      const hashes = evidence.get(line) ?? [];
      const found = this.recall(line, taken, seen) ?? this.match(hashes, known, origins);
      const mark = found ?? this.chooseNumber(line, seen);
      const isNew = found === undefined;
      if (isNew) this.report.added += 1;
      else this.report.merged += 1;
      placements.push({ line, mark, isNew, ...this.weigh(line, taken, isNew) });
      const isUnused = this.mayKeep(line.mark) && !seen.has(line.mark);
      if (isUnused && mark !== line.mark) aliases.set(line.mark, mark);
      const leads = hashes.filter((hash) => this.mayLead(hash, line, known, origins, seen));
      for (const hash of leads) news.set(hash, mark);
      for (const hash of leads) known.set(hash, mark);
      seen.set(mark, Math.max(line.learned.lastSeenMs, seen.get(mark) ?? 0));
      origins.add(mark);
    }
    this.store.setEvidence(news);
    addAliases(this.store.file, aliases);
    if (aliases.size > 0) this.next = Math.max(this.next, ...aliases.keys());
    return placements;
  }

  /**
   * The mark this line was merged into before. When a map imports its own export, that is its own number, unless a copy
   * of the map diverged.
   */
  private recall(
    line: TargetLine,
    taken: ReadonlyMap<string, { readonly mark: number }>,
    seen: ReadonlyMap<number, number>,
  ): number | undefined {
    if (this.isOwn() && !isSameControl(this.store.findRef(line.mark), line.ref)) return undefined;
    const before = this.isOwn() ? line.mark : taken.get(keyOf({ origin: this.head.map, number: line.mark }))?.mark;
    return before !== undefined && seen.has(before) ? before : undefined;
  }

  /** Strongest first. Two controls of one map stay two, however similar they look here. */
  private match(
    hashes: readonly string[],
    known: ReadonlyMap<string, number>,
    origins: ReadonlySet<number>,
  ): number | undefined {
    return hashes.map((hash) => known.get(hash)).find((mark) => mark !== undefined && !origins.has(mark));
  }

  /** Existing evidence stays; among controls of the same map the one seen last wins. */
  private mayLead(
    hash: string,
    line: TargetLine,
    known: ReadonlyMap<string, number>,
    origins: ReadonlySet<number>,
    seen: ReadonlyMap<number, number>,
  ): boolean {
    const other = known.get(hash);
    if (other === undefined) return true;
    return origins.has(other) && line.learned.lastSeenMs > (seen.get(other) ?? 0);
  }

  private chooseNumber(line: TargetLine, seen: ReadonlyMap<number, number>): number {
    if (this.mayKeep(line.mark) && !seen.has(line.mark)) return line.mark;
    this.next += 1;
    this.report.renumbered += 1;
    if (this.examples.length < maxExamples) this.examples.push([line.mark, this.next]);
    return this.next;
  }

  /** Not yet allotted here, and not above the imported map's counter. */
  private mayKeep(mark: number): boolean {
    return mark > this.lastHere && mark <= Math.min(this.head.lastMark, highestKept);
  }

  private weigh(
    line: TargetLine,
    taken: ReadonlyMap<string, Share>,
    isNew: boolean,
  ): Pick<Placement, "delta" | "shares"> {
    const shares = this.sharesOf(line);
    // The map's own counts are already included when its export comes back, unless the control was forgotten.
    const own = this.isOwn() && isNew ? [line.counts] : [];
    const deltas = shares.map((share) =>
      subtractCounts(share, (isNew ? undefined : taken.get(keyOf(share))) ?? noCounts),
    );
    return { shares, delta: [...own, ...deltas].reduce(add, noCounts) };
  }

  private sharesOf({ mark, counts, shares }: TargetLine): Share[] {
    const all = [{ ...counts, origin: this.head.map, number: mark }, ...shares];
    return all.filter(({ origin }) => origin !== this.own);
  }

  /** The marks that stand for a control of the imported map; that map distinguishes them. */
  private findOrigins(marks: readonly number[]): Set<number> {
    if (this.isOwn()) return new Set(marks.filter((mark) => mark <= this.head.lastMark));
    const shares = findShares(this.store.file, marks);
    return new Set(marks.filter((mark) => shares.get(mark)?.some(({ origin }) => origin === this.head.map)));
  }

  private listMentioned(
    batch: readonly TargetLine[],
    known: ReadonlyMap<string, number>,
    taken: ReadonlyMap<string, { readonly mark: number }>,
  ): number[] {
    const before = [...taken.values()].map(({ mark }) => mark);
    return [...new Set([...batch.map(({ mark }) => mark), ...known.values(), ...before])];
  }

  private isOwn(): boolean {
    return this.head.map === this.own;
  }

  private isBlind(app: string): boolean {
    const known = this.isBlindByApp.get(app);
    if (known !== undefined) return known;
    const isBlind = this.options.isBlind([app, ...(this.head.names[app] ?? [])]);
    this.isBlindByApp.set(app, isBlind);
    return isBlind;
  }
}

function isSameControl(known: StoredRef | undefined, { app, role, name, path }: StoredRef): boolean {
  if (known === undefined) return false;
  return known.app === app && known.role === role && known.name === name && writePath(known.path) === writePath(path);
}

/** Recomputed: another version may hash differently. Pixel targets have no evidence: many share the same path. */
function listEvidence({ ref, learned }: TargetLine): string[] {
  return isPixelSource(learned.source) ? [] : hashAppearances(ref);
}

function describeNew({ line, mark, delta }: Placement): NewTarget {
  return { mark, ref: line.ref, clickPoint: line.clickPoint, learned: { ...line.learned, ...delta } };
}

function describeAddition({ line, mark, delta }: Placement): Addition {
  const { taught, firstSeenMs, lastSeenMs } = line.learned;
  return { mark, ...delta, taught, firstSeenMs, lastSeenMs };
}

const noCounts: Counts = { same: 0, moved: 0, hits: 0, misses: 0 };

function add(one: Counts, other: Counts): Counts {
  return combineCounts(one, other, (a, b) => a + b);
}
