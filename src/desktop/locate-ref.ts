import { listShells } from "../find/fold.ts";
import { type Desktop, lookAt, type ReadOptions, recognise, withMap } from "../find/read.ts";
import { describeNotRunning } from "../find/refuse.ts";
import { selectWindows, type WindowQuery } from "../find/select.ts";
import { isBorneOut } from "../map/borne-out.ts";
import { describeCandidate, describePortable } from "../map/portable.ts";
import { describeAll } from "../map/recognise.ts";
import type { Description } from "../map/resolve/description.ts";
import { type Resolution, resolve } from "../map/resolve/resolve.ts";
import type { DemoRef, LocatedRef } from "../model/demo-ref.ts";
import { flatten, type SingleElement } from "../model/element.ts";
import { fail, type Result, succeed } from "../model/failure.ts";
import type { Ref } from "../model/ref.ts";
import type { Snapshot, WindowRead } from "../model/snapshot.ts";
import { isSeenSource, type VisionMode } from "../model/source.ts";
import { applicationKeyOf, type Window } from "../model/window.ts";
import type { WindowList } from "../platform/port.ts";
import { chooseCandidates } from "./describe-element.ts";

export interface RefQuery extends WindowQuery, ReadOptions {
  readonly ref: DemoRef;
}

/** Which element a portable ref means now. Only a match gets a mark: a doubtful one must not be acted on. */
export function locateRef(desktop: Desktop, query: RefQuery): Promise<Result<LocatedRef>> {
  return withMap(async () => {
    const list = await desktop.platform.listWindows();
    if (!list.ok) return list;
    const windows = chooseWindows(list.value, query);
    if (!windows.ok) return windows;
    let last: Weighed | undefined;
    for (const round of planRounds(query)) {
      const snapshot = await lookAt(desktop.platform, windows.value, list.value.windows, { ...query, ...round });
      if (!snapshot.ok) return snapshot;
      const weighed = weigh(snapshot.value, query.ref);
      // A picture that does not show it either tells less than the tree.
      if (last === undefined || round.includeHidden || weighed.resolution.verdict === "match") last = weighed;
      if (isSettled(weighed, query.ref)) break;
    }
    return succeed(last === undefined ? nothing : describeAnswer(desktop, last));
  });
}

const nothing: LocatedRef = { verdict: "not-found", score: 0, margin: 0, evidence: [], nearest: [] };

interface Round {
  readonly includeHidden: boolean;
  readonly vision: VisionMode | undefined;
}

/** What shows, then hidden parts, which take longer to read; then pictures, which take longest. */
function planRounds({ ref, vision = isSeen(ref) ? "on" : undefined }: RefQuery): readonly Round[] {
  const tree = vision === "on" ? "auto" : vision;
  const rounds = [false, true].map((includeHidden) => ({ includeHidden, vision: tree }));
  return vision === "on" ? [...rounds, { includeHidden: false, vision }] : rounds;
}

function isSeen({ source }: DemoRef): boolean {
  return source !== undefined && isSeenSource(source);
}

/** The windows of the ref's application; which of them, its ref itself tells best. */
function chooseWindows(list: WindowList, { ref, ...query }: RefQuery): Result<readonly Window[]> {
  const selected = selectWindows(list, query);
  if (!selected.ok || ref.app === undefined) return selected;
  const sought = ref.app.toLowerCase();
  const isOwn = (window: Window): boolean =>
    [applicationKeyOf(window), window.app, ...window.aliases].some((name) => name.toLowerCase() === sought);
  const own = selected.value.filter(isOwn);
  if (own.length > 0) return succeed(own);
  // If it must not be read, the refusal says so.
  const refused = selectWindows({ windows: [], withheld: list.withheld ?? [] }, { app: ref.app });
  if (!refused.ok && refused.failure.code === "REFUSED") return refused;
  return fail(describeNotRunning(ref.app, list.windows));
}

interface Weighed {
  readonly snapshot: Snapshot;
  readonly candidates: readonly Ref[];
  readonly described: readonly Description[];
  readonly resolution: Resolution;
}

function weigh(snapshot: Snapshot, ref: DemoRef): Weighed {
  const titles = new Map<string, string>();
  for (const { root, window } of snapshot.windows) {
    for (const { handle } of root === undefined ? [] : flatten([root])) titles.set(handle, window.title);
  }
  const shells = new Set(snapshot.windows.flatMap(({ root }) => [...listShells(root)]));
  const candidates = chooseCandidates(
    ref,
    describeAll(snapshot).filter(({ handle }) => !shells.has(handle)),
  );
  const described = candidates.map((one) => describeCandidate(one, titles.get(one.handle) ?? ""));
  const sought = describePortable(ref);
  const resolution = resolve(sought, described);
  const found = resolution.best === undefined ? undefined : described[resolution.best];
  const isDoubtful = resolution.verdict === "match" && found !== undefined && !isBorneOut(sought, found, described);
  const verdict = isDoubtful ? "ambiguous" : resolution.verdict;
  return { snapshot, candidates, described, resolution: { ...resolution, verdict } };
}

/** One with another name may be the right one, unless the named one is out of view. */
function isSettled({ snapshot, described, resolution: { verdict, best } }: Weighed, ref: DemoRef): boolean {
  const found = verdict === "match" && best !== undefined ? described[best] : undefined;
  if (found === undefined) return false;
  return snapshot.includeHidden || (found.role === ref.role && found.name === (ref.name ?? ""));
}

function describeAnswer({ marks }: Desktop, { snapshot, candidates, resolution }: Weighed): LocatedRef {
  const { verdict, best, score, margin, evidence, ranking, standings } = resolution;
  const notes = snapshot.windows.flatMap((read) => read.notes);
  const found = verdict === "match" && best !== undefined ? candidates[best] : undefined;
  const holder = found && findHolder(snapshot, found.handle);
  return {
    verdict,
    ...(found === undefined || holder === undefined
      ? {}
      : {
          id: recognise(marks, snapshot, new Set([found.handle]), true).get(found.handle),
          role: holder.element.role,
          name: holder.element.name,
          app: found.app,
          window: holder.read.window.title,
          source: holder.element.source,
        }),
    score,
    margin,
    evidence,
    nearest: ranking.flatMap((place, at) => {
      const [one, standing = { score: 0, lacks: [] }] = [candidates[place], standings[at]];
      if (one === undefined) return [];
      const window = findHolder(snapshot, one.handle)?.read.window.title ?? "";
      return [{ role: one.role, name: one.name, window, ...standing }];
    }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

interface Holder {
  readonly read: WindowRead;
  readonly element: SingleElement;
}

function findHolder({ windows }: Snapshot, handle: string): Holder | undefined {
  for (const read of windows) {
    const element = read.root && flatten([read.root]).find((one) => one.handle === handle);
    if (element !== undefined) return { read, element };
  }
  return undefined;
}
