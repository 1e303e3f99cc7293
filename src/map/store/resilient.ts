import { existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { fail, type Result, succeed } from "../../model/failure.ts";
import { pickPassingBlock } from "../../model/passing-mark.ts";
import { describeFailure, isUnwritable, MapFile } from "./database.ts";
import { raiseCounter } from "./exchange.ts";
import { LayeredStore } from "./layered.ts";
import { type MapStore, MapUnavailable } from "./port.ts";
import { SqliteStore } from "./sqlite.ts";

/** Opens the map; one that cannot be written is noted over, and `onTrouble` is told why. A damaged one is refused. */
export function openResilient(path: string, onTrouble: (why: string) => void): Result<MapStore> {
  try {
    return succeed(makeResilient(SqliteStore.over(MapFile.open(path)), onTrouble));
  } catch (error) {
    const failure = describeFailure(path, error);
    if (!isUnwritable(error)) return fail(failure);
    return succeed(noteOver(path, new MapUnavailable(failure, true), onTrouble));
  }
}

/** What can be read of a map that cannot be written, with notes over it. */
export function noteOver(path: string, why: MapUnavailable, onTrouble: (why: string) => void): MapStore {
  onTrouble(describeTrouble(why.failure.message));
  return layOver(openReadable(path), why);
}

/** What is written fails only once: from then on it is noted, and the work that failed is done again. */
export function makeResilient(store: MapStore, onTrouble: (why: string) => void): MapStore {
  let current = store;
  let isInside = false;
  const attempt = <T>(work: () => T): T => {
    // The work of a transaction fails as a whole, and is done again as a whole.
    if (isInside) return work();
    try {
      return work();
    } catch (error) {
      if (!(error instanceof MapUnavailable && error.isUnwritable) || current !== store) throw error;
      onTrouble(describeTrouble(error.failure.message));
      current = layOver(store, error);
      return work();
    }
  };
  const resilient: MapStore = {
    findMarks: (hashes) => current.findMarks(hashes),
    findObjects: (hashes) => current.findObjects(hashes),
    followAlias: (mark) => current.followAlias(mark),
    findRef: (mark) => current.findRef(mark),
    findNames: (marks) => current.findNames(marks),
    findOtherwise: (refs) => current.findOtherwise(refs),
    findMembers: (places) => current.findMembers(places),
    findLiving: (life, marks) => current.findLiving(life, marks),
    listNames: () => current.listNames(),
    findTempers: (marks) => current.findTempers(marks),
    findPlaces: (keys) => current.findPlaces(keys),
    findLayout: (window) => current.findLayout(window),
    findLearned: (marks) => current.findLearned(marks),
    findMoments: (mark) => current.findMoments(mark),
    findTaught: (apps) => current.findTaught(apps),
    listTargets: (wish) => current.listTargets(wish),
    countMarks: () => current.countMarks(),
    readVersion: () => current.readVersion(),
    countOwnChanges: () => current.countOwnChanges(),
    allotMarks: (refs) => attempt(() => current.allotMarks(refs)),
    setEvidence: (evidence) => attempt(() => current.setEvidence(evidence)),
    setObjects: (evidence) => attempt(() => current.setObjects(evidence)),
    dropEvidence: (hashes) => attempt(() => current.dropEvidence(hashes)),
    updateRefs: (refs) => attempt(() => current.updateRefs(refs)),
    nameApplications: (names) => attempt(() => current.nameApplications(names)),
    setTempers: (tempers) => attempt(() => current.setTempers(tempers)),
    touchPlaces: (keys, lives) => attempt(() => current.touchPlaces(keys, lives)),
    noteLook: (look) => attempt(() => current.noteLook(look)),
    countAct: (mark, isHit) => attempt(() => current.countAct(mark, isHit)),
    setFeedback: (mark, text) => attempt(() => current.setFeedback(mark, text)),
    teach: (mark, name) => attempt(() => current.teach(mark, name)),
    dropUnusedPlaces: (app, keep) => attempt(() => current.dropUnusedPlaces(app, keep)),
    setPlace: (mark, place) => attempt(() => current.setPlace(mark, place)),
    inTransaction: (work) =>
      attempt(() => {
        isInside = true;
        try {
          return current.inTransaction(work);
        } finally {
          isInside = false;
        }
      }),
    settle: () => current.settle(),
    ...(store.findMend === undefined ? {} : { findMend: () => store.findMend?.() ?? { words: "", isNote: false } }),
    close: () => current.close(),
  };
  return resilient;
}

function layOver(map: MapStore | undefined, why: MapUnavailable): MapStore {
  const notes = MapFile.openInMemory();
  raiseCounter(notes, pickPassingBlock());
  return new LayeredStore(map, SqliteStore.over(notes), why);
}

/** What can be read of a map that cannot be written: as it is, or as it was when it was last closed. */
function openReadable(path: string): MapStore | undefined {
  if (!existsSync(path)) return undefined;
  const journal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  // Without its journal a map may be torn, unless the journal is empty: only then it may be read alone.
  const alone = (journal?.size ?? 0) === 0 ? [`${pathToFileURL(path).href}?immutable=1`] : [];
  for (const address of [path, ...alone]) {
    try {
      return SqliteStore.over(MapFile.openReadOnly(address));
    } catch {
      // The next way may do.
    }
  }
  return undefined;
}

function describeTrouble(reason: string): string {
  return `${reason}: new marks, from 1000000000000 on, hold for this process only`;
}
