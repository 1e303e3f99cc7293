import { makeDemoTarget } from "../find/demo-target.ts";
import { locateOne, type Sighting } from "../find/locate.ts";
import { type Desktop, lookWhere, type ReadOptions, recognise, withMap } from "../find/read.ts";
import { describeUnknownMark } from "../find/refuse.ts";
import type { WindowQuery } from "../find/select.ts";
import { certify } from "../map/certify.ts";
import { describeAll } from "../map/recognise.ts";
import { describeRef } from "../map/resolve/description.ts";
import { resolve } from "../map/resolve/resolve.ts";
import type { StoredTarget } from "../map/store/port.ts";
import type { DemoRef, DemoTarget } from "../model/demo-ref.ts";
import type { Again, ElementDescription } from "../model/element-description.ts";
import { fail, type Result, succeed } from "../model/failure.ts";
import type { Aim } from "../model/order.ts";
import type { Ref } from "../model/ref.ts";
import { applicationKeyOf, type Window } from "../model/window.ts";
import { markSighted } from "./index.ts";

export interface DescriptionQuery extends WindowQuery, ReadOptions {
  readonly aim: Aim;
  /** Whether to resolve it among all other elements. */
  readonly withEvidence: boolean;
}

/** Everything about one control; that of a mark even if it is absent now. */
export function describeElement(desktop: Desktop, query: DescriptionQuery): Promise<Result<ElementDescription>> {
  return withMap(async () => {
    const { aim } = query;
    const given = aim.by === "mark" ? aim.mark : undefined;
    const known = given === undefined ? undefined : findTarget(desktop, given);
    if (given !== undefined && known === undefined) return fail(describeUnknownMark(given));
    const sighting = await locateOne(desktop, aim, query);
    if (!sighting.ok && known === undefined) return sighting;
    const now = markSighted(desktop, sighting);
    // Locating it may have updated what was learned.
    const remembered = findTarget(desktop, now.ok ? now.value.element.mark : (given ?? 0)) ?? known;
    if (remembered === undefined) return fail(describeUnknownMark(given ?? 0));
    const { mark } = remembered.learned;
    const moments = desktop.marks.findMoments(mark);
    const again = query.withEvidence ? await weigh(desktop, remembered, sighting, query) : succeed(undefined);
    const portable = query.withEvidence && sighting.ok ? describePortable(sighting.value) : undefined;
    return again.ok ? succeed({ mark, now, remembered, moments, again: again.value, portable }) : again;
  });
}

function describePortable({ snapshot, placed, read }: Sighting): DemoTarget {
  return makeDemoTarget(snapshot, placed.element, read.window);
}

function findTarget({ marks }: Desktop, mark: number): StoredTarget | undefined {
  return marks.listTargets({ marks: [marks.followAlias(mark)] })[0];
}

/** In a very long page only the likeliest candidates are compared: those of the same role first. */
const maxWeighed = 2000;

async function weigh(
  desktop: Desktop,
  { ref, learned: { mark } }: StoredTarget,
  found: Result<Sighting>,
  query: ReadOptions,
): Promise<Result<Again>> {
  const isOwn = (window: Window): boolean => applicationKeyOf(window) === ref.app;
  const snapshot = found.ok
    ? succeed(found.value.snapshot)
    : await lookWhere(desktop.platform, isOwn, { includeHidden: true, timeoutMs: query.timeoutMs });
  if (!snapshot.ok) return snapshot;
  const numbers = found.ok ? found.value.numbers : recognise(desktop.marks, snapshot.value, new Set());
  const refs = describeAll(snapshot.value);
  const candidates = chooseCandidates(ref, refs);
  const resolution = resolve(
    describeRef(ref),
    candidates.map((one) => describeRef(one)),
  );
  const { verdict, best, score, margin, evidence, ranking, standings } = resolution;
  const likeliest = best === undefined ? undefined : candidates[best];
  const doubt = !found.ok && found.failure.code === "AMBIGUOUS" ? "twins" : "missing";
  const certainty = found.ok
    ? certify(desktop.marks, snapshot.value, found.value.placed.element.handle, mark).kind
    : doubt;
  return succeed({
    certainty,
    verdict,
    isItself: likeliest !== undefined && numbers.get(likeliest.handle) === mark,
    score,
    margin,
    evidence,
    nearest: ranking.flatMap((place, at) => {
      const [one, standing = { score: 0, lacks: [] }] = [candidates[place], standings[at]];
      if (one === undefined) return [];
      return [{ mark: numbers.get(one.handle), role: one.role, name: one.name, ...standing }];
    }),
    weighed: candidates.length,
    present: refs.length,
  });
}

export function chooseCandidates(sought: Pick<DemoRef, "role" | "name">, refs: readonly Ref[]): readonly Ref[] {
  if (refs.length <= maxWeighed) return refs;
  const isAkin = (one: Ref): boolean => one.role === sought.role && one.name === sought.name;
  const isKind = (one: Ref): boolean => one.role === sought.role && one.name !== sought.name;
  const [akin, kind] = [refs.filter(isAkin), refs.filter(isKind)];
  return [...akin, ...kind, ...refs.filter(({ role }) => role !== sought.role)].slice(0, maxWeighed);
}
