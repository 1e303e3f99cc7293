import type { Bounds } from "../model/bounds.ts";
import { visionScale } from "../model/detection.ts";
import { type Failure, type Result, succeed } from "../model/failure.ts";
import type { Note, WindowRead } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";
import { mergePicture } from "./merge.ts";
import type { ElementSource, ReadRequest } from "./port.ts";
import { describeUntold } from "./untold.ts";

/** Reads trees, then the pictures of windows that have none; with `vision: "on"`, of all. */
export async function fillFromPictures(
  trees: ElementSource,
  vision: ElementSource,
  request: ReadRequest,
): Promise<Result<readonly WindowRead[]>> {
  const { vision: mode = "auto", isForPicture, withUntold } = request;
  const reads = await trees.readWindows({ ...request, withUntold: withUntold === true || mode === "on" });
  if (!reads.ok || mode === "off" || isForPicture === true) return reads;
  const wanted = mode === "on" ? request.windows : await findUncovered(trees, reads.value);
  if (wanted.length === 0) return reads;
  const seen = new Map<number, WindowRead>();
  const failures = new Map<number, Failure>();
  for (const window of wanted) {
    const read = await vision.readWindows({ ...request, windows: [window] });
    if (!read.ok) failures.set(window.id, read.failure);
    for (const one of read.ok ? read.value : []) seen.set(window.id, one);
  }
  return succeed(
    reads.value.map((read) => fill(read, seen.get(read.window.id), mode === "on" && failures.get(read.window.id))),
  );
}

/** Windows of applications without a tree. One that is only late with a new window has one. */
async function findUncovered(trees: ElementSource, reads: readonly WindowRead[]): Promise<readonly Window[]> {
  const isTreeless = ({ root, notes }: WindowRead): boolean =>
    root === undefined && notes.some(({ code }) => code === "NO_TREE");
  const treeless = reads.filter(isTreeless).map(({ window }) => window);
  const shown = treeless.filter(({ state }) => !state.includes("minimised"));
  if (shown.length === 0) return [];
  const covered = await trees.covers(shown);
  return covered.ok ? shown.filter(({ id }) => !covered.value.has(id)) : [];
}

function fill(read: WindowRead, seen: WindowRead | undefined, failure: Failure | false | undefined): WindowRead {
  const notes = failure ? [...read.notes, describeFailure(failure)] : read.notes;
  const root = seen?.root;
  if (root === undefined || (root.children.length === 0 && read.root === undefined)) return { ...read, notes };
  const filled = notes.map(describeFilled);
  if (read.root === undefined) return { ...read, notes: filled, root };
  return { ...read, notes: filled, root: mergePicture(read.root, root.children, visionScale, findGaps(read)) };
}

/** Where the tree has nothing; not known of one that was not read completely. */
function findGaps({ notes }: WindowRead): readonly Bounds[] | undefined {
  const isComplete = notes.every(({ areas }) => areas !== undefined);
  return isComplete ? notes.flatMap(({ areas = [] }) => areas) : undefined;
}

function describeFilled(note: Note): Note {
  if (note.code === "NO_TREE") {
    return { ...note, text: "this application offers no accessibility tree; its picture was read" };
  }
  return note.areas === undefined
    ? note
    : describeUntold(note.areas, "the words in its picture were read, a screenshot shows the rest");
}

export function describeFailure({ message, suggestion }: Failure): Note {
  return { code: "FAILED", text: suggestion === undefined ? message : `${message}: ${suggestion}` };
}
