import { hashLooks } from "../evidence.ts";
import {
  type Addition,
  addAliases,
  addCounts,
  addTargets,
  type Counts,
  findLastSeen,
  findShares,
  findTaken,
  keyOf,
  type NewTarget,
  raiseCounter,
  readMapId,
  type Share,
  setShares,
} from "../store/exchange.ts";
import type { SqliteStore } from "../store/sqlite.ts";
import { type Head, readHead, readLine, type TargetLine } from "./lines.ts";

export interface ImportWish {
  readonly lines: Iterable<string>;
  /** What must not be remembered is not taken in. */
  isBlind(names: readonly string[]): boolean;
  onProgress?(count: number): void;
}

export interface ImportReport {
  readonly lines: number;
  readonly added: number;
  /** Known here already, by their evidence or from before. */
  readonly merged: number;
  /** Of those that were added: under another number than there. */
  readonly renumbered: number;
  /** Of applications that must not be remembered. */
  readonly refused: number;
  /** The first few: the number there, the number here. */
  readonly examples: readonly (readonly [there: number, here: number])[];
}

/** A line that cannot be used; nothing was taken in. */
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
/** A number that people type; higher ones are another map's mistake. */
const highestKept = 1_000_000_000;

/** Takes another map in, whole or not at all: throws BadLine, or what the store throws. */
export function importMap(store: SqliteStore, wish: ImportWish): ImportReport {
  // Evidence is all over the file: with SQLite's two megabytes every line would be read from the disk.
  store.file.get(`PRAGMA cache_size = -${cacheKilobytes}`);
  return store.inTransaction(() => {
    const lines = number(wish.lines);
    const head = takeHead(lines);
    const run = new Import(store, head, wish);
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

function* number(lines: Iterable<string>): Generator<readonly [number, string]> {
  let at = 0;
  for (const line of lines) {
    at += 1;
    yield [at, line];
  }
}

function takeHead(lines: Generator<readonly [number, string]>): Head {
  const first = lines.next();
  if (first.done) throw new BadLine(1, "the file is empty");
  const head = readHead(first.value[1]);
  if (typeof head === "string") throw new BadLine(1, head);
  return head;
}

/** Where a line goes: to a control that is known here, or to a new number. */
interface Landing {
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
    private readonly wish: ImportWish,
  ) {
    this.own = readMapId(store.file);
    this.lastHere = store.countMarks();
    // New numbers come after all that may be kept, so that no line takes the number of a later one.
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
    const landings = this.land(batch);
    addTargets(this.store.file, landings.filter(({ isNew }) => isNew).map(describeNew));
    addCounts(this.store.file, landings.filter(({ isNew }) => !isNew).map(describeAddition));
    setShares(
      this.store.file,
      landings.flatMap(({ shares, mark }) => shares.map((share) => ({ ...share, mark }))),
    );
    this.store.setTempers(
      new Map(landings.flatMap(({ mark, line }) => (line.isCalm === undefined ? [] : [[mark, line.isCalm] as const]))),
    );
    this.wish.onProgress?.(this.report.lines);
  }

  finish(): ImportReport {
    if (this.report.added > 0) raiseCounter(this.store.file, this.next);
    return { ...this.report, examples: this.examples };
  }

  /** Evidence decides which are known here; what it leads to from now on is written before the next line is judged. */
  private land(batch: readonly TargetLine[]): Landing[] {
    // Made anew from the refs: hashes of another Deskmap might be others.
    const evidence = new Map(batch.map((line) => [line, hashLooks(line.ref)]));
    const known = new Map(this.store.findMarks([...evidence.values()].flat()));
    const taken = findTaken(
      this.store.file,
      batch.flatMap((line) => this.sharesOf(line)),
    );
    const seen = new Map(findLastSeen(this.store.file, this.listMentioned(batch, known, taken)));
    const origins = this.findOrigins([...new Set(known.values())]);
    const news = new Map<string, number>();
    const aliases = new Map<number, number>();
    const landings: Landing[] = [];
    for (const line of batch) {
      const hashes = evidence.get(line) ?? [];
      const found = this.recall(line, taken, seen) ?? this.match(hashes, known, origins);
      const mark = found ?? this.chooseNumber(line, seen);
      const isNew = found === undefined;
      if (isNew) this.report.added += 1;
      else this.report.merged += 1;
      landings.push({ line, mark, isNew, ...this.weigh(line, taken, isNew) });
      const isFree = (this.mayKeep(line.mark) || this.isOwn()) && !seen.has(line.mark);
      if (isFree && mark !== line.mark) aliases.set(line.mark, mark);
      const leads = hashes.filter((hash) => this.mayLead(hash, line, known, origins, seen));
      for (const hash of leads) news.set(hash, mark);
      for (const hash of leads) known.set(hash, mark);
      seen.set(mark, Math.max(line.learned.lastSeenMs, seen.get(mark) ?? 0));
      origins.add(mark);
    }
    this.store.setEvidence(news);
    addAliases(this.store.file, aliases);
    if (aliases.size > 0) this.next = Math.max(this.next, ...aliases.keys());
    return landings;
  }

  /** What this line was taken for before; in a map that reads its own lines, itself. */
  private recall(
    line: TargetLine,
    taken: ReadonlyMap<string, { readonly mark: number }>,
    seen: ReadonlyMap<number, number>,
  ): number | undefined {
    const before = this.isOwn() ? line.mark : taken.get(keyOf({ origin: this.head.map, number: line.mark }))?.mark;
    return before !== undefined && seen.has(before) ? before : undefined;
  }

  /** Strongest first. Two controls of one map are two, whatever they look like here. */
  private match(
    hashes: readonly string[],
    known: ReadonlyMap<string, number>,
    origins: ReadonlySet<number>,
  ): number | undefined {
    return hashes.map((hash) => known.get(hash)).find((mark) => mark !== undefined && !origins.has(mark));
  }

  /** What is known here stays; among controls of the same map what was seen last is true. */
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
    // A map that reads its own lines again gives what it has forgotten its own number back.
    const isItself = this.isOwn() && line.mark <= this.lastHere && !seen.has(line.mark);
    if (isItself || (this.mayKeep(line.mark) && !seen.has(line.mark))) return line.mark;
    this.next += 1;
    this.report.renumbered += 1;
    if (this.examples.length < maxExamples) this.examples.push([line.mark, this.next]);
    return this.next;
  }

  /** Never given out here, and not above what that map says it has given out. */
  private mayKeep(mark: number): boolean {
    return mark > this.lastHere && mark <= Math.min(this.head.lastMark, highestKept);
  }

  private weigh(
    line: TargetLine,
    taken: ReadonlyMap<string, Share>,
    isNew: boolean,
  ): Pick<Landing, "delta" | "shares"> {
    const shares = this.sharesOf(line);
    // What came back to the map that has counted it is counted already; unless it was forgotten.
    const own = this.isOwn() && isNew ? [line.counts] : [];
    const deltas = shares.map((share) => subtract(share, isNew ? undefined : taken.get(keyOf(share))));
    return { shares, delta: [...own, ...deltas].reduce(add, noCounts) };
  }

  private sharesOf({ mark, counts, shares }: TargetLine): Share[] {
    const all = [{ ...counts, origin: this.head.map, number: mark }, ...shares];
    return all.filter(({ origin }) => origin !== this.own);
  }

  /** Which of these marks mean a control of the map that is read: they are told apart there. */
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
    const isBlind = this.wish.isBlind([app, ...(this.head.names[app] ?? [])]);
    this.isBlindByApp.set(app, isBlind);
    return isBlind;
  }
}

function describeNew({ line, mark, delta }: Landing): NewTarget {
  return { mark, ref: line.ref, clickPoint: line.clickPoint, learned: { ...line.learned, ...delta } };
}

function describeAddition({ line, mark, delta }: Landing): Addition {
  const { taught, firstSeenMs, lastSeenMs } = line.learned;
  return { mark, ...delta, taught, firstSeenMs, lastSeenMs };
}

const noCounts: Counts = { same: 0, moved: 0, hits: 0, misses: 0 };

function add(one: Counts, other: Counts): Counts {
  return {
    same: one.same + other.same,
    moved: one.moved + other.moved,
    hits: one.hits + other.hits,
    misses: one.misses + other.misses,
  };
}

/** What is more than was there before. */
function subtract(now: Counts, before: Counts = noCounts): Counts {
  return {
    same: Math.max(0, now.same - before.same),
    moved: Math.max(0, now.moved - before.moved),
    hits: Math.max(0, now.hits - before.hits),
    misses: Math.max(0, now.misses - before.misses),
  };
}
