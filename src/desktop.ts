import { type ElementWish, selectElements } from "./find/filter.ts";
import { selectWindows, type WindowWish } from "./find/select.ts";
import { describeRefs } from "./map/identify.ts";
import { allotMarks } from "./map/marks.ts";
import { MapUnavailable, type MarkStore } from "./map/store/port.ts";
import { nameWindows } from "./map/window-names.ts";
import { type Element, flatten } from "./model/element.ts";
import { fail, type Result, succeed } from "./model/failure.ts";
import type { Snapshot, WindowRead } from "./model/snapshot.ts";
import type { MarkedElement, View } from "./model/view.ts";
import type { Application, Window } from "./model/window.ts";
import type { Platform, WindowList } from "./platform/port.ts";

/**
 * Deskmap's main job, in order:
 *
 *   look   sources → snapshot        read what is on the screen now
 *   find   snapshot + wish → chosen  the elements that were asked for, or a refusal that says what is there instead
 *   know   chosen + map → marks      recognise controls met before
 *   show   marked elements → text    in src/show, for whoever asked
 */
export interface Desktop {
  readonly platform: Platform;
  readonly marks: MarkStore;
}

export interface ReadWish extends WindowWish, ElementWish {
  /** Also what is not on the screen. */
  readonly includeHidden: boolean;
  /** Time allowed for each application. */
  readonly timeoutMs: number;
}

export async function listWindows(platform: Platform, wish: WindowWish): Promise<Result<readonly Window[]>> {
  const list = await platform.listWindows();
  return list.ok ? selectWindows(list.value.windows, wish) : list;
}

export async function listApplications(platform: Platform, wish: WindowWish): Promise<Result<readonly Application[]>> {
  const windows = await listWindows(platform, wish);
  return windows.ok ? platform.listApplications(windows.value) : windows;
}

export async function read(desktop: Desktop, wish: ReadWish): Promise<Result<View>> {
  const list = await desktop.platform.listWindows();
  if (!list.ok) return list;
  const snapshot = await look(desktop.platform, list.value, wish);
  if (!snapshot.ok) return snapshot;
  try {
    return succeed(know(desktop.marks, snapshot.value, list.value.windows, wish));
  } catch (error) {
    if (error instanceof MapUnavailable) return fail(error.failure);
    throw error;
  }
}

async function look(platform: Platform, list: WindowList, wish: ReadWish): Promise<Result<Snapshot>> {
  const wanted = selectWindows(list.windows, wish);
  if (!wanted.ok) return fail(wanted.failure);
  const { includeHidden, timeoutMs } = wish;
  const reads = await platform.readWindows({ windows: wanted.value, includeHidden, timeoutMs });
  return reads.ok ? succeed({ takenAtMs: Date.now(), windows: reads.value }) : reads;
}

/**
 * Chooses, and recognises what was chosen. Every element is described within the whole of its window, and all windows are
 * matched together, so that what was asked for never changes what is recognised.
 */
function know(marks: MarkStore, snapshot: Snapshot, all: readonly Window[], wish: ReadWish): View {
  const names = nameWindows(snapshot.windows, all);
  const refs = snapshot.windows.flatMap((one) => [...describeRefs(one, names.get(one.window.id) ?? []).values()]);
  const chosen = snapshot.windows.map((one) => choose(one, wish));
  const wanted = new Set(flatten(chosen.flatMap(({ elements }) => elements)).map((element) => element.runtimeId));
  const numbers = allotMarks(marks, refs, wanted);
  const windows = chosen.map(({ window, notes, elements }) => ({
    window,
    notes,
    elements: elements.map((element) => attachMarks(element, numbers)),
  }));
  return { takenAtMs: snapshot.takenAtMs, windows };
}

function choose({ window, root, notes }: WindowRead, wish: ReadWish) {
  if (root === undefined) return { window, notes, elements: [] };
  const { elements, leftOut } = selectElements(root, wish);
  const cut = { code: "TRUNCATED" as const, text: `${leftOut} more elements: raise --max` };
  return { window, notes: leftOut === 0 ? notes : [...notes, cut], elements };
}

function attachMarks(element: Element, numbers: ReadonlyMap<string, number>): MarkedElement {
  const children = element.children.map((child) => attachMarks(child, numbers));
  return { ...element, mark: numbers.get(element.runtimeId) ?? 0, children };
}
