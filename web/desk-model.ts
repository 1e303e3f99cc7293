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
  children: number[];
  notes: Map<string, string>;
  changedAt: number;
  placedAt: number;
}

/** What is on the screen, made of the lines that a watch tells (src/model/change-line.ts). */
export class DeskModel {
  readonly controls = new Map<number, DeskControl>();
  readonly windows = new Map<number, DeskWindow>();
  /** Rises with every batch of lines. */
  version = 0;
  /** Rises when something is at another place in the tree. */
  structure = 0;
  focusedWindow: number | undefined;
  focusedMark: number | undefined;

  apply(lines: readonly ChangeLine[]): void {
    this.version += 1;
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
    let holder = this.controls.get(this.controls.get(mark)?.parent ?? 0);
    for (; holder !== undefined; holder = this.controls.get(holder.parent)) holders.unshift(holder);
    return holders;
  }

  private take(line: ChangeLine): void {
    switch (line.kind) {
      case "start":
        return this.clear();
      case "window":
        return this.takeWindow(line);
      case "appeared":
        this.forget(line.id);
        this.controls.set(line.id, this.makeControl(line));
        return this.put(line.id, line.in ?? 0, line.after);
      case "moved":
        if (this.takeOut(line) === undefined) return;
        return this.put(line.id, line.in ?? 0, line.after);
      case "gone":
        if (this.controls.get(line.id)?.window === line.window) this.forget(line.id);
        return;
      case "emptied":
        for (const child of [...(this.controls.get(line.id)?.children ?? [])]) this.forget(child);
        return;
      case "changed":
        return this.change(line);
      case "focus":
        this.focusedMark = line.id;
        return;
      case "note":
        return this.takeNote(line);
      case "token":
        return;
    }
  }

  private clear(): void {
    this.controls.clear();
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
    const at = { changedAt: this.version, placedAt: this.version };
    const window = { id, app: "", title: "", bounds: nowhere, states: [], children: [], notes: new Map(), ...at };
    this.windows.set(id, window);
    this.structure += 1;
    return window;
  }

  private closeWindow(id: number): void {
    for (const mark of [...(this.windows.get(id)?.children ?? [])]) this.forget(mark);
    this.windows.delete(id);
    this.structure += 1;
  }

  private takeNote({ window, code, text }: Extract<ChangeLine, { kind: "note" }>): void {
    const notes = this.windows.get(window)?.notes;
    if (code === "ANSWERS") notes?.clear();
    else notes?.set(code, text);
  }

  private makeControl(line: ChangedControl): DeskControl {
    const { id, window, role, name, taught = "", value = "", states = [] } = line;
    const at = { changedAt: this.version, placedAt: this.version };
    return {
      mark: id,
      window,
      role,
      name,
      taught,
      value,
      states,
      parent: 0,
      children: [],
      place: this.place(line),
      ...at,
    };
  }

  private place({ window, bounds }: ChangedControl): Bounds | undefined {
    const home = this.windows.get(window)?.bounds;
    if (bounds === undefined || home === undefined) return undefined;
    const [x, y, width, height] = bounds;
    return { x: x - home.x, y: y - home.y, width, height };
  }

  private change(line: Extract<ChangeLine, { kind: "changed" }>): void {
    const control = this.controls.get(line.id);
    if (control === undefined) return;
    control.role = line.role;
    control.name = line.name;
    control.taught = line.taught ?? control.taught;
    control.value = line.value ?? control.value;
    control.states = line.states ?? control.states;
    control.changedAt = this.version;
    if (line.was.place === undefined) return;
    control.place = this.place(line);
    control.placedAt = this.version;
  }

  /** Takes it from among its sisters. */
  private takeOut({ id }: Pick<ChangedControl, "id">): DeskControl | undefined {
    const control = this.controls.get(id);
    if (control === undefined) return undefined;
    const sisters = this.listSisters(control);
    const at = sisters?.lastIndexOf(id) ?? -1;
    if (at >= 0) sisters?.splice(at, 1);
    control.changedAt = this.version;
    return control;
  }

  private listSisters({ parent, window }: DeskControl): number[] | undefined {
    return parent === 0 ? this.windows.get(window)?.children : this.controls.get(parent)?.children;
  }

  private put(mark: number, parent: number, after: number | undefined): void {
    const control = this.controls.get(mark);
    if (control === undefined) return;
    control.parent = parent;
    const sisters = this.listSisters(control);
    if (after === undefined) sisters?.push(mark);
    else sisters?.splice(after === 0 ? 0 : sisters.indexOf(after) + 1, 0, mark);
    this.structure += 1;
  }

  /** With everything that is in it. */
  private forget(mark: number): void {
    const control = this.takeOut({ id: mark });
    if (control === undefined) return;
    this.structure += 1;
    const left = [control];
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      this.controls.delete(one.mark);
      for (const child of one.children) {
        const held = this.controls.get(child);
        if (held?.parent === one.mark) left.push(held);
      }
    }
  }
}

const nowhere: Bounds = { x: 0, y: 0, width: 0, height: 0 };

/** As src/changes/windows.ts writes it: "640x480 at 10,-20". */
function parsePlace(place: string): Bounds | undefined {
  const [, width, height, x, y] = /^(\d+)x(\d+) at (-?\d+),(-?\d+)$/.exec(place) ?? [];
  return y === undefined ? undefined : { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
}
