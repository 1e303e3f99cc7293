import type { ChangeLine } from "../../src/model/change-line.ts";
import { shownStates } from "../../src/model/state.ts";
import type { MarkedElement, View } from "../../src/model/view.ts";

/** What a client that receives only the lines can reconstruct of a control: the reference for what lines must contain. */
interface Drawn {
  readonly mark: number;
  role: string;
  name: string;
  value: string;
  states: string;
  /** Relative to the window's top left corner; empty if positions are not reported. */
  place: string;
  children: Drawn[];
}

interface DrawnWindow {
  title: string;
  place: string;
  children: Drawn[];
}

export type Drawing = Map<number, DrawnWindow>;

export function drawView(view: View, withPlaces: boolean): Drawing {
  const drawing: Drawing = new Map();
  const ordered = view.windows.toSorted((a, b) => a.window.id - b.window.id);
  for (const { window, elements } of ordered) {
    const { x, y, width, height } = window.bounds;
    const draw = (element: MarkedElement): Drawn => ({
      mark: element.mark,
      role: element.role,
      name: element.name,
      value: element.value,
      states: shownStates.filter((state) => state !== "focused" && element.states.has(state)).join(" "),
      place: withPlaces && element.bounds ? `${element.bounds.x - x},${element.bounds.y - y}` : "",
      children: element.children.map(draw),
    });
    drawing.set(window.id, {
      title: window.title,
      place: withPlaces ? `${width}x${height} at ${x},${y}` : "",
      children: elements.map(draw),
    });
  }
  return drawing;
}

export function applyLines(before: Drawing, lines: readonly ChangeLine[]): Drawing {
  const drawing: Drawing = structuredClone(before);
  const hasPlaces = [...before.values()].some(({ place }) => place !== "") || lines.some((line) => "place" in line);
  for (const line of lines) applyLine(drawing, line, hasPlaces);
  return new Map([...drawing].sort(([a], [b]) => a - b));
}

function applyLine(drawing: Drawing, line: ChangeLine, hasPlaces: boolean): void {
  if (line.kind === "window") {
    if (line.what === "closed") drawing.delete(line.window);
    if (line.what === "opened") drawing.set(line.window, { title: line.title, place: line.place ?? "", children: [] });
    const window = drawing.get(line.window);
    if (line.what === "changed" && window !== undefined) {
      window.title = line.title;
      if (line.place !== undefined && window.place !== "") window.place = line.place;
    }
    return;
  }
  if (line.kind === "start" || line.kind === "note" || line.kind === "token" || line.kind === "focus") return;
  const window = drawing.get(line.window);
  if (window === undefined) throw new Error(`a line about a window that was never told: ${JSON.stringify(line)}`);
  const tell = (bounds: typeof line.bounds): string => {
    const [x = 0, y = 0] = /at (-?\d+),(-?\d+)/.exec(window.place)?.slice(1).map(Number) ?? [];
    return bounds === undefined || !hasPlaces ? "" : `${bounds[0] - x},${bounds[1] - y}`;
  };
  if (line.kind === "appeared") {
    put(window, line, {
      mark: line.id,
      role: line.role,
      name: line.name,
      value: line.value ?? "",
      states: line.states?.join(" ") ?? "",
      place: tell(line.bounds),
      children: [],
    });
  }
  if (line.kind === "moved") put(window, line, take(window.children, line.id));
  if (line.kind === "gone") take(window.children, line.id);
  if (line.kind === "emptied") find(window.children, line.id)?.children.splice(0);
  if (line.kind === "changed") {
    const drawn = find(window.children, line.id);
    if (drawn === undefined) throw new Error(`a change of what was never told: ${JSON.stringify(line)}`);
    Object.assign(drawn, { role: line.role, name: line.name });
    if (line.value !== undefined) drawn.value = line.value;
    if (line.states !== undefined) drawn.states = line.states.join(" ");
    if ("place" in line.was) drawn.place = tell(line.bounds);
  }
}

function put(window: DrawnWindow, place: { in?: number | undefined; after?: number | undefined }, drawn: Drawn): void {
  const list = place.in === undefined ? window.children : find(window.children, place.in)?.children;
  if (list === undefined) throw new Error(`it is in what was never told: ${place.in}`);
  const at = place.after === undefined ? list.length : list.findIndex(({ mark }) => mark === place.after) + 1;
  list.splice(at, 0, drawn);
}

function take(list: Drawn[], mark: number): Drawn {
  for (const [index, one] of list.entries()) {
    if (one.mark === mark) {
      list.splice(index, 1);
      return one;
    }
    if (find(one.children, mark) !== undefined) return take(one.children, mark);
  }
  throw new Error(`it was never told: ${mark}`);
}

function find(list: readonly Drawn[], mark: number): Drawn | undefined {
  for (const one of list) {
    const found = one.mark === mark ? one : find(one.children, mark);
    if (found !== undefined) return found;
  }
  return undefined;
}
