import type { Ref, StoredRef } from "../../model/ref.ts";
import type { Learned, Moment } from "../../model/target.ts";
import type { MapFile } from "./database.ts";
import type {
  ContainerState,
  LastInput,
  Lives,
  MapStore,
  MapUnavailable,
  Member,
  StoredTarget,
  TargetQuery,
  WindowKey,
} from "./port.ts";
import { SqliteStore } from "./sqlite.ts";

/**
 * An in-memory map on top of a read-only one: known controls keep their marks, new ones get marks that are valid until
 * this process ends. Everything is written to memory, so what would be learned about known controls is lost.
 */
export class LayeredStore extends SqliteStore {
  private readonly dropped = new Set<string>();
  private readonly renamed = new Map<number, Ref>();

  /** `memory` allots numbers from a range that no stored map uses. */
  constructor(
    memory: MapFile,
    private readonly map: MapStore | undefined,
    private readonly why: MapUnavailable,
  ) {
    super(memory);
  }

  override findMarks(hashes: readonly string[]): ReadonlyMap<string, number> {
    const kept = hashes.filter((hash) => !this.dropped.has(hash));
    return new Map([...(this.map?.findMarks(kept) ?? []), ...super.findMarks(hashes)]);
  }

  override findObjects(hashes: Lives): ReadonlyMap<string, number> {
    return new Map([...(this.map?.findObjects(hashes) ?? []), ...super.findObjects(hashes)]);
  }

  override dropEvidence(hashes: readonly string[]): void {
    for (const hash of hashes) this.dropped.add(hash);
    super.dropEvidence(hashes);
  }

  override updateRefs(refs: ReadonlyMap<number, Ref>): void {
    for (const [mark, ref] of refs) this.renamed.set(mark, ref);
    super.updateRefs(refs);
  }

  override followAlias(mark: number): number {
    return this.map?.followAlias(mark) ?? mark;
  }

  override findRef(mark: number): StoredRef | undefined {
    const own = this.followAlias(mark);
    return super.findRef(own) ?? this.renamed.get(own) ?? this.map?.findRef(own);
  }

  override findNames(marks: readonly number[]): ReadonlyMap<number, string> {
    const renamed = [...this.renamed].filter(([mark]) => marks.includes(mark));
    const names = renamed.map(([mark, { name }]) => [mark, name] as const);
    return new Map([...(this.map?.findNames(marks) ?? []), ...super.findNames(marks), ...names]);
  }

  /** Refs changed in this process are always compared with the in-memory version. */
  override findChangedRefs(refs: ReadonlyMap<number, Ref>): readonly number[] {
    const noted = [...refs.keys()].filter((mark) => this.renamed.has(mark));
    return [...new Set([...(this.map?.findChangedRefs(refs) ?? []), ...super.findChangedRefs(refs), ...noted])];
  }

  override findMembers(places: readonly Pick<Ref, "app" | "windows" | "path">[]): readonly Member[] {
    return [...(this.map?.findMembers(places) ?? []), ...super.findMembers(places)];
  }

  override findLiving(life: string, marks: readonly number[]): ReadonlySet<number> {
    return new Set([...(this.map?.findLiving(life, marks) ?? []), ...super.findLiving(life, marks)]);
  }

  override listNames(): ReadonlyMap<string, ReadonlySet<string>> {
    const names = new Map(this.map?.listNames() ?? []);
    for (const [app, own] of super.listNames()) names.set(app, new Set([...(names.get(app) ?? []), ...own]));
    return names;
  }

  override findTempers(marks: readonly number[]): ReadonlyMap<number, boolean> {
    return new Map([...(this.map?.findTempers(marks) ?? []), ...super.findTempers(marks)]);
  }

  override findInputs(pids: readonly number[]): readonly LastInput[] {
    return [...(this.map?.findInputs(pids) ?? []), ...super.findInputs(pids)];
  }

  override findContainers(keys: readonly string[]): ReadonlyMap<string, ContainerState> {
    return new Map([...(this.map?.findContainers(keys) ?? []), ...super.findContainers(keys)]);
  }

  /** Last-seen times are not kept in memory. */
  override touchContainers(): void {}

  override findLayout(window: WindowKey): number {
    return Math.max(this.map?.findLayout(window) ?? 0, super.findLayout(window));
  }

  override findLearned(marks: readonly number[]): ReadonlyMap<number, Learned> {
    return new Map([...(this.map?.findLearned(marks) ?? []), ...super.findLearned(marks)]);
  }

  override findMoments(mark: number): readonly Moment[] {
    return [...(this.map?.findMoments(mark) ?? []), ...super.findMoments(mark)];
  }

  /** A taught name must last: fail now instead of losing it silently. */
  override teach(): void {
    throw this.why;
  }

  override findTaught(apps: readonly string[]): ReadonlyMap<number, string> {
    return this.map?.findTaught(apps) ?? new Map();
  }

  override listTargets(query: TargetQuery): readonly StoredTarget[] {
    const all = [...(this.map?.listTargets(query) ?? []), ...super.listTargets(query)];
    return query.limit === undefined ? all : all.slice(0, query.limit);
  }

  override countMarks(): number {
    return this.map?.countMarks() ?? 0;
  }

  /** Other processes may still write to the map below. */
  override readVersion(): number {
    return (this.map?.readVersion() ?? 0) + super.readVersion();
  }

  override close(): void {
    super.close();
    this.map?.close();
  }
}
