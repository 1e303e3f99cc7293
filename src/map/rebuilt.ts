import type { Ref, Step } from "../model/ref.ts";
import { isInEntry } from "./evidence.ts";
import { foldName } from "./fold-name.ts";
import { isBox, listFormerPlaces } from "./former-places.ts";
import { type Unplaced, windowKeyOf } from "./newcomers.ts";
import { type Description, describeRef } from "./resolve/description.ts";
import { resolve } from "./resolve/resolve.ts";
import type { MapStore, Member } from "./store/port.ts";

/** How sure the resolver must be, in both directions. */
const minScore = 0.95;
/** More newcomers than these are another page, not a changed one. */
const maxNewcomers = 400;
/** So many are compared, each with so many others: the rest of a read waits for it. */
const maxPairs = 48;
const maxCandidates = 24;
/** So many others of the same container must be there, so that it is the same container. */
const minMates = 2;
/** What was not there in so many looks had gone before. */
const lateLooks = 2;

/**
 * Recognises controls of an application that was started again, as it is after an update: with a count or dots in its words
 * or in another box. Both must find each other, the control among all that is there and the remembered one
 * among all that was, and their container must be there with most of what was in it. By runtime id.
 */
export function matchRebuilt(
  store: MapStore,
  all: readonly Unplaced[],
  newcomers: readonly Unplaced[],
  marks: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const free = newcomers.filter(({ ref }) => ref.name !== "" && ref.twins === 0);
  if (free.length === 0 || free.length > maxNewcomers) return new Map();
  const members = store.findMembers(listFormerPlaces(free.map(({ ref }) => ref)));
  const taken = new Set(marks.values());
  const orphans = members.filter(({ mark, ref }) => {
    return !taken.has(mark) && !ref.hasTwin && ref.twins === 0 && ref.name !== "" && !isInEntry(ref);
  });
  if (orphans.length === 0) return new Map();
  const known = countKnown(all, marks, members);
  const scene: Scene = { all, members, orphans, known };
  const couples = leaveOutLiving(store, listCouples(free, scene).slice(0, 2 * maxPairs));
  const likely = couples.filter((couple) => isAmongItsOwn(couple, couples, scene)).slice(0, maxPairs);
  const sure = likely.filter((couple) => isSurelySame(couple, scene));
  const trusted = sure.filter((couple) => isAmongItsOwn(couple, sure, scene));
  return new Map(trusted.map(({ now, was }) => [now.ref.runtimeId, was.mark]));
}

interface Scene {
  readonly all: readonly Unplaced[];
  readonly members: readonly Member[];
  /** What was there when it was last looked at, and was not recognised now. */
  readonly orphans: readonly Member[];
  /** Where those that were recognised stand, and where they stood. */
  readonly known: readonly Known[];
}

/** How many stand in one container and stood in another, mostly the same; each written as a line of steps. */
interface Known {
  readonly ways: readonly string[];
  readonly count: number;
}

/** Without lists and windows. */
function countKnown(
  all: readonly Unplaced[],
  marks: ReadonlyMap<string, number>,
  members: readonly Member[],
): readonly Known[] {
  const former = new Map(members.map(({ mark, ref }) => [mark, ref.path]));
  const counts = new Map<string, { readonly ways: string[]; count: number }>();
  for (const { ref } of all) {
    const mark = marks.get(ref.runtimeId);
    if (mark === undefined || ref.path.length === 0 || isInEntry(ref)) continue;
    const ways = [writeWay(ref.path), writeWay(former.get(mark) ?? ref.path)];
    const key = ways.join("\u0005");
    const known = counts.get(key) ?? { ways, count: 0 };
    known.count += 1;
    counts.set(key, known);
  }
  return [...counts.values()];
}

const ways = new WeakMap<Ref["path"], string>();

/** Sisters share the very list of their containers. */
function writeWay(path: Ref["path"]): string {
  const known = ways.get(path) ?? path.map(writeStep).join("");
  ways.set(path, known);
  return known;
}

function writeStep({ role, name, index, count }: Step): string {
  return `${role}:${name}:${index}/${count}\u0003`;
}

interface Couple {
  readonly now: Unplaced;
  readonly was: Member;
}

/** A control is there or was removed; which, is known as long as its application lives. */
function leaveOutLiving(store: MapStore, couples: readonly Couple[]): readonly Couple[] {
  const lives = Map.groupBy(couples, ({ now }) => now.life);
  return [...lives].flatMap(([life, own]) => {
    const marks = own.map(({ was }) => was.mark);
    const living = store.findLiving(life, marks);
    return own.filter(({ was }) => !living.has(was.mark));
  });
}

/**
 * Those that are called the same beside the same text, and alone are. With other words it may as well be one that took the
 * place of the former, beside another text one of another page: nothing tells them apart once the object is gone, without an id.
 */
function listCouples(newcomers: readonly Unplaced[], { all, members, orphans }: Scene): Couple[] {
  const [present, past] = [groupByName(all), groupByName(members)];
  const lost = groupByName(orphans);
  return newcomers.flatMap((now) => {
    const name = nameKeyOf(now);
    const isOnly = present.get(name)?.length === 1 && past.get(name)?.length === 1;
    const [was] = lost.get(name) ?? [];
    return isOnly && was !== undefined && describeKind(was.ref) === describeKind(now.ref) ? [{ now, was }] : [];
  });
}

/** What must be the same: its id, the text beside it, and all that it is inside of but boxes that nobody sees. */
function describeKind({ platformId, owner, path }: Describable): string {
  const way = path.filter((step) => !isBox(step)).map(({ role, name }) => `${role}:${name}`);
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

/** Whether each finds the other among everything that is there, and that was. */
function isSurelySame({ now, was }: Couple, { all, members }: Scene): boolean {
  const key = windowKeyOf(now.ref);
  const present = all.map(({ ref }) => ref).filter((ref) => ref.role === now.ref.role && windowKeyOf(ref) === key);
  const past = members.filter(({ ref }) => ref.role === was.ref.role && windowKeyOf(ref) === key);
  return (
    findsOther(describeOnce(was.ref), withFirst(now.ref, present)) &&
    findsOther(
      describeOnce(now.ref),
      withFirst(
        was.ref,
        past.map(({ ref }) => ref),
      ),
    )
  );
}

type Describable = Parameters<typeof describeRef>[0];

/** The one that is hoped for comes first, then those that it is likeliest to be taken for. */
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

/**
 * By what labels say and what containers are called: boxes without a name come and go, and another font or scale changes
 * every place.
 */
const descriptions = new WeakMap<Describable, Description>();

function describeOnce(ref: Describable): Description {
  const known = descriptions.get(ref) ?? describeFolded(ref);
  descriptions.set(ref, known);
  return known;
}

function describeFolded(ref: Describable): Description {
  const path = ref.path.filter((step) => !isBox(step));
  const [name, sisters] = [foldName(ref.name), foldBoth(ref.sisters)];
  return describeRef({ ...ref, path, name, sisters, bounds: undefined });
}

function foldBoth([before, after]: Ref["sisters"]): Ref["sisters"] {
  return [foldName(before), foldName(after)];
}

/**
 * Whether its container is still there, or has moved as a whole: on another page of the window a control of the same name
 * stands among others. Where there is too little in its container to tell, what is around it counts.
 */
function isAmongItsOwn({ was }: Couple, couples: readonly Couple[], { known, orphans }: Scene): boolean {
  const moved = couples.filter((one) => one.was !== was).map((one) => one.was);
  const companions = new Set(moved);
  const lost = orphans.filter((one) => one !== was && !companions.has(one) && one.missing <= lateLooks);
  const steps = was.ref.path.map(writeStep);
  for (let depth = steps.length; depth >= 0; depth -= 1) {
    const way = steps.slice(0, depth).join("");
    const isInside = ({ ref }: Member): boolean => writeWay(ref.path).startsWith(way);
    const stayed = known.filter((one) => one.ways.some((other) => other.startsWith(way)));
    const there = stayed.reduce((sum, one) => sum + one.count, 0) + moved.filter(isInside).length;
    if (lost.filter(isInside).length > there) return false;
    if (there >= minMates) return true;
  }
  return false;
}
