import type { Ref, Step } from "../model/ref.ts";
import { describePath, isInEntry, stepSeparator } from "./evidence.ts";
import { type Description, describeRef } from "./resolve/description.ts";
import { resolve } from "./resolve/resolve.ts";
import type { MapStore, Member } from "./store/port.ts";
import { toContainerRow } from "./store/rows.ts";
import { foldName, isUnnamedGroup, listVisibleSteps, type Unmatched, windowKeyOf } from "./unmatched.ts";

/** The minimum resolver score, in both directions. */
const minScore = 0.95;
/** More unmatched controls than this mean another page, not a changed one. */
const maxUnmatched = 400;
/** Limits on comparisons: the read waits for the result. */
const maxPairs = 48;
const maxCandidates = 24;
/** How many other controls of a container must be recognised for it to count as the same container. */
const minSiblings = 2;
/** A control missing from more reads than this had disappeared before the restart. */
const maxMissedReads = 2;

/** Limit on the containers that are looked up. */
const maxPlaces = 1500;

/**
 * Recognises controls of an application that restarted, for example after an update that added a count or dots to a
 * label or moved it into another group. Control and remembered control must find each other among all present and all
 * remembered ones, and most of their container must be recognised too. Keyed by handle.
 */
export function matchAfterRestart(
  store: MapStore,
  all: readonly Unmatched[],
  unmatched: readonly Unmatched[],
  marks: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const free = unmatched.filter(({ ref }) => ref.name !== "" && ref.twins === 0);
  if (free.length === 0 || free.length > maxUnmatched) return new Map();
  const members = store.findMembers(listFormerContainers(free.map(({ ref }) => ref)));
  const taken = new Set(marks.values());
  const orphans = members.filter(({ mark, ref }) => {
    return !taken.has(mark) && !ref.hasTwin && ref.twins === 0 && ref.name !== "" && !isInEntry(ref);
  });
  if (orphans.length === 0) return new Map();
  const known = countKnown(all, marks, members);
  const scene: Scene = { all, members, orphans, known };
  const couples = excludeLiving(store, listCouples(free, scene).slice(0, 2 * maxPairs));
  const likely = couples.filter((couple) => isContainerKnown(couple, couples, scene)).slice(0, maxPairs);
  const sure = likely.filter((couple) => findEachOther(couple, scene));
  const trusted = sure.filter((couple) => isContainerKnown(couple, sure, scene));
  return new Map(trusted.map(({ now, was }) => [now.ref.handle, was.mark]));
}

interface Scene {
  readonly all: readonly Unmatched[];
  readonly members: readonly Member[];
  /** Present at the last read of their container and not recognised now. */
  readonly orphans: readonly Member[];
  /** The containers of recognised controls, now and before. */
  readonly known: readonly Known[];
}

/**
 * How many recognised controls are in one container now and in another (usually the same) before; each path as text.
 */
interface Known {
  readonly paths: readonly string[];
  readonly count: number;
}

/** List entries and windows are left out. */
function countKnown(
  all: readonly Unmatched[],
  marks: ReadonlyMap<string, number>,
  members: readonly Member[],
): readonly Known[] {
  const former = new Map(members.map(({ mark, ref }) => [mark, ref.path]));
  const counts = new Map<string, { readonly paths: string[]; count: number }>();
  for (const { ref } of all) {
    const mark = marks.get(ref.handle);
    if (mark === undefined || ref.path.length === 0 || isInEntry(ref)) continue;
    const paths = [closePath(ref.path), closePath(former.get(mark) ?? ref.path)];
    const key = paths.join("\u0005");
    const known = counts.get(key) ?? { paths, count: 0 };
    known.count += 1;
    counts.set(key, known);
  }
  return [...counts.values()];
}

/** With a separator at its end, so that a path starts those of its content and no others. */
function closePath(path: Ref["path"]): string {
  return path.length === 0 ? "" : `${describePath(path)}${stepSeparator}`;
}

interface Couple {
  readonly now: Unmatched;
  readonly was: Member;
}

/** While an application runs, its store knows which of its controls were removed. */
function excludeLiving(store: MapStore, couples: readonly Couple[]): readonly Couple[] {
  const lives = Map.groupBy(couples, ({ now }) => now.life);
  return [...lives].flatMap(([life, own]) => {
    const marks = own.map(({ was }) => was.mark);
    const living = store.findLiving(life, marks);
    return own.filter(({ was }) => !living.has(was.mark));
  });
}

/**
 * Pairs with the same unique name and the same adjacent text. With another name it may be a replacement, with another
 * adjacent text a control of another page: without object and id nothing distinguishes them.
 */
function listCouples(unmatched: readonly Unmatched[], { all, members, orphans }: Scene): Couple[] {
  const [present, past] = [groupByName(all), groupByName(members)];
  const lost = groupByName(orphans);
  return unmatched.flatMap((now) => {
    const name = nameKeyOf(now);
    const isOnly = present.get(name)?.length === 1 && past.get(name)?.length === 1;
    const [was] = lost.get(name) ?? [];
    return isOnly && was !== undefined && describeKind(was.ref) === describeKind(now.ref) ? [{ now, was }] : [];
  });
}

/** What must agree: id, adjacent text, and all containers except unnamed groups. */
function describeKind({ platformId, owner, path }: Describable): string {
  const way = listVisibleSteps(path).map(({ role, name }) => `${role}:${name}`);
  return [platformId, owner, ...way].join("\u0004");
}

interface Named {
  readonly ref: Pick<Ref, "app" | "windows" | "role" | "name">;
}

function groupByName<T extends Named>(list: readonly T[]): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(list, nameKeyOf);
}

function nameKeyOf({ ref }: Named): string {
  return [windowKeyOf(ref), ref.role, foldName(ref.name)].join("\u0004");
}

function findEachOther({ now, was }: Couple, { all, members }: Scene): boolean {
  const key = windowKeyOf(now.ref);
  const present = all.map(({ ref }) => ref).filter((ref) => ref.role === now.ref.role && windowKeyOf(ref) === key);
  const past = members.map(({ ref }) => ref).filter((ref) => ref.role === was.ref.role && windowKeyOf(ref) === key);
  return (
    findsOther(describeOnce(was.ref), withFirst(now.ref, present)) &&
    findsOther(describeOnce(now.ref), withFirst(was.ref, past))
  );
}

type Describable = Parameters<typeof describeRef>[0];

/** The expected match first, then those it is most easily confused with. */
function withFirst<T extends Describable>(first: T, others: readonly T[]): Description[] {
  const rest = others.filter((one) => one !== first);
  const near = rest.filter(({ path, owner }) => path.length === first.path.length && owner === first.owner);
  const listed = new Set([...near.slice(0, maxCandidates / 2), ...rest.slice(0, maxCandidates)]);
  return [first, ...[...listed].slice(0, maxCandidates)].map(describeOnce);
}

function findsOther(ref: Description, candidates: readonly Description[]): boolean {
  const { verdict, best, score } = resolve(ref, candidates);
  return verdict === "match" && best === 0 && score >= minScore;
}

/** Compares names only: unnamed groups come and go, and another font or scale moves everything. */
const descriptions = new WeakMap<Describable, Description>();

function describeOnce(ref: Describable): Description {
  const known = descriptions.get(ref) ?? describeFolded(ref);
  descriptions.set(ref, known);
  return known;
}

function describeFolded(ref: Describable): Description {
  const path = listVisibleSteps(ref.path);
  const [before, after] = ref.sisters;
  const sisters: Ref["sisters"] = [foldName(before), foldName(after)];
  return describeRef({ ...ref, path, name: foldName(ref.name), sisters, bounds: undefined });
}

/**
 * Whether the container still exists or moved as a whole: on another page of the window a control of the same name has
 * other siblings. If the container holds too little to tell, its ancestors decide.
 */
function isContainerKnown({ was }: Couple, couples: readonly Couple[], { known, orphans }: Scene): boolean {
  const moved = couples.filter((one) => one.was !== was).map((one) => one.was);
  const companions = new Set(moved);
  const lost = orphans.filter((one) => one !== was && !companions.has(one) && one.missing <= maxMissedReads);
  for (let depth = was.ref.path.length; depth >= 0; depth -= 1) {
    const container = closePath(was.ref.path.slice(0, depth));
    const isInside = ({ ref }: Member): boolean => closePath(ref.path).startsWith(container);
    const stayed = known.filter(({ paths }) => paths.some((path) => path.startsWith(container)));
    const there = stayed.reduce((sum, one) => sum + one.count, 0) + moved.filter(isInside).length;
    if (lost.filter(isInside).length > there) return false;
    if (there >= minSiblings) return true;
  }
  return false;
}

/** The containers in which unmatched controls may have been before, and those around them. */
function listFormerContainers(refs: readonly Ref[]): Pick<Ref, "app" | "windows" | "path">[] {
  const distinct = [...new Map(refs.map((ref) => [ref.path, ref])).values()];
  const around = distinct.flatMap((ref) => ref.path.map((_, depth) => ({ ...ref, path: ref.path.slice(0, depth) })));
  const before = distinct.flatMap((ref) => listFormerPaths(ref.path).map((path) => ({ ...ref, path })));
  const places = new Map([...distinct, ...around, ...before].map((place) => [toContainerRow(place).key, place]));
  return [...places.values()].slice(0, maxPlaces);
}

/** One group more or less on the path, or one sibling more or less. */
function listFormerPaths(path: readonly Step[]): (readonly Step[])[] {
  return path.flatMap((step, at) => {
    const { role, name, index, count } = step;
    const shifted = [
      { index: index - 1, count: count - 1 },
      { index, count: count - 1 },
      { index: index + 1, count: count + 1 },
      { index, count: count + 1 },
    ].filter((one) => one.index >= 0 && one.index < one.count);
    const put = (...steps: readonly Step[]): Step[] => [...path.slice(0, at), ...steps, ...path.slice(at + 1)];
    return [
      ...shifted.map((one) => put({ role, name, ...one })),
      ...(isUnnamedGroup(step) ? [put()] : []),
      put(step, { role: "group", name: "", index: 0, count: 1 }),
    ];
  });
}
