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
  /** The mark of what it is in; 0 directly in its window. */
  parent: number;
  children: number[];
  /** From its window's top left: a window that moves takes it along. */
  place: Bounds | undefined;
  /** The versions of the model in which something of it, and its place, were last different. */
  changedAt: number;
  placedAt: number;
}

export interface DeskWindow {
  readonly id: number;
  app: string;
  title: string;
  bounds: Bounds;
  states: readonly string[];
  /** What is in it, by its mark; and the marks of what is directly in it, in reading order. */
  readonly controls: Map<number, DeskControl>;
  children: number[];
  notes: Map<string, string>;
  changedAt: number;
  placedAt: number;
  /** When anything in it was last different. */
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

  /** A mark is shown once; while a control goes from one window to another, both may have it for a moment. */
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

/** What is on the screen, made of the lines that a watch tells (src/model/change-line.ts). */
export class DeskModel {
  readonly windows = new Map<number, DeskWindow>();
  readonly controls = new AllControls(this.windows);
  /** Rises with every batch of lines. */
  version = 0;
  /** The version with which the first of all lines came: what they tell was there before. */
  startedAt: number | undefined;
  /** Rises when something is at another place in the tree. */
  structure = 0;
  focusedWindow: number | undefined;
  focusedMark: number | undefined;

  apply(lines: readonly ChangeLine[]): void {
    this.version += 1;
    this.startedAt ??= this.version;
    for (const line of lines) this.take(line);
  }

  /** Where it is on the screen now. */
  boundsOf({ window, place }: DeskControl): Bounds | undefined {
    const home = this.windows.get(window)?.bounds;
    if (home === undefined || place === undefined) return undefined;
    return { ...place, x: home.x + place.x, y: home.y + place.y };
  }

  /** What it is in, the outermost first. */
  listHolders(mark: number): DeskControl[] {
    const holders: DeskControl[] = [];
    const control = this.controls.get(mark);
    const controls = this.windows.get(control?.window ?? 0)?.controls;
    let holder = controls?.get(control?.parent ?? 0);
    for (; holder !== undefined; holder = controls?.get(holder.parent)) holders.unshift(holder);
    return holders;
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
        return this.put(window, line.id, line.in ?? 0, line.after);
      case "moved":
        this.takeOut(window, line.id);
        return this.put(window, line.id, line.in ?? 0, line.after);
      case "gone":
        return this.forget(window, line.id);
      case "emptied":
        for (const child of [...(window.controls.get(line.id)?.children ?? [])]) this.forget(window, child);
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

  /** Takes it from among its sisters. */
  private takeOut(window: DeskWindow, mark: number): void {
    const control = window.controls.get(mark);
    if (control === undefined) return;
    const sisters = listSisters(window, control.parent);
    const at = sisters?.lastIndexOf(mark) ?? -1;
    if (at >= 0) sisters?.splice(at, 1);
    this.structure += 1;
  }

  private put(window: DeskWindow, mark: number, parent: number, after: number | undefined): void {
    const control = window.controls.get(mark);
    if (control === undefined) return;
    control.parent = parent;
    control.changedAt = this.version;
    const sisters = listSisters(window, parent);
    if (after === undefined) sisters?.push(mark);
    else sisters?.splice(after === 0 ? 0 : sisters.indexOf(after) + 1, 0, mark);
    this.structure += 1;
  }

  /** With everything that is in it. */
  private forget(window: DeskWindow, mark: number): void {
    this.takeOut(window, mark);
    const left = [mark];
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      left.push(...(window.controls.get(one)?.children ?? []));
      window.controls.delete(one);
    }
  }
}

function listSisters(window: DeskWindow, parent: number): number[] | undefined {
  return parent === 0 ? window.children : window.controls.get(parent)?.children;
}

function placeIn({ bounds: home }: DeskWindow, bounds: ChangedControl["bounds"]): Bounds | undefined {
  if (bounds === undefined) return undefined;
  const [x, y, width, height] = bounds;
  return { x: x - home.x, y: y - home.y, width, height };
}

const nowhere: Bounds = { x: 0, y: 0, width: 0, height: 0 };

/** As src/changes/compare.ts writes it: "640x480 at 10,-20". */
function parsePlace(place: string): Bounds | undefined {
  const [, width, height, x, y] = /^(\d+)x(\d+) at (-?\d+),(-?\d+)$/.exec(place) ?? [];
  return y === undefined ? undefined : { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
}
