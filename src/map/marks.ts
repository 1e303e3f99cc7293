import { hashText } from "../model/hash.ts";
import type { Ref } from "../model/ref.ts";
import { gatherEvidence, lifeOf, mayRename, objectOf } from "./evidence.ts";
import type { MapStore, StoredRef } from "./store/port.ts";

interface Sighting {
  readonly ref: Ref;
  /** Tier by tier, strongest first. */
  readonly tiers: readonly (readonly string[])[];
  readonly object: string;
  readonly life: string;
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
): ReadonlyMap<string, number> {
  const sightings = all.map(makeSighting);
  const version = store.readVersion();
  const known = findKnown(store, sightings);
  const marks = matchKnown(known, sightings);
  if (findNews(known, marks, sightings, wanted).size === 0) return marks;
  return store.inTransaction(() => {
    // Another process may have met the same controls since: then look again, now that nobody else can write.
    const isSame = store.readVersion() === version;
    const latest = isSame ? known : findKnown(store, sightings);
    const settled = isSame ? new Map(marks) : new Map(matchKnown(latest, sightings));
    const unknown = sightings
      .map(({ ref }) => ref)
      .filter((ref) => wanted.has(ref.runtimeId) && !settled.has(ref.runtimeId));
    store.allotMarks(unknown).forEach((mark, index) => {
      const ref = unknown[index];
      if (ref !== undefined) settled.set(ref.runtimeId, mark);
    });
    const news = findNews(latest, settled, sightings, wanted);
    const renamed = findRenamed(store, new Set(news.values()), settled, sightings);
    // What it said before leads to it no more: another one may say so next, or itself again, which then is news.
    store.dropEvidence([...renamed.keys()].flatMap((mark) => listLooks(store.findRef(mark))));
    remember(store, news, sightings);
    store.updateRefs(renamed);
    return settled;
  });
}

/** What holds while an application lives: its very object, by either of its names. */
function listLiving({ tiers, object }: Sighting): readonly string[] {
  return [...(tiers[0] ?? []), object];
}

function findKnown(store: MapStore, sightings: readonly Sighting[]): ReadonlyMap<string, number> {
  const lives = Map.groupBy(sightings, ({ life }) => life);
  const objects = store.findObjects(new Map([...lives].map(([life, own]) => [life, own.flatMap(listLiving)])));
  return new Map([...objects, ...store.findMarks(sightings.flatMap(({ tiers }) => tiers.slice(1).flat()))]);
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

/** A ref never changes; an action matches the same ones several times. */
const sighted = new WeakMap<Ref, Sighting>();

function makeSighting(ref: Ref): Sighting {
  const known = sighted.get(ref);
  if (known !== undefined) return known;
  const tiers = gatherEvidence(ref).map((tier) => tier.map(hashText));
  const sighting = { ref, tiers, object: hashText(objectOf(ref)), life: hashText(lifeOf(ref)) };
  sighted.set(ref, sighting);
  return sighting;
}

/** The evidence of wanted elements that does not lead to their mark yet; an element without a mark has none to lead to. */
function findNews(
  known: ReadonlyMap<string, number>,
  marks: ReadonlyMap<string, number>,
  sightings: readonly Sighting[],
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const news = new Map<string, number>();
  for (const { ref, tiers, object } of sightings) {
    if (!wanted.has(ref.runtimeId)) continue;
    const mark = marks.get(ref.runtimeId) ?? 0;
    for (const hash of [...tiers.flat(), object]) if (known.get(hash) !== mark) news.set(hash, mark);
  }
  return news;
}

/** Texts that say something else than when their mark was last shown: only a text may change its words and keep it. */
function findRenamed(
  store: MapStore,
  touched: ReadonlySet<number>,
  marks: ReadonlyMap<string, number>,
  sightings: readonly Sighting[],
): ReadonlyMap<number, Ref> {
  const renamed = new Map<number, Ref>();
  for (const { ref } of sightings) {
    const mark = marks.get(ref.runtimeId);
    if (mark === undefined || !touched.has(mark) || !mayRename(ref)) continue;
    if (store.findRef(mark)?.name !== ref.name) renamed.set(mark, ref);
  }
  return renamed;
}

/** The evidence of how a control looked when it was last shown, without that of its object. */
function listLooks(ref: StoredRef | undefined): string[] {
  return ref === undefined
    ? []
    : gatherEvidence({ ...ref, runtimeId: "" })
        .slice(1)
        .flat()
        .map(hashText);
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
