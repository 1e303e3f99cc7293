import { type Bounds, intersect } from "../model/bounds.ts";
import type { Element } from "../model/element.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { Picture } from "../model/frame.ts";
import { subtract, unite } from "../model/region.ts";
import type { Note, WindowRead } from "../model/snapshot.ts";
import { traced } from "../model/trace.ts";
import type { ElementSource } from "./port.ts";
import { findUntoldAreas } from "./untold-areas.ts";

interface Surface {
  readonly windowId: number | undefined;
  readonly pid: number;
  readonly bounds: Bounds;
  readonly drawn: Bounds;
  readonly opaque: readonly Bounds[];
}

/** The bare screen: where each window can be seen, and the pixels there. */
interface VisibleScreen {
  listWindows(): Promise<Result<{ readonly screen: Bounds }>>;
  /** Front to back. */
  listSurfaces(): Promise<Result<readonly Surface[]>>;
  captureScreen(part: Bounds): Promise<Result<Picture>>;
}

/**
 * Adds a note where a window draws something and its tree has nothing there. It compares with the bare pixels of the
 * screen, of which only places are told.
 */
export function noteUntold(
  trees: ElementSource,
  screen: VisibleScreen,
  now: () => number = () => performance.now(),
): ElementSource {
  return {
    covers: (windows) => trees.covers(windows),
    async readWindows(request) {
      const reads = await trees.readWindows(request);
      if (!reads.ok || request.withUntold !== true) return reads;
      return succeed(
        await traced(
          "read",
          () => ["compare with the screen", `${reads.value.length} windows`],
          () => addNotes(reads.value, screen, now()),
        ),
      );
    },
    readText: (request) => trees.readText(request),
    glimpse: (...given) => trees.glimpse(...given),
    askWhatIsAt: (...given) => trees.askWhatIsAt(...given),
    watch: (...given) => trees.watch(...given),
  };
}

/** What was found for a tree, which a mirror gives again as the same object while nothing in it changes. */
const found = new WeakMap<Element, { readonly atMs: number; readonly areas: readonly Bounds[] }>();
/** What is drawn may change without the tree. */
const validMs = 2000;

function recall({ root }: WindowRead, nowMs: number): readonly Bounds[] | undefined {
  const known = root && found.get(root);
  return known !== undefined && nowMs - known.atMs < validMs ? known.areas : undefined;
}

async function addNotes(
  reads: readonly WindowRead[],
  screen: VisibleScreen,
  nowMs: number,
): Promise<readonly WindowRead[]> {
  const known = reads.map((read) => recall(read, nowMs));
  if (known.every((areas) => areas !== undefined)) return reads.map((read, index) => note(read, known[index] ?? []));
  const [list, surfaces] = await Promise.all([screen.listWindows(), screen.listSurfaces()]);
  if (!list.ok || !surfaces.ok) return reads;
  const noted: WindowRead[] = [];
  for (const read of reads) {
    const visible = findVisible(read, surfaces.value, list.value.screen);
    const picture = visible.length === 0 ? undefined : await screen.captureScreen(visible.reduce(unite));
    const areas =
      picture?.ok === true && read.root !== undefined ? findUntoldAreas(read.root, visible, picture.value) : [];
    if (read.root !== undefined) found.set(read.root, { atMs: nowMs, areas });
    noted.push(note(read, areas));
  }
  return noted;
}

function note(read: WindowRead, areas: readonly Bounds[]): WindowRead {
  return areas.length === 0
    ? read
    : { ...read, notes: [describeUntold(areas, "--vision on reads its words there, a screenshot shows it")] };
}

/** The parts of a window that can be seen; none if its tree is incomplete anyway, and says so. */
function findVisible(
  { window, root, notes }: WindowRead,
  surfaces: readonly Surface[],
  screen: Bounds,
): readonly Bounds[] {
  const at = surfaces.findIndex(({ windowId }) => windowId === window.id);
  const own = surfaces[at];
  if (own === undefined || root === undefined || notes.length > 0) return [];
  const inFront = surfaces.slice(0, at).flatMap(listHidden);
  const parts = own.opaque.length > 0 ? own.opaque : [own.drawn];
  return parts
    .flatMap((part) => intersect(part, own.drawn) ?? [])
    .flatMap((part) => intersect(part, screen) ?? [])
    .flatMap((part) => subtract(part, inFront));
}

/** A menu with shadows is not opaque, but in front; a compositor's canvas belongs to nobody and hides nothing. */
function listHidden({ opaque, bounds, pid }: Surface): readonly Bounds[] {
  return opaque.length > 0 || pid === 0 ? opaque : [bounds];
}

const maxAreas = 5;

export function describeUntold(areas: readonly Bounds[], advice: string): Note {
  const shown = areas.slice(0, maxAreas).map(({ x, y, width, height }) => `${width}x${height} at ${x},${y}`);
  const more = areas.length > maxAreas ? ` and ${areas.length - maxAreas} more` : "";
  const text = `the application does not tell what it shows in ${shown.join(", ")}${more}; ${advice}`;
  return { code: "UNTOLD", text, areas };
}
