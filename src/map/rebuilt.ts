import type { Ref } from "../model/ref.ts";
import { isInEntry } from "./evidence.ts";
import { foldName } from "./fold-name.ts";
import { listFormerPlaces } from "./former-places.ts";
import { isShown, type Shown, type Unplaced, windowKeyOf } from "./newcomers.ts";
import { type Description, describeRef } from "./resolve/description.ts";
import { resolve } from "./resolve/resolve.ts";
import type { MapStore, Member } from "./store/port.ts";
import { writePlace } from "./store/rows.ts";

/** How sure the resolver must be, in both directions. */
const minScore = 0.99;
/** More newcomers than these are another page, not a changed one. */
const maxNewcomers = 400;
const maxPairs = 60;
const maxCandidates = 120;
/** So many others of the same container must be there, so that it is the same container. */
const minMates = 2;
/** The same where nothing else speaks for a control than where it stands and a part of its words. */
const minMatesOfRenamed = 3;

/**
 * Recognises controls of an application that was started again, as it is after an update: with other words, in another box,
 * beside another text. Both must find each other, the control among all that is there and the remembered one among all that
 * was, and their container must be there with most of what was in it. By runtime id.
 */
export function matchRebuilt(
  store: MapStore,
  all: readonly Unplaced[],
  newcomers: readonly Unplaced[],
  marks: ReadonlyMap<string, number>,
  shown: Shown,
): ReadonlyMap<string, number> {
  const free = newcomers.filter(({ ref }) => ref.name !== "" && ref.twins === 0);
  if (free.length === 0 || free.length > maxNewcomers) return new Map();
  const members = store.findMembers(listFormerPlaces(free.map(({ ref }) => ref)));
  const taken = new Set(marks.values());
  const orphans = members.filter(({ mark, ref }) => {
    return !taken.has(mark) && !ref.hasTwin && ref.twins === 0 && ref.name !== "" && !isInEntry(ref);
  });
  if (orphans.length === 0) return new Map();
  const unknown = all.filter(({ ref }) => !marks.has(ref.runtimeId)).map(({ ref }) => writePlace(ref).key);
  const scene: Scene = { all, members, orphans, taken, shown, unknown };
  const couples = listCouples(free, scene).filter((couple) => isSurelySame(couple, scene));
  const trusted = couples.filter((couple) => isAmongItsOwn(couple, couples, scene));
  const living = findLiving(store, trusted);
  return new Map(
    trusted.filter(({ was }) => !living.has(was.mark)).map(({ now, was }) => [now.ref.runtimeId, was.mark]),
  );
}

interface Scene {
  readonly all: readonly Unplaced[];
  readonly members: readonly Member[];
  /** What was there when it was last looked at, and was not recognised now. */
  readonly orphans: readonly Member[];
  readonly taken: ReadonlySet<number>;
  readonly shown: Shown;
  /** The containers of everything that has no mark yet. */
  readonly unknown: readonly string[];
}

interface Couple {
  readonly now: Unplaced;
  readonly was: Member;
  /** Whether it is called the same, but for what says nothing. */
  readonly isNamesake: boolean;
}

/** A control is there or was removed; which, is known as long as its application lives. */
function findLiving(store: MapStore, couples: readonly Couple[]): ReadonlySet<number> {
  const lives = Map.groupBy(couples, ({ now }) => now.life);
  return new Set(
    [...lives].flatMap(([life, own]) => [
      ...store.findLiving(
        life,
        own.map(({ was }) => was.mark),
      ),
    ]),
  );
}

function listCouples(newcomers: readonly Unplaced[], scene: Scene): Couple[] {
  const couples = newcomers.flatMap((now) => {
    const alike = scene.orphans.filter((was) => isSameKind(now.ref, was));
    const namesakes = alike.filter(({ ref }) => foldName(ref.name) === foldName(now.ref.name));
    const isOnly =
      countNamesakes(now.ref, newcomers) === 1 && countNamesakes(now.ref, scene.members.map(toHolder)) === 1;
    if (namesakes.length > 0) return isOnly ? namesakes.map((was) => ({ now, was, isNamesake: true })) : [];
    const replaced = alike.filter((was) => isInItsPlace(now.ref, was) && !isShown(scene.shown, was.ref.name, now.ref));
    return replaced.map((was) => ({ now, was, isNamesake: false }));
  });
  return couples.slice(0, maxPairs);
}

function toHolder({ ref }: Member): { readonly ref: Pick<Ref, "role" | "name"> } {
  return { ref };
}

function countNamesakes(ref: Ref, holders: readonly { readonly ref: Pick<Ref, "role" | "name"> }[]): number {
  return holders.filter((one) => one.ref.role === ref.role && foldName(one.ref.name) === foldName(ref.name)).length;
}

function isSameKind(ref: Ref, was: Member): boolean {
  return (
    was.ref.role === ref.role && was.ref.platformId === ref.platformId && windowKeyOf(was.ref) === windowKeyOf(ref)
  );
}

/** In the same container, between the same sisters, beside the same text. */
function isInItsPlace(ref: Ref, { ref: was, place }: Member): boolean {
  const isBetween =
    ref.sisters.some((name) => name !== "") && ref.sisters.every((name, at) => name === was.sisters[at]);
  return isBetween && was.owner === ref.owner && writePlace(ref).key === place;
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

/** The one that is hoped for comes first. */
function withFirst<T extends Describable>(first: T, others: readonly T[]): Description[] {
  const rest = others.filter((one) => one !== first).slice(0, maxCandidates);
  return [first, ...rest].map(describeOnce);
}

function findsOther(ref: Description, candidates: readonly Description[]): boolean {
  const { verdict, best, score } = resolve(ref, candidates);
  return verdict === "match" && best === 0 && score >= minScore;
}

const descriptions = new WeakMap<Describable, Description>();

function describeOnce(ref: Describable): Description {
  const known = descriptions.get(ref) ?? describeRef(ref);
  descriptions.set(ref, known);
  return known;
}

/**
 * Whether its container is still there, or has moved as a whole: on another page of the window a control of the same name
 * stands among others. Beside another text, or with other words, only those count that were recognised by their exact look.
 */
function isAmongItsOwn({ now, was, isNamesake }: Couple, couples: readonly Couple[], scene: Scene): boolean {
  const key = writePlace(now.ref).key;
  const moved = new Set(
    couples
      .filter((other) => other.was.place === was.place && writePlace(other.now.ref).key === key)
      .map((one) => one.was.mark),
  );
  const isStrict = !isNamesake || now.ref.owner !== was.ref.owner;
  const isThere = ({ mark }: Member): boolean => scene.taken.has(mark) || (!isStrict && moved.has(mark));
  const mates = listMates(was, scene, isNamesake ? minMates : minMatesOfRenamed);
  const there = mates.filter(isThere).length;
  if (isNamesake) return there >= minMates && there * 2 >= mates.length;
  const isOnlyNew = scene.unknown.filter((place) => place === key).length === 1;
  return isOnlyNew && there >= minMatesOfRenamed && there === mates.length;
}

/** What was in its container beside it; where that is too little, also what was around. */
function listMates({ mark, ref, place }: Member, { members }: Scene, least: number): Member[] {
  const others = members.filter((one) => one.mark !== mark && !isInEntry(one.ref));
  const mates = others.filter((one) => one.place === place);
  for (let depth = ref.path.length - 1; depth >= 0 && mates.length < least; depth -= 1) {
    const { key } = writePlace({ ...ref, path: ref.path.slice(0, depth) });
    mates.push(...others.filter((one) => one.place === key));
  }
  return mates;
}
