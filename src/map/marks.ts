import { hashText } from "../model/hash.ts";
import type { Ref } from "../model/ref.ts";
import { matchChanged } from "./changed.ts";
import { hashEvidence, hashLooks, lifeOf, objectOf } from "./evidence.ts";
import { listLastingIds } from "./lasting-id.ts";
import type { Unplaced } from "./newcomers.ts";
import type { MapStore, StoredRef } from "./store/port.ts";

interface Sighting {
  readonly ref: Ref;
  /** Tier by tier, strongest first. */
  readonly tiers: readonly (readonly string[])[];
  readonly object: string;
  readonly life: string;
  /** Its lasting id without words. */
  readonly lasting: string | undefined;
  /** All of them. */
  readonly hashes: readonly string[];
}

/** Whether what is recognised is shown to whoever asked, so that a control may be known by other words from now on. */
export interface Showing {
  readonly isShown: boolean;
}

/**
 * Gives the wanted elements their marks, by runtime id: the number each had, or a new one. `all` holds everything that was
 * read: a control that was not asked for still keeps its own mark from being taken by a newcomer in its old place.
 * The same mark is never given to two elements, and stronger evidence of one comes before weaker evidence of another.
 */
export function allotMarks(
  store: MapStore,
  all: readonly Ref[],
  wanted: ReadonlySet<string>,
  { isShown }: Showing,
): ReadonlyMap<string, number> {
  const sightings = makeSightings(all);
  const version = store.readVersion();
  const known = findKnown(store, sightings);
  const marks = matchKnown(known, sightings);
  const isNothingNew = findNews(known, marks, sightings, wanted).size === 0;
  if (isNothingNew && (!isShown || listOtherwiseCalled(store, marks, sightings, wanted).length === 0)) return marks;
  return store.inTransaction(() => {
    // Another process may have met the same controls since: then look again, now that nobody else can write.
    const isSame = store.readVersion() === version;
    const latest = isSame ? known : findKnown(store, sightings);
    const settled = isSame ? new Map(marks) : new Map(matchKnown(latest, sightings));
    const missing = sightings.filter(({ ref }) => wanted.has(ref.runtimeId) && !settled.has(ref.runtimeId));
    const changed = isShown && missing.length > 0 ? followChanged(store, sightings, missing, settled, latest) : noMarks;
    for (const [id, mark] of changed) settled.set(id, mark);
    const unknown = sightings
      .map(({ ref }) => ref)
      .filter((ref) => wanted.has(ref.runtimeId) && !settled.has(ref.runtimeId));
    const newMarks = store.allotMarks(unknown);
    newMarks.forEach((mark, index) => {
      const ref = unknown[index];
      if (ref !== undefined) settled.set(ref.runtimeId, mark);
    });
    const news = findNews(latest, settled, sightings, wanted);
    const isNew = new Set(newMarks);
    const called = isShown ? listOtherwiseCalled(store, settled, sightings, wanted) : [];
    const touched = [...new Set([...news.values(), ...called])].filter((mark) => !isNew.has(mark));
    const revised = listRevised(store, touched, settled, sightings);
    // What it said before leads to it no more: another one may say so next, or itself again, which then is news. Where it
    // stood before it may stand again.
    const renamed = revised.filter(({ before, ref }) => before.name !== ref.name);
    store.dropEvidence(renamed.flatMap(({ before }) => hashLooks(before)));
    remember(store, news, sightings);
    store.updateRefs(new Map(revised.map(({ mark, ref }) => [mark, ref])));
    return settled;
  });
}

const noMarks: ReadonlyMap<string, number> = new Map();

/** What holds while an application lives: its very object, by either of its names. */
function listLiving({ tiers, object }: Sighting): readonly string[] {
  return [...(tiers[0] ?? []), object];
}

function findKnown(store: MapStore, sightings: readonly Sighting[]): ReadonlyMap<string, number> {
  const lives = Map.groupBy(sightings, ({ life }) => life);
  const objects = store.findObjects(new Map([...lives].map(([life, own]) => [life, own.flatMap(listLiving)])));
  const looks = sightings.flatMap(({ tiers, lasting }) => [...tiers.slice(1).flat(), ...(lasting ? [lasting] : [])]);
  return new Map([...objects, ...store.findMarks(looks)]);
}

function followChanged(
  store: MapStore,
  sightings: readonly Sighting[],
  missing: readonly Sighting[],
  marks: ReadonlyMap<string, number>,
  known: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const all = new Map(sightings.map((one) => [one, toUnplaced(one, known)]));
  return matchChanged(
    store,
    [...all.values()],
    missing.flatMap((one) => all.get(one) ?? []),
    marks,
  );
}

function toUnplaced({ ref, object, life, lasting }: Sighting, known: ReadonlyMap<string, number>): Unplaced {
  return { ref, life, objectMark: known.get(object), idMark: lasting === undefined ? undefined : known.get(lasting) };
}

function remember(store: MapStore, news: ReadonlyMap<string, number>, sightings: readonly Sighting[]): void {
  const objects = new Map<string, Map<string, number>>();
  const looks = new Map(news);
  for (const sighting of sightings) {
    for (const hash of listLiving(sighting)) {
      const mark = looks.get(hash);
      if (mark === undefined) continue;
      looks.delete(hash);
      const own = objects.get(sighting.life) ?? new Map<string, number>();
      objects.set(sighting.life, own.set(hash, mark));
    }
  }
  store.setObjects(objects);
  store.setEvidence(looks);
}

/** A ref never changes, nor does the list of a snapshot's; an action matches the same ones several times. */
const sighted = new WeakMap<readonly Ref[], readonly Sighting[]>();

function makeSightings(refs: readonly Ref[]): readonly Sighting[] {
  const known = sighted.get(refs);
  if (known !== undefined) return known;
  const lasting = listLastingIds(refs);
  const lives = new Map<string, string>();
  const hashLife = (life: string): string => lives.get(life) ?? lives.set(life, hashText(life)).get(life) ?? "";
  const made = refs.map((ref) => {
    const [tiers, object, id] = [hashEvidence(ref), hashText(objectOf(ref)), lasting.get(ref.runtimeId)];
    const hashes = [...tiers.flat(), object, ...(id === undefined ? [] : [id])];
    return { ref, tiers, object, hashes, life: hashLife(lifeOf(ref)), lasting: id };
  });
  sighted.set(refs, made);
  return made;
}

/** The evidence of wanted elements that does not lead to their mark yet; an element without a mark has none to lead to. */
function findNews(
  known: ReadonlyMap<string, number>,
  marks: ReadonlyMap<string, number>,
  sightings: readonly Sighting[],
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const news = new Map<string, number>();
  for (const { ref, hashes } of sightings) {
    if (!wanted.has(ref.runtimeId)) continue;
    const mark = marks.get(ref.runtimeId) ?? 0;
    for (const hash of hashes) if (known.get(hash) !== mark) news.set(hash, mark);
  }
  return news;
}

/** The marks of wanted elements that say something else than when they were last shown. */
function listOtherwiseCalled(
  store: MapStore,
  marks: ReadonlyMap<string, number>,
  sightings: readonly Sighting[],
  wanted: ReadonlySet<string>,
): number[] {
  const shown = sightings.filter(({ ref }) => wanted.has(ref.runtimeId) && marks.has(ref.runtimeId));
  const names = store.findNames(shown.map(({ ref }) => marks.get(ref.runtimeId) ?? 0));
  return shown.flatMap(({ ref }) => {
    const mark = marks.get(ref.runtimeId) ?? 0;
    return (names.get(mark) ?? ref.name) === ref.name ? [] : [mark];
  });
}

interface Revised {
  readonly mark: number;
  readonly before: StoredRef;
  readonly ref: Ref;
}

/** Those that say something else than when their mark was last shown, or stand among others. */
function listRevised(
  store: MapStore,
  touched: readonly number[],
  marks: ReadonlyMap<string, number>,
  sightings: readonly Sighting[],
): readonly Revised[] {
  const isTouched = new Set(touched);
  const shown = sightings.map(({ ref }) => [marks.get(ref.runtimeId) ?? 0, ref] as const);
  // After a restart every object is new, and hardly a control stands otherwise: those few alone are read whole.
  const otherwise = store.findOtherwise(new Map(shown.filter(([mark]) => isTouched.has(mark))));
  if (otherwise.length === 0) return [];
  const stored = new Map(store.listTargets({ marks: otherwise }).map(({ ref, learned }) => [learned.mark, ref]));
  return sightings.flatMap(({ ref }) => {
    const mark = marks.get(ref.runtimeId) ?? 0;
    const before = stored.get(mark);
    return before === undefined || describeStanding(before) === describeStanding(ref) ? [] : [{ mark, before, ref }];
  });
}

function describeStanding({ name, platformId, index, count, owner, sisters, twins, hasTwin, path }: StoredRef): string {
  return JSON.stringify([name, platformId, index, count, owner, sisters, twins, hasTwin, path]);
}

function matchKnown(known: ReadonlyMap<string, number>, sightings: readonly Sighting[]): ReadonlyMap<string, number> {
  const marks = new Map<string, number>();
  const taken = new Set<number>();
  const tierCount = sightings.reduce((most, { tiers }) => Math.max(most, tiers.length), 0);
  for (let tier = 0; tier < tierCount; tier += 1) {
    for (const { ref, tiers } of sightings) {
      if (marks.has(ref.runtimeId)) continue;
      const mark = tiers[tier]?.map((hash) => known.get(hash)).find((one) => one !== undefined && !taken.has(one));
      if (mark === undefined) continue;
      marks.set(ref.runtimeId, mark);
      taken.add(mark);
    }
  }
  return marks;
}
