import { hashText } from "../model/hash.ts";
import type { Ref, StoredRef } from "../model/ref.ts";
import { hashAppearances, hashEvidence, objectOf } from "./evidence.ts";
import { listLastingIds } from "./lasting-id.ts";
import { findSameObjects, matchChanged } from "./match-changed.ts";
import { hashSole, type Sole } from "./sole.ts";
import type { MapStore } from "./store/port.ts";
import type { Unmatched } from "./unmatched.ts";

interface HashedRef {
  readonly ref: Ref;
  /** By tier, strongest first. */
  readonly tiers: readonly (readonly string[])[];
  readonly object: string;
  readonly life: string;
  readonly lasting: string | undefined;
  readonly sole: Sole | undefined;
  /** All hashes of the above but `sole`. */
  readonly hashes: readonly string[];
}

/**
 * Returns the marks of the wanted elements by handle: their former number, or a new one. `all` contains everything
 * that was read: a control that is not wanted still keeps its mark from being taken by a newcomer in its old place. No
 * mark is given to two elements, and stronger evidence of one takes precedence over weaker evidence of another. What
 * changed its words keeps its mark in this result; the map takes the new words only if they are shown.
 */
export function allotMarks(
  store: MapStore,
  all: readonly Ref[],
  wanted: ReadonlySet<string>,
  isShown: boolean,
): ReadonlyMap<string, number> {
  const hashed = hashRefs(all);
  const version = store.readVersion();
  const known = findKnown(store, hashed);
  const marks = matchKnown(store, known, hashed);
  const isNothingNew = findNews(known, marks, hashed, wanted).size === 0;
  if (isNothingNew && (!isShown || listRenamed(store, marks, hashed, wanted).length === 0)) return marks;
  return store.inTransaction(() => {
    // Another process may have stored the same controls meanwhile: match again now that no one else can write.
    const isSame = store.readVersion() === version;
    const latest = isSame ? known : findKnown(store, hashed);
    const settled = isSame ? new Map(marks) : new Map(matchKnown(store, latest, hashed));
    const missing = hashed.filter(({ ref }) => wanted.has(ref.handle) && !settled.has(ref.handle));
    const changed = missing.length > 0 ? followChanged(store, hashed, missing, settled, latest) : noMarks;
    for (const [id, mark] of changed) settled.set(id, mark);
    const accepted = isShown ? wanted : new Set([...wanted].filter((id) => !changed.has(id)));
    const unknown = hashed.map(({ ref }) => ref).filter((ref) => wanted.has(ref.handle) && !settled.has(ref.handle));
    const newMarks = store.allotMarks(unknown);
    newMarks.forEach((mark, index) => {
      const ref = unknown[index];
      if (ref !== undefined) settled.set(ref.handle, mark);
    });
    const news = findNews(latest, settled, hashed, accepted);
    const isNew = new Set(newMarks);
    const called = isShown ? listRenamed(store, settled, hashed, wanted) : [];
    const touched = [...new Set([...news.values(), ...called])].filter((mark) => !isNew.has(mark));
    const revised = listRevised(store, touched, settled, hashed);
    // Evidence of the former name is dropped: another control may use it next. Evidence of a former position stays
    // valid.
    const renamed = revised.filter(({ before, ref }) => before.name !== ref.name);
    store.dropEvidence(renamed.flatMap(({ before }) => [...hashAppearances(before), ...listSole(before)]));
    remember(store, news, hashed);
    store.updateRefs(new Map(revised.map(({ mark, ref }) => [mark, ref])));
    return settled;
  });
}

const noMarks: ReadonlyMap<string, number> = new Map();

/** Evidence that is valid only while the application runs. */
function listLiving({ tiers, object }: HashedRef): readonly string[] {
  return [...(tiers[0] ?? []), object];
}

function findKnown(store: MapStore, hashed: readonly HashedRef[]): ReadonlyMap<string, number> {
  const lives = Map.groupBy(hashed, ({ life }) => life);
  const objects = store.findObjects(new Map([...lives].map(([life, own]) => [life, own.flatMap(listLiving)])));
  const looks = hashed.flatMap(({ tiers, lasting, sole }) => [
    ...tiers.slice(1).flat(),
    ...(lasting ? [lasting] : []),
    ...(sole ? [sole.own, sole.shared] : []),
  ]);
  return new Map([...objects, ...store.findMarks(looks)]);
}

function followChanged(
  store: MapStore,
  hashed: readonly HashedRef[],
  missing: readonly HashedRef[],
  marks: ReadonlyMap<string, number>,
  known: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const all = new Map(hashed.map((one) => [one, toUnmatched(one, known)]));
  return matchChanged(
    store,
    [...all.values()],
    missing.flatMap((one) => all.get(one) ?? []),
    marks,
  );
}

function toUnmatched({ ref, object, life, lasting }: HashedRef, known: ReadonlyMap<string, number>): Unmatched {
  return { ref, life, objectMark: known.get(object), idMark: lasting === undefined ? undefined : known.get(lasting) };
}

function listSole(ref: StoredRef): readonly string[] {
  const sole = hashSole(ref);
  return sole === undefined ? [] : [sole.own];
}

function remember(store: MapStore, news: ReadonlyMap<string, number>, hashed: readonly HashedRef[]): void {
  const objects = new Map<string, Map<string, number>>();
  const looks = new Map(news);
  for (const each of hashed) {
    for (const hash of listLiving(each)) {
      const mark = looks.get(hash);
      if (mark === undefined) continue;
      looks.delete(hash);
      const own = objects.get(each.life) ?? new Map<string, number>();
      objects.set(each.life, own.set(hash, mark));
    }
  }
  store.setObjects(objects);
  store.setEvidence(looks);
}

/** Refs and the lists of them are immutable, and one action matches the same list several times. */
const hashedLists = new WeakMap<readonly Ref[], readonly HashedRef[]>();

function hashRefs(refs: readonly Ref[]): readonly HashedRef[] {
  const known = hashedLists.get(refs);
  if (known !== undefined) return known;
  const lasting = listLastingIds(refs);
  const lives = new Map<string, string>();
  const hashLife = (life: string): string => lives.get(life) ?? lives.set(life, hashText(life)).get(life) ?? "";
  const made = refs.map((ref) => {
    const [tiers, object, id] = [hashEvidence(ref), hashText(objectOf(ref)), lasting.get(ref.handle)];
    const hashes = [...tiers.flat(), object, ...(id === undefined ? [] : [id])];
    return { ref, tiers, object, hashes, life: hashLife(ref.life), lasting: id, sole: hashSole(ref) };
  });
  hashedLists.set(refs, made);
  return made;
}

/** The evidence of wanted elements that does not lead to their mark yet. */
function findNews(
  known: ReadonlyMap<string, number>,
  marks: ReadonlyMap<string, number>,
  hashed: readonly HashedRef[],
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const news = new Map<string, number>();
  for (const { ref, hashes, sole } of hashed) {
    if (!wanted.has(ref.handle)) continue;
    const mark = marks.get(ref.handle) ?? 0;
    for (const hash of hashes) if (known.get(hash) !== mark) news.set(hash, mark);
    if (sole === undefined || known.has(sole.shared)) continue;
    const holder = known.get(sole.own);
    if (holder !== mark) news.set(holder === undefined ? sole.own : sole.shared, mark);
  }
  return news;
}

/** The marks of wanted elements whose name differs from the one last shown. */
function listRenamed(
  store: MapStore,
  marks: ReadonlyMap<string, number>,
  hashed: readonly HashedRef[],
  wanted: ReadonlySet<string>,
): number[] {
  const shown = hashed.filter(({ ref }) => wanted.has(ref.handle) && marks.has(ref.handle));
  const names = store.findNames(shown.map(({ ref }) => marks.get(ref.handle) ?? 0));
  return shown.flatMap(({ ref }) => {
    const mark = marks.get(ref.handle) ?? 0;
    return (names.get(mark) ?? ref.name) === ref.name ? [] : [mark];
  });
}

interface Revised {
  readonly mark: number;
  readonly before: StoredRef;
  readonly ref: Ref;
}

/** Wanted elements whose name or position among others differs from what was last shown. */
function listRevised(
  store: MapStore,
  touched: readonly number[],
  marks: ReadonlyMap<string, number>,
  hashed: readonly HashedRef[],
): readonly Revised[] {
  const isTouched = new Set(touched);
  const shown = hashed.map(({ ref }) => [marks.get(ref.handle) ?? 0, ref] as const);
  // After a restart every object is new but few refs differ: only those are loaded in full.
  const changed = store.findChangedRefs(new Map(shown.filter(([mark]) => isTouched.has(mark))));
  if (changed.length === 0) return [];
  const stored = new Map(store.listTargets({ marks: changed }).map(({ ref, learned }) => [learned.mark, ref]));
  return hashed.flatMap(({ ref }) => {
    const mark = marks.get(ref.handle) ?? 0;
    const before = stored.get(mark);
    return before === undefined || describeChangeable(before) === describeChangeable(ref)
      ? []
      : [{ mark, before, ref }];
  });
}

function describeChangeable(ref: StoredRef): string {
  const { name, platformId, index, count, owner, sisters, twins, hasTwin, path } = ref;
  return JSON.stringify([name, platformId, index, count, owner, sisters, twins, hasTwin, path]);
}

function matchKnown(
  store: MapStore,
  known: ReadonlyMap<string, number>,
  hashed: readonly HashedRef[],
): ReadonlyMap<string, number> {
  const marks = new Map<string, number>();
  const taken = new Set<number>();
  const tierCount = hashed.reduce((most, { tiers }) => Math.max(most, tiers.length), 0);
  const matchTier = (tier: number): void => {
    for (const { ref, tiers } of hashed) {
      if (marks.has(ref.handle) || kept.has(ref.handle)) continue;
      const mark = tiers[tier]?.map((hash) => known.get(hash)).find((one) => one !== undefined && !taken.has(one));
      if (mark === undefined) continue;
      marks.set(ref.handle, mark);
      taken.add(mark);
    }
  };
  // A living object keeps its mark under other words, whether or not this read may show them (`matchChanged`).
  const kept = new Set<string>();
  matchTier(0);
  const others = hashed.filter(({ ref, object }) => !marks.has(ref.handle) && known.has(object));
  const unmatched = others.map((one) => toUnmatched(one, known));
  for (const [{ ref }, mark] of findSameObjects(store, unmatched, taken)) {
    kept.add(ref.handle);
    taken.add(mark);
  }
  for (let tier = 1; tier < tierCount; tier += 1) matchTier(tier);
  for (const [{ ref }, mark] of listSoleMatches(store, known, hashed, marks, taken)) marks.set(ref.handle, mark);
  return marks;
}

/** Controls that are alone with their words, of an application that did not show their marks since it started. */
function listSoleMatches(
  store: MapStore,
  known: ReadonlyMap<string, number>,
  hashed: readonly HashedRef[],
  marks: ReadonlyMap<string, number>,
  taken: ReadonlySet<number>,
): readonly (readonly [HashedRef, number])[] {
  const found = hashed.flatMap((one) => {
    const { ref, sole, object } = one;
    if (sole === undefined || marks.has(ref.handle) || known.has(object) || known.has(sole.shared)) return [];
    const mark = known.get(sole.own);
    return mark === undefined || taken.has(mark) ? [] : [[one, mark] as const];
  });
  const lives = Map.groupBy(found, ([{ life }]) => life);
  const living = [...lives].map(([life, own]) =>
    store.findLiving(
      life,
      own.map(([, mark]) => mark),
    ),
  );
  const counts = Map.groupBy(found, ([, mark]) => mark);
  return found.filter(([, mark]) => counts.get(mark)?.length === 1 && !living.some((own) => own.has(mark)));
}
