import type { Bounds, Point } from "../../model/bounds.ts";
import type { Failure } from "../../model/failure.ts";
import type { Ref } from "../../model/ref.ts";
import type { Role } from "../../model/role.ts";
import type { Learned, Moment, Source } from "../../model/target.ts";

/** What the map needs of a store. Everything comes in bulk: a read of a page asks for thousands of hashes. */
export interface Mend {
  readonly words: string;
  /** Whether the map works all the same. */
  readonly isNote: boolean;
}

export interface MapStore {
  /** The marks that hashes of portable evidence lead to; a hash that leads nowhere is absent. */
  findMarks(hashes: readonly string[]): ReadonlyMap<string, number>;
  /** The same for evidence that holds while an application lives: hashes by the hash of that life. */
  findObjects(hashes: Lives): ReadonlyMap<string, number>;
  /** For each ref a number that was never given out before. Only within a transaction. */
  allotMarks(refs: readonly Ref[]): number[];
  /** Remembers that each hash leads to a mark, and to no other from now on: what was seen last is true. */
  setEvidence(evidence: ReadonlyMap<string, number>): void;
  /** The same for evidence of objects, by the hash of their life. Only within a transaction. */
  setObjects(evidence: ReadonlyMap<string, ReadonlyMap<string, number>>): void;
  /** These lead nowhere from now on. Only within a transaction. */
  dropEvidence(hashes: readonly string[]): void;
  /** What marks are shown for now, where their words have changed. Only within a transaction. */
  updateRefs(refs: ReadonlyMap<number, Ref>): void;
  /** The number that a control is shown under now, where two that were given out turned out to mean one control. */
  followAlias(mark: number): number;
  /** What a mark was last shown for; undefined for a number that was never given out. */
  findRef(mark: number): StoredRef | undefined;
  /** What marks were last shown as saying. */
  findNames(marks: readonly number[]): ReadonlyMap<number, string>;
  /** Which of these marks were last shown otherwise: in another container, by other words, or among others. */
  findOtherwise(refs: ReadonlyMap<number, Ref>): readonly number[];
  /** What is remembered of containers: everything in them that was met in one of their last looks, within reason. */
  findMembers(places: readonly Pick<Ref, "app" | "windows" | "path">[]): readonly Member[];
  /** Which of these were shown in a run of an application, by the hash of that life. */
  findLiving(life: string, marks: readonly number[]): ReadonlySet<number>;
  /** The names of every application that is remembered, in lower case. */
  listNames(): ReadonlyMap<string, ReadonlySet<string>>;
  /** Remembers by which names applications are called; the key is that of their refs. */
  nameApplications(names: ReadonlyMap<string, ReadonlySet<string>>): void;
  /** Which of these controls were watched: true for those that change only when something is done, false for clocks. */
  findTempers(marks: readonly number[]): ReadonlyMap<number, boolean>;
  /** What was seen to change by itself once is never calm again. */
  setTempers(tempers: ReadonlyMap<number, boolean>): void;

  /** How containers were when they were last looked at, by their key; one that never was is absent. */
  findPlaces(keys: readonly string[]): ReadonlyMap<string, PlaceState>;
  /** They are there, and as they were; so are these runs of applications, by the hash of each. */
  touchPlaces(keys: readonly string[], lives: readonly string[]): void;
  /** One look at containers that are not as they were. Only within a transaction. */
  noteLook(look: LookNote): void;
  /** How often its layout has changed much; 0 for a window that was never looked at. */
  findLayout(window: WindowKey): number;
  /** What was learned about each of these; a number that was never given out is absent. */
  findLearned(marks: readonly number[]): ReadonlyMap<number, Learned>;
  /** How far a control was relied on over time, oldest first. */
  findMoments(mark: number): readonly Moment[];
  /** Whether something was done to a control and what was wanted was seen. */
  countAct(mark: number, isHit: boolean): void;
  /** What whoever acted said about the last time. */
  setFeedback(mark: number, text: string): void;
  /** What a person calls a control from now on; empty takes the name away. */
  teach(mark: number, name: string): void;
  /** Where a control is that no tree tells of, who told of it, and how it looks there. */
  setPlace(mark: number, place: BareTarget): void;
  /** Of what only pictures of an application have shown, and nobody has used or named, the last so many are kept. */
  dropUnusedPlaces(app: string, keep: number): void;
  /** What controls of these applications were taught to be called. */
  findTaught(apps: readonly string[]): ReadonlyMap<number, string>;
  /** What is remembered, best known first. */
  listTargets(wish: TargetWish): readonly StoredTarget[];

  /** The highest number that was ever given out. */
  countMarks(): number;
  /** Changes whenever another process has written. */
  readVersion(): number;
  /** How much this process has written. */
  countOwnChanges(): number;
  inTransaction<T>(work: () => T): T;
  /** Tells those who share the map what was written, and hears from them; returns what a person should know. */
  settle(): Promise<string | undefined>;
  /** What would help against what `settle` told last. */
  findMend?(): Mend;
  close(): void;
}

export type Lives = ReadonlyMap<string, readonly string[]>;

/** What is kept of a ref: everything but the object, which lives no longer than its application. */
export type StoredRef = Omit<Ref, "runtimeId">;

/** One control of a container. */
export interface Member {
  readonly mark: number;
  readonly ref: StoredRef;
  /** How many looks at its container have not shown it since. */
  readonly missing: number;
}

export interface StoredTarget {
  readonly ref: StoredRef;
  /** Where to press, from the upper left corner of the window. */
  readonly clickPoint: Point | undefined;
  readonly learned: Learned;
  /** What whoever acted on it said about it last. */
  readonly feedback: string;
}

export interface TargetWish {
  readonly marks?: readonly number[] | undefined;
  /** Applications by the names that their refs bear. */
  readonly apps?: readonly string[] | undefined;
  readonly roles?: ReadonlySet<Role> | undefined;
  readonly isTaught?: boolean | undefined;
  readonly sources?: readonly Source[] | undefined;
  /** Only those to which something was done with success, at least this often. */
  readonly minHits?: number | undefined;
  readonly limit?: number | undefined;
}

export interface BareTarget {
  readonly source: Source;
  readonly certainty: number | undefined;
  /** Where to press, from the upper left corner of the window. */
  readonly point: Point;
  /** From there, too. */
  readonly bounds: Bounds;
  readonly visualHash: string;
}

export interface PlaceState {
  readonly lastSeenMs: number;
  readonly looks: number;
  /** A hash of what was in it, and where. */
  readonly state: string;
}

/** What names a window across restarts: its application and what tells it from others at any title. */
export interface WindowKey {
  readonly app: string;
  readonly window: string;
}

export interface LookNote extends WindowKey {
  readonly places: readonly SeenPlace[];
  /** How many controls were there the time before in those containers that are as they were. */
  readonly unchangedCount: number;
}

/** One container that is not as it was, and everything in it that has a mark. */
export interface SeenPlace {
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
}

/** The store failed while it was in use: damaged pages, a full disk, a lock that never opens. Nothing of the read was stored. */
export class MapUnavailable extends Error {
  override readonly name = "MapUnavailable";
  constructor(
    readonly failure: Failure,
    /** Whether the map can be read all the same. */
    readonly isUnwritable = false,
  ) {
    super(failure.message);
  }
}
