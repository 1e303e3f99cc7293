import type { Ref, StoredRef } from "../../model/ref.ts";
import type { Learned, Moment } from "../../model/target.ts";
import type {
  BareTarget,
  ContainerState,
  Lives,
  MapStore,
  MapUnavailable,
  Member,
  SeenWindow,
  StoredTarget,
  TargetQuery,
  WindowKey,
} from "./port.ts";

/**
 * A read-only map with an in-memory map on top: known controls keep their marks, new ones get marks that are valid
 * until this process ends. What would be learned about known controls is lost.
 */
export class LayeredStore implements MapStore {
  private readonly dropped = new Set<string>();
  private readonly renamed = new Map<number, Ref>();

  /** `notes` allots numbers from a range that no stored map uses. */
  constructor(
    private readonly map: MapStore | undefined,
    private readonly notes: MapStore,
    private readonly why: MapUnavailable,
  ) {}

  findMarks(hashes: readonly string[]): ReadonlyMap<string, number> {
    const kept = hashes.filter((hash) => !this.dropped.has(hash));
    return new Map([...(this.map?.findMarks(kept) ?? []), ...this.notes.findMarks(hashes)]);
  }

  findObjects(hashes: Lives): ReadonlyMap<string, number> {
    return new Map([...(this.map?.findObjects(hashes) ?? []), ...this.notes.findObjects(hashes)]);
  }

  allotMarks(refs: readonly Ref[]): number[] {
    return this.notes.allotMarks(refs);
  }

  setEvidence(evidence: ReadonlyMap<string, number>): void {
    this.notes.setEvidence(evidence);
  }

  setObjects(evidence: ReadonlyMap<string, ReadonlyMap<string, number>>): void {
    this.notes.setObjects(evidence);
  }

  dropEvidence(hashes: readonly string[]): void {
    for (const hash of hashes) this.dropped.add(hash);
    this.notes.dropEvidence(hashes);
  }

  updateRefs(refs: ReadonlyMap<number, Ref>): void {
    for (const [mark, ref] of refs) this.renamed.set(mark, ref);
    this.notes.updateRefs(refs);
  }

  followAlias(mark: number): number {
    return this.map?.followAlias(mark) ?? mark;
  }

  findRef(mark: number): StoredRef | undefined {
    const own = this.followAlias(mark);
    return this.notes.findRef(own) ?? this.renamed.get(own) ?? this.map?.findRef(own);
  }

  findNames(marks: readonly number[]): ReadonlyMap<number, string> {
    const renamed = marks.flatMap((mark) =>
      [this.renamed.get(mark)].flatMap((ref) => (ref ? [[mark, ref.name] as const] : [])),
    );
    return new Map([...(this.map?.findNames(marks) ?? []), ...this.notes.findNames(marks), ...renamed]);
  }

  /** Refs changed in this process are always compared with the in-memory version. */
  findChangedRefs(refs: ReadonlyMap<number, Ref>): readonly number[] {
    const noted = [...refs.keys()].filter((mark) => this.renamed.has(mark));
    return [...new Set([...(this.map?.findChangedRefs(refs) ?? []), ...this.notes.findChangedRefs(refs), ...noted])];
  }

  findMembers(places: readonly Pick<Ref, "app" | "windows" | "path">[]): readonly Member[] {
    return [...(this.map?.findMembers(places) ?? []), ...this.notes.findMembers(places)];
  }

  findLiving(life: string, marks: readonly number[]): ReadonlySet<number> {
    return new Set([...(this.map?.findLiving(life, marks) ?? []), ...this.notes.findLiving(life, marks)]);
  }

  listNames(): ReadonlyMap<string, ReadonlySet<string>> {
    const names = new Map(this.map?.listNames() ?? []);
    for (const [app, own] of this.notes.listNames()) names.set(app, new Set([...(names.get(app) ?? []), ...own]));
    return names;
  }

  nameApplications(names: ReadonlyMap<string, ReadonlySet<string>>): void {
    this.notes.nameApplications(names);
  }

  findTempers(marks: readonly number[]): ReadonlyMap<number, boolean> {
    return new Map([...(this.map?.findTempers(marks) ?? []), ...this.notes.findTempers(marks)]);
  }

  setTempers(tempers: ReadonlyMap<number, boolean>): void {
    this.notes.setTempers(tempers);
  }

  findContainers(keys: readonly string[]): ReadonlyMap<string, ContainerState> {
    return new Map([...(this.map?.findContainers(keys) ?? []), ...this.notes.findContainers(keys)]);
  }

  /** Last-seen times are not kept in memory. */
  touchContainers(): void {}

  recordSeen(window: SeenWindow): void {
    this.notes.recordSeen(window);
  }

  findLayout(window: WindowKey): number {
    return Math.max(this.map?.findLayout(window) ?? 0, this.notes.findLayout(window));
  }

  findLearned(marks: readonly number[]): ReadonlyMap<number, Learned> {
    return new Map([...(this.map?.findLearned(marks) ?? []), ...this.notes.findLearned(marks)]);
  }

  findMoments(mark: number): readonly Moment[] {
    return [...(this.map?.findMoments(mark) ?? []), ...this.notes.findMoments(mark)];
  }

  countAct(mark: number, isHit: boolean): void {
    this.notes.countAct(mark, isHit);
  }

  setFeedback(mark: number, text: string): void {
    this.notes.setFeedback(mark, text);
  }

  /** A taught name must last: fail now instead of losing it silently. */
  teach(): void {
    throw this.why;
  }

  dropUnusedPlaces(app: string, keep: number): void {
    this.notes.dropUnusedPlaces(app, keep);
  }

  setPlace(mark: number, place: BareTarget): void {
    this.notes.setPlace(mark, place);
  }

  findTaught(apps: readonly string[]): ReadonlyMap<number, string> {
    return this.map?.findTaught(apps) ?? new Map();
  }

  listTargets(query: TargetQuery): readonly StoredTarget[] {
    const all = [...(this.map?.listTargets(query) ?? []), ...this.notes.listTargets(query)];
    return query.limit === undefined ? all : all.slice(0, query.limit);
  }

  /** Other processes may still write to the map. */
  /** Without the in-memory ones. */
  countMarks(): number {
    return this.map?.countMarks() ?? 0;
  }

  readVersion(): number {
    return (this.map?.readVersion() ?? 0) + this.notes.readVersion();
  }

  countOwnChanges(): number {
    return this.notes.countOwnChanges();
  }

  inTransaction<T>(work: () => T): T {
    return this.notes.inTransaction(work);
  }

  /** Temporary data is not sent to the server. */
  async settle(): Promise<string | undefined> {
    return undefined;
  }

  close(): void {
    this.notes.close();
    this.map?.close();
  }
}
