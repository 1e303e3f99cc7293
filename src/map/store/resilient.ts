import { existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { fail, type Result, succeed } from "../../model/failure.ts";
import { pickPassingBlock } from "../../model/passing-mark.ts";
import { describeFailure, isUnwritable, MapFile } from "./database.ts";
import { raiseCounter } from "./exchange.ts";
import { LayeredStore } from "./layered.ts";
import { type MapStore, MapUnavailable } from "./port.ts";
import { SqliteStore } from "./sqlite.ts";

/** Opens the map, or continues in memory and tells `onTrouble` why. A damaged map is refused. */
export function openResilient(path: string, onTrouble: (why: string) => void): Result<MapStore> {
  try {
    return succeed(makeResilient(SqliteStore.over(MapFile.open(path)), onTrouble));
  } catch (error) {
    const failure = describeFailure(path, error);
    if (!isUnwritable(error)) return fail(failure);
    return succeed(fallBackToMemory(path, new MapUnavailable(failure, true), onTrouble));
  }
}

/** Opens an unwritable map read-only, with an in-memory map on top. */
export function fallBackToMemory(path: string, why: MapUnavailable, onTrouble: (why: string) => void): MapStore {
  onTrouble(describeTrouble(why.failure.message));
  return layInMemory(openReadable(path), why);
}

/** After the first failed write everything goes to memory; the failed work is repeated. */
export function makeResilient(store: MapStore, onTrouble: (why: string) => void): MapStore {
  let current = store;
  let isInside = false;
  const attempt = <T>(work: () => T): T => {
    // A transaction fails and is repeated as a whole.
    if (isInside) return work();
    try {
      return work();
    } catch (error) {
      if (!(error instanceof MapUnavailable && error.isUnwritable) || current !== store) throw error;
      onTrouble(describeTrouble(error.failure.message));
      current = layInMemory(store, error);
      return work();
    }
  };
  const resilient: MapStore = {
    findMarks: (hashes) => current.findMarks(hashes),
    findObjects: (hashes) => current.findObjects(hashes),
    followAlias: (mark) => current.followAlias(mark),
    findRef: (mark) => current.findRef(mark),
    findNames: (marks) => current.findNames(marks),
    findChangedRefs: (refs) => current.findChangedRefs(refs),
    findMembers: (places) => current.findMembers(places),
    findLiving: (life, marks) => current.findLiving(life, marks),
    listNames: () => current.listNames(),
    findTempers: (marks) => current.findTempers(marks),
    findContainers: (keys) => current.findContainers(keys),
    findLayout: (window) => current.findLayout(window),
    findLearned: (marks) => current.findLearned(marks),
    findMoments: (mark) => current.findMoments(mark),
    findTaught: (apps) => current.findTaught(apps),
    listTargets: (query) => current.listTargets(query),
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
    touchContainers: (keys, lives) => attempt(() => current.touchContainers(keys, lives)),
    recordSeen: (window) => attempt(() => current.recordSeen(window)),
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

function layInMemory(map: MapStore | undefined, why: MapUnavailable): MapStore {
  const notes = MapFile.openInMemory();
  raiseCounter(notes, pickPassingBlock());
  return new LayeredStore(map, SqliteStore.over(notes), why);
}

/** Opens an unwritable map for reading: in its present state, or as it was when last closed. */
function openReadable(path: string): MapStore | undefined {
  if (!existsSync(path)) return undefined;
  const journal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  // Without its journal a map may be inconsistent, unless the journal is empty.
  const alone = (journal?.size ?? 0) === 0 ? [`${pathToFileURL(path).href}?immutable=1`] : [];
  for (const address of [path, ...alone]) {
    try {
      return SqliteStore.over(MapFile.openReadOnly(address));
    } catch {
      // Try the next address.
    }
  }
  return undefined;
}

function describeTrouble(reason: string): string {
  return `${reason}: new marks, numbered from 1000000000000, are valid only in this process`;
}
