import type { Bounds, Point } from "../../model/bounds.ts";
import type { Failure } from "../../model/failure.ts";
import type { Ref, StoredRef } from "../../model/ref.ts";
import type { Role } from "../../model/role.ts";
import type { Source } from "../../model/source.ts";
import type { Learned, Moment } from "../../model/target.ts";

/**
 * A suggested fix for the last synchronisation problem. Calls on a store are in bulk: one read of a page looks up
 * thousands of hashes.
 */
export interface Mend {
  readonly words: string;
  /** Whether the map works despite the problem. */
  readonly isNote: boolean;
}

export interface MapStore {
  /** Marks by portable evidence hash; unknown hashes are absent. */
  findMarks(hashes: readonly string[]): ReadonlyMap<string, number>;
  /** Marks by object evidence, which is valid while the application runs; grouped by the hash of that run. */
  findObjects(hashes: Lives): ReadonlyMap<string, number>;
  /** Allots a never used number to each ref. Only within a transaction. */
  allotMarks(refs: readonly Ref[]): number[];
  /** Sets the mark that each hash leads to, replacing older ones: the latest read wins. */
  setEvidence(evidence: ReadonlyMap<string, number>): void;
  /** Sets object evidence, by application run. Only within a transaction. */
  setObjects(evidence: ReadonlyMap<string, ReadonlyMap<string, number>>): void;
  /** Removes hashes. Only within a transaction. */
  dropEvidence(hashes: readonly string[]): void;
  /** Replaces the refs of marks that changed. Only within a transaction. */
  updateRefs(refs: ReadonlyMap<number, Ref>): void;
  /** Resolves an alias: the surviving number when two turned out to mean one control. */
  followAlias(mark: number): number;
  /** The ref a mark was last shown with; undefined for an unused number. */
  findRef(mark: number): StoredRef | undefined;
  /** The names that marks were last shown with. */
  findNames(marks: readonly number[]): ReadonlyMap<number, string>;
  /** The marks whose stored ref differs in container, name or position among others. */
  findChangedRefs(refs: ReadonlyMap<number, Ref>): readonly number[];
  /** The remembered controls of containers that were present recently, up to a limit. */
  findMembers(places: readonly Pick<Ref, "app" | "windows" | "path">[]): readonly Member[];
  findLiving(life: string, marks: readonly number[]): ReadonlySet<number>;
  /** The names of every remembered application, in lower case. */
  listNames(): ReadonlyMap<string, ReadonlySet<string>>;
  /** Records the names of applications; keyed by the name used in refs. */
  nameApplications(names: ReadonlyMap<string, ReadonlySet<string>>): void;
  /** Whether observed controls change by themselves: true for calm ones, false for clocks and the like. */
  findTempers(marks: readonly number[]): ReadonlyMap<number, boolean>;
  /** A control that once changed by itself is never calm again. */
  setTempers(tempers: ReadonlyMap<number, boolean>): void;
  /** The last input to processes; unknown ones are absent. */
  findInputs(pids: readonly number[]): readonly LastInput[];
  noteInput(pids: readonly number[], input: LastInput): void;

  /** The last state of containers by key; unknown ones are absent. */
  findContainers(keys: readonly string[]): ReadonlyMap<string, ContainerState>;
  /** Updates the last-seen times of unchanged containers and of application runs. */
  touchContainers(keys: readonly string[], lives: readonly string[]): void;
  /** Records the containers of a window that changed. Only within a transaction. */
  recordSeen(window: SeenWindow): void;
  /** How often the layout changed substantially; 0 for an unknown window. */
  findLayout(window: WindowKey): number;
  /** What was learned about each mark; unused numbers are absent. */
  findLearned(marks: readonly number[]): ReadonlyMap<number, Learned>;
  /** A control's confidence over time, oldest first. */
  findMoments(mark: number): readonly Moment[];
  countAct(mark: number, isHit: boolean): void;
  /** Stores the client's comment on its last action. */
  setFeedback(mark: number, text: string): void;
  /** Sets the name a person gives to a control; an empty name removes it. */
  teach(mark: number, name: string): void;
  /** Sets the position, source and visual hash of a pixel target. */
  setPlace(mark: number, place: BareTarget): void;
  /** Deletes all but the latest unused and unnamed targets of an application that only pictures showed. */
  dropUnusedPlaces(app: string, keep: number): void;
  findTaught(apps: readonly string[]): ReadonlyMap<number, string>;
  /** Remembered targets, most used first. */
  listTargets(query: TargetQuery): readonly StoredTarget[];

  /** The highest number allotted so far. */
  countMarks(): number;
  /** Changes whenever another process has written. */
  readVersion(): number;
  /** How many rows this process has written. */
  countOwnChanges(): number;
  inTransaction<T>(work: () => T): T;
  /** Synchronises a shared map with its server. Returns a message for the user, if any. */
  settle(): Promise<string | undefined>;
  /** A suggestion for the problem that `settle` reported last. */
  findMend?(): Mend;
  close(): void;
}

export interface LastInput {
  /** By the wall clock: another process may have delivered it. */
  readonly atMs: number;
  /** Whether its effect was seen. */
  readonly isConfirmed: boolean;
}

export type Lives = ReadonlyMap<string, readonly string[]>;

export interface Member {
  readonly mark: number;
  readonly ref: StoredRef;
  /** How many reads of its container did not include it since. */
  readonly missing: number;
}

export interface StoredTarget {
  readonly ref: StoredRef;
  /** Where to click, relative to the window's upper left corner. */
  readonly clickPoint: Point | undefined;
  readonly learned: Learned;
  /** The client's comment on its last action. */
  readonly feedback: string;
}

export interface TargetQuery {
  readonly marks?: readonly number[] | undefined;
  /** Applications by the names used in refs. */
  readonly apps?: readonly string[] | undefined;
  readonly roles?: ReadonlySet<Role> | undefined;
  readonly isTaught?: boolean | undefined;
  readonly sources?: readonly Source[] | undefined;
  readonly minHits?: number | undefined;
  readonly limit?: number | undefined;
}

export interface BareTarget {
  readonly source: Source;
  readonly certainty: number | undefined;
  /** Where to click, relative to the window's upper left corner. */
  readonly point: Point;
  /** Relative to the same corner. */
  readonly bounds: Bounds;
  readonly visualHash: string;
}

export interface ContainerState {
  readonly lastSeenMs: number;
  readonly looks: number;
  /** A hash of its content and positions. */
  readonly state: string;
}

/** Identifies a window across restarts: its application and a name that is stable across titles. */
export interface WindowKey {
  readonly app: string;
  readonly window: string;
}

export interface SeenWindow extends WindowKey {
  readonly places: readonly SeenContainer[];
  /** How many controls the unchanged containers hold. */
  readonly unchangedCount: number;
}

export interface SeenContainer {
  readonly key: string;
  readonly state: string;
  readonly ref: Pick<Ref, "app" | "windows" | "path">;
  readonly members: readonly SeenMember[];
}

export interface SeenMember {
  readonly mark: number;
  readonly bounds: Bounds | undefined;
  readonly clickPoint: Point | undefined;
  readonly parent: number | undefined;
  readonly source: Source;
  readonly certainty: number | undefined;
}

/** The store failed while in use: damaged pages, disk full, a lock timeout. Nothing of the read was stored. */
export class MapUnavailable extends Error {
  override readonly name = "MapUnavailable";
  constructor(
    readonly failure: Failure,
    /** Whether the map can still be read. */
    readonly isUnwritable = false,
  ) {
    super(failure.message);
  }
}
