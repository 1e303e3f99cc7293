import { visionScale } from "../model/detection.ts";
import type { Element } from "../model/element.ts";
import { type Failure, type Result, succeed } from "../model/failure.ts";
import type { Note, WindowRead } from "../model/snapshot.ts";
import { isSeenSource } from "../model/source.ts";
import type { Window } from "../model/window.ts";
import { mergePicture } from "./merge.ts";
import type { ElementSource, ReadRequest } from "./port.ts";
import { redactSource } from "./redact.ts";
import type { VisionProvider } from "./vision/port.ts";
import { type Pictures, VisionSource } from "./vision/source.ts";

/**
 * One source made of several; nothing else knows more than one. The given one is the redacted view of a desktop: its tree
 * comes first, and pictures fill what it does not cover, or confirm and add to it where that is asked for. A question
 * about an element goes to the element's own source.
 */
export function composeSources<View extends ElementSource & Pictures>(
  view: View,
  openVision: () => Promise<Result<VisionProvider | undefined>>,
): View {
  const eyes = new VisionSource(view, openVision);
  // Pictures come without secrets already; what is read in them is checked like anything else.
  const vision = redactSource(eyes, () => false);
  const sourceOf = ({ source }: Pick<Element, "source">): ElementSource => (isSeenSource(source) ? vision : view);
  const own: Pick<ElementSource, "readWindows" | "readText" | "glimpse" | "askWhatIsAt"> = {
    readWindows: (request) => readComposed(view, vision, request),
    readText: (request) => sourceOf(request.element).readText(request),
    glimpse: (element, timeoutMs) => sourceOf(element).glimpse(element, timeoutMs),
    askWhatIsAt: (element, point, timeoutMs) => sourceOf(element).askWhatIsAt(element, point, timeoutMs),
  };
  return Object.setPrototypeOf({ ...view, ...own }, null);
}

async function readComposed(
  view: ElementSource,
  vision: ElementSource,
  request: ReadRequest,
): Promise<Result<readonly WindowRead[]>> {
  const reads = await view.readWindows(request);
  const { vision: mode = "auto", isForPicture } = request;
  if (!reads.ok || mode === "off" || isForPicture === true) return reads;
  const wanted = mode === "on" ? request.windows : await findUncovered(view, reads.value);
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
async function findUncovered(view: ElementSource, reads: readonly WindowRead[]): Promise<readonly Window[]> {
  const isTreeless = ({ root, notes }: WindowRead): boolean =>
    root === undefined && notes.some(({ code }) => code === "NO_TREE");
  const treeless = reads.filter(isTreeless).map(({ window }) => window);
  const shown = treeless.filter(({ state }) => !state.includes("minimised"));
  if (shown.length === 0) return [];
  const covered = await view.covers(shown);
  return covered.ok ? shown.filter(({ id }) => !covered.value.has(id)) : [];
}

function fill(read: WindowRead, seen: WindowRead | undefined, failure: Failure | false | undefined): WindowRead {
  const notes = failure ? [...read.notes, describeFailure(failure)] : read.notes;
  const root = seen?.root;
  if (root === undefined || (root.children.length === 0 && read.root === undefined)) return { ...read, notes };
  if (read.root !== undefined) return { ...read, notes, root: mergePicture(read.root, root.children, visionScale) };
  return { ...read, notes: notes.map(tellFilled), root };
}

function tellFilled(note: Note): Note {
  return note.code === "NO_TREE"
    ? { ...note, text: "this application offers no accessibility tree; its picture was read" }
    : note;
}

function describeFailure({ message, suggestion }: Failure): Note {
  return { code: "FAILED", text: suggestion === undefined ? message : `${message}: ${suggestion}` };
}
