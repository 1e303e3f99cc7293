import type { Bounds } from "../src/model/bounds.ts";
import type { ChangedControl, ChangeLine, WindowChange } from "../src/model/change-line.ts";
import type { Role } from "../src/model/role.ts";
import type { State } from "../src/model/state.ts";

export interface DeskControl {
  readonly mark: number;
  readonly window: number;
  role: Role;
  name: string;
  taught: string;
  value: string;
  states: readonly State[];
  /** The mark of its parent; 0 at the top level of its window. */
  parent: number;
  children: number[];
  /** Relative to the window's top left corner, so that it stays valid when the window moves. */
  place: Bounds | undefined;
  /** The model versions in which it, and its place, last changed. */
  changedAt: number;
  placedAt: number;
}

export interface DeskWindow {
  readonly id: number;
  app: string;
  title: string;
  bounds: Bounds;
  states: readonly string[];
  /** All controls by mark; `children` has the marks of the top level, in reading order. */
  readonly controls: Map<number, DeskControl>;
  children: number[];
  notes: Map<string, string>;
  changedAt: number;
  placedAt: number;
  /** The model version in which anything in it last changed. */
  touchedAt: number;
}

/** The controls of all windows. */
class AllControls {
  constructor(private readonly windows: ReadonlyMap<number, DeskWindow>) {}

  get size(): number {
    let size = 0;
    for (const { controls } of this.windows.values()) size += controls.size;
    return size;
  }

  /** While a control moves between windows, both may briefly have its mark; the first one is returned. */
  get(mark: number): DeskControl | undefined {
    for (const { controls } of this.windows.values()) {
      const control = controls.get(mark);
      if (control !== undefined) return control;
    }
    return undefined;
  }

  *values(): Generator<DeskControl> {
    for (const { controls } of this.windows.values()) yield* controls.values();
  }
}

/** The windows and controls on the screen, built from the change lines of a watch (src/model/change-line.ts). */
export class DeskModel {
  readonly windows = new Map<number, DeskWindow>();
  readonly controls = new AllControls(this.windows);
  /** Incremented with every batch of lines. */
  version = 0;
  /** The version of the first batch, which describes what was already there. */
  startedAt: number | undefined;
  /** Incremented when the shape of the tree changes. */
  structure = 0;
  focusedWindow: number | undefined;
  focusedMark: number | undefined;

  apply(lines: readonly ChangeLine[]): void {
    this.version += 1;
    this.startedAt ??= this.version;
    for (const line of lines) this.take(line);
  }

  /** Its current bounds on the screen. */
  boundsOf({ window, place }: DeskControl): Bounds | undefined {
    const home = this.windows.get(window)?.bounds;
    if (home === undefined || place === undefined) return undefined;
    return { ...place, x: home.x + place.x, y: home.y + place.y };
  }

  /** Its ancestors, outermost first. */
  listAncestors(mark: number): DeskControl[] {
    const ancestors: DeskControl[] = [];
    const control = this.controls.get(mark);
    const controls = this.windows.get(control?.window ?? 0)?.controls;
    let parent = controls?.get(control?.parent ?? 0);
    for (; parent !== undefined; parent = controls?.get(parent.parent)) ancestors.unshift(parent);
    return ancestors;
  }

  private take(line: ChangeLine): void {
    if (line.kind === "start") return this.clear();
    if (line.kind === "window") return this.takeWindow(line);
    if (line.kind === "token") return;
    const window = this.windows.get(line.window);
    if (window === undefined) return;
    window.touchedAt = this.version;
    switch (line.kind) {
      case "appeared":
        window.controls.set(line.id, this.makeControl(window, line));
        return this.attach(window, line.id, line.in ?? 0, line.after);
      case "moved":
        this.detach(window, line.id);
        return this.attach(window, line.id, line.in ?? 0, line.after);
      case "gone":
        return this.remove(window, line.id);
      case "emptied":
        for (const child of [...(window.controls.get(line.id)?.children ?? [])]) this.remove(window, child);
        return;
      case "changed":
        return this.change(window, line);
      case "focus":
        this.focusedMark = line.id;
        return;
      case "note":
        if (line.code === "ANSWERS") window.notes.clear();
        else window.notes.set(line.code, line.text);
        return;
    }
  }

  private clear(): void {
    this.windows.clear();
    this.focusedWindow = undefined;
    this.focusedMark = undefined;
    this.structure += 1;
  }

  private takeWindow({ what, window: id, app, title, place, states }: WindowChange): void {
    if (what === "closed") return this.closeWindow(id);
    const window = this.windows.get(id) ?? this.openWindow(id);
    const bounds = place === undefined ? undefined : parsePlace(place);
    if (bounds !== undefined) {
      window.bounds = bounds;
      window.placedAt = this.version;
    }
    window.app = app;
    window.title = title;
    window.states = states ?? window.states;
    window.changedAt = this.version;
    if (what === "focused") this.focusedWindow = id;
  }

  private openWindow(id: number): DeskWindow {
    const window: DeskWindow = {
      id,
      app: "",
      title: "",
      bounds: nowhere,
      states: [],
      controls: new Map(),
      children: [],
      notes: new Map(),
      changedAt: this.version,
      placedAt: this.version,
      touchedAt: this.version,
    };
    this.windows.set(id, window);
    this.structure += 1;
    return window;
  }

  private closeWindow(id: number): void {
    this.windows.delete(id);
    this.structure += 1;
  }

  private makeControl(home: DeskWindow, line: ChangedControl): DeskControl {
    const { id, window, role, name, taught = "", value = "", states = [], bounds } = line;
    const own = { mark: id, window, role, name, taught, value, states, place: placeIn(home, bounds) };
    return { ...own, parent: 0, children: [], changedAt: this.version, placedAt: this.version };
  }

  private change(window: DeskWindow, line: Extract<ChangeLine, { kind: "changed" }>): void {
    const control = window.controls.get(line.id);
    if (control === undefined) return;
    control.role = line.role;
    control.name = line.name;
    control.taught = line.taught ?? control.taught;
    control.value = line.value ?? control.value;
    control.states = line.states ?? control.states;
    control.changedAt = this.version;
    if (line.was.place === undefined) return;
    control.place = placeIn(window, line.bounds);
    control.placedAt = this.version;
  }

  private detach(window: DeskWindow, mark: number): void {
    const control = window.controls.get(mark);
    if (control === undefined) return;
    const siblings = listSiblings(window, control.parent);
    const at = siblings?.lastIndexOf(mark) ?? -1;
    if (at >= 0) siblings?.splice(at, 1);
    this.structure += 1;
  }

  private attach(window: DeskWindow, mark: number, parent: number, after: number | undefined): void {
    const control = window.controls.get(mark);
    if (control === undefined) return;
    control.parent = parent;
    control.changedAt = this.version;
    const siblings = listSiblings(window, parent);
    if (after === undefined) siblings?.push(mark);
    else siblings?.splice(after === 0 ? 0 : siblings.indexOf(after) + 1, 0, mark);
    this.structure += 1;
  }

  /** Removes a control and its descendants. */
  private remove(window: DeskWindow, mark: number): void {
    this.detach(window, mark);
    const left = [mark];
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      left.push(...(window.controls.get(one)?.children ?? []));
      window.controls.delete(one);
    }
  }
}

function listSiblings(window: DeskWindow, parent: number): number[] | undefined {
  return parent === 0 ? window.children : window.controls.get(parent)?.children;
}

function placeIn({ bounds: home }: DeskWindow, bounds: ChangedControl["bounds"]): Bounds | undefined {
  if (bounds === undefined) return undefined;
  const [x, y, width, height] = bounds;
  return { x: x - home.x, y: y - home.y, width, height };
}

const nowhere: Bounds = { x: 0, y: 0, width: 0, height: 0 };

/** Parses what src/changes/compare.ts writes: "640x480 at 10,-20". */
function parsePlace(place: string): Bounds | undefined {
  const [, width, height, x, y] = /^(\d+)x(\d+) at (-?\d+),(-?\d+)$/.exec(place) ?? [];
  return y === undefined ? undefined : { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
}
