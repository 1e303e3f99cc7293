import type { SingleElement } from "../model/element.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { quoteText } from "../model/plain-text.ts";
import type { WindowRead } from "../model/snapshot.ts";
import { isPixelSource, isSeenSource, type Source } from "../model/source.ts";
import { describeFailure, fillFromPictures } from "./fill.ts";
import { graftPages } from "./graft.ts";
import type { AddedSource, ElementActor, ElementSource, ReadRequest, Sign, Watch } from "./port.ts";
import { redactSource } from "./redact.ts";
import type { VisionProvider } from "./vision/port.ts";
import { type Pictures, VisionSource } from "./vision/source.ts";

// Only this file knows several sources. A question about an element goes to the element's own source.

type Owned = Pick<SingleElement, "source">;

/** The platform's tree, with the added sources' content grafted into it. Unredacted: for the guard and the redacted view. */
export function composeTrees(tree: ElementSource, added: readonly AddedSource[]): ElementSource {
  if (added.length === 0) return tree;
  const others = added.map(({ elements }) => elements);
  const sourceOf = ({ source }: Owned): ElementSource => findAdded(added, source)?.elements ?? tree;
  return {
    async covers(windows) {
      const [own, ...rest] = await Promise.all([tree.covers(windows), ...others.map((one) => one.covers(windows))]);
      const ids = [own, ...rest].flatMap((one) => (one.ok ? [...one.value] : []));
      return own.ok || ids.length > 0 ? succeed(new Set(ids)) : own;
    },
    async readWindows(request) {
      const [reads, ...pages] = await Promise.all([
        tree.readWindows(request),
        ...others.map((one) => readCovered(one, request)),
      ]);
      const found = pages.flat();
      if (!reads.ok && found.length === 0) return reads;
      return succeed(graftPages(request.windows, reads, found));
    },
    readText: (request) => sourceOf(request.element).readText(request),
    glimpse: (element, timeoutMs) => sourceOf(element).glimpse(element, timeoutMs),
    askWhatIsAt: (element, point, timeoutMs) => sourceOf(element).askWhatIsAt(element, point, timeoutMs),
    watch: (windows, timeoutMs) => watchAll(tree, others, windows, timeoutMs),
  };
}

/**
 * A redacted view that also reads pictures: they fill windows that its trees do not cover, and confirm and add to the
 * others where that is asked for.
 */
export function composePictures<View extends ElementSource & Pictures>(
  view: View,
  openVision: () => Promise<Result<VisionProvider | undefined>>,
): View {
  // Pictures come without secrets already; what is read in them is checked like anything else.
  const vision = redactSource(new VisionSource(view, openVision), () => false);
  const sourceOf = ({ source }: Owned): ElementSource => (isSeenSource(source) ? vision : view);
  const own: Pick<ElementSource, "readWindows" | "readText" | "glimpse" | "askWhatIsAt"> = {
    readWindows: (request) => fillFromPictures(view, vision, request),
    readText: (request) => sourceOf(request.element).readText(request),
    glimpse: (element, timeoutMs) => sourceOf(element).glimpse(element, timeoutMs),
    askWhatIsAt: (element, point, timeoutMs) => sourceOf(element).askWhatIsAt(element, point, timeoutMs),
  };
  return Object.setPrototypeOf({ ...view, ...own }, null);
}

/** For the guard, which sees trees as they are: what only a picture shows is looked at through the redacted view. */
export function lookThrough(trees: ElementSource, view: ElementSource): ElementSource {
  return {
    covers: (windows) => trees.covers(windows),
    readWindows: (request) => trees.readWindows(request),
    readText: (request) => trees.readText(request),
    glimpse: (element, timeoutMs) => (isPixelSource(element.source) ? view : trees).glimpse(element, timeoutMs),
    askWhatIsAt: (...given) => trees.askWhatIsAt(...given),
    watch: (...given) => trees.watch(...given),
  };
}

const actors = new WeakMap<AddedSource, ElementActor>();

/** Nobody gets the actor back but the guard, through `composeActors`. */
export function addSource(source: AddedSource, actor: ElementActor): AddedSource {
  actors.set(source, actor);
  return source;
}

export function composeActors(own: ElementActor, added: readonly AddedSource[]): ElementActor {
  return {
    async doToElement(command) {
      const { element } = command;
      if (isPixelSource(element.source)) return fail(describeNoActor(element));
      const source = findAdded(added, element.source);
      const actor = source === undefined ? own : actors.get(source);
      return actor === undefined ? fail(describeNoActor(element)) : actor.doToElement(command);
    },
  };
}

function findAdded(added: readonly AddedSource[], source: Source): AddedSource | undefined {
  return added.find(({ name }) => name === source);
}

/** A source that fails says so in a note: the tree is still worth reading. */
async function readCovered(source: ElementSource, request: ReadRequest): Promise<readonly WindowRead[]> {
  const covered = await source.covers(request.windows);
  const windows = request.windows.filter(({ id }) => covered.ok && covered.value.has(id));
  if (windows.length === 0) return [];
  const reads = await source.readWindows({ ...request, windows });
  if (reads.ok) return reads.value;
  return windows.map((window) => ({ window, appKey: "", root: undefined, notes: [describeFailure(reads.failure)] }));
}

/** Only the platform's own watch sees windows and menus; a source that cannot watch is left out. */
async function watchAll(
  tree: ElementSource,
  others: readonly ElementSource[],
  ...given: Parameters<ElementSource["watch"]>
): Promise<Result<Watch>> {
  const [own, ...rest] = await Promise.all([tree.watch(...given), ...others.map((one) => one.watch(...given))]);
  const added = rest.flatMap((one) => (one.ok ? [one.value] : []));
  if (own.ok) return succeed(joinWatches([own.value, ...added]));
  for (const watch of added) watch.close();
  return own;
}

function joinWatches(watches: readonly Watch[]): Watch {
  return {
    take: () => watches.flatMap((one) => one.take()),
    waitForSign(timeoutMs) {
      const first = Promise.withResolvers<Sign | undefined>();
      const waits = watches.map(async (one) => {
        const sign = await one.waitForSign(timeoutMs);
        if (sign !== undefined) first.resolve(sign);
      });
      Promise.all(waits).then(() => first.resolve(undefined), first.reject);
      return first.promise;
    },
    async waitForStillness(quietMs, timeoutMs, counted) {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const startedAtMs = performance.now();
        const leftMs = Math.max(0, deadline - startedAtMs);
        const still = await Promise.all(watches.map((one) => one.waitForStillness(quietMs, leftMs, counted)));
        if (still.includes(false)) return false;
        // If one took longer than the others, they may have changed meanwhile.
        const tookMs = performance.now() - startedAtMs;
        if (tookMs < 2 * quietMs || performance.now() >= deadline) return true;
      }
    },
    findTemper: (id) => watches.map((one) => one.findTemper(id)).find((temper) => temper !== undefined),
    findCrossing(by) {
      const crossings = watches.flatMap((one) => one.findCrossing(by) ?? []);
      if (crossings.length === 0) return undefined;
      return {
        reactionMs: Math.max(...crossings.map(({ reactionMs }) => reactionMs)),
        hasLateTitles: crossings.some((one) => one.hasLateTitles),
        wasBefore: (id) => crossings.some((one) => one.wasBefore(id)),
      };
    },
    close() {
      for (const watch of watches) watch.close();
    },
  };
}

function describeNoActor({ name, source }: Pick<SingleElement, "name" | "source">): Failure {
  return makeFailure(
    "PATTERN_UNSUPPORTED",
    `${quoteText(name)} is known by its pixels alone (${source}): it offers no actions`,
    "the pointer reaches it: deskmap click.",
  );
}
