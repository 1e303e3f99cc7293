import type { Role } from "../../model/role.ts";
import type { State } from "../../model/state.ts";
import type { ControlSketch } from "./sketch.ts";

/**
 * One control in memory, independent of what readers see: it stays the same through renaming, hiding, moving and
 * restarts of its application. Tests compare marks with it.
 */
export class FakeControl {
  readonly role: Role;
  name: string;
  value: string;
  isHidden: boolean;
  readonly states: Set<State>;
  handle = "";
  parent: FakeControl | undefined;
  readonly children: FakeControl[] = [];

  constructor(readonly sketch: ControlSketch) {
    this.role = sketch.role;
    this.name = sketch.name ?? "";
    this.value = sketch.value ?? "";
    this.isHidden = sketch.hidden ?? false;
    this.states = new Set(sketch.states ?? []);
    for (const child of sketch.children ?? []) this.insert(child);
  }

  /** Adds a control below this one, last by default. */
  insert(sketch: ControlSketch, index = this.children.length): FakeControl {
    const child = new FakeControl(sketch);
    child.parent = this;
    this.children.splice(index, 0, child);
    return child;
  }

  remove(): void {
    const sisters = this.parent?.children ?? [];
    const index = sisters.indexOf(this);
    if (index >= 0) sisters.splice(index, 1);
    this.parent = undefined;
  }

  rename(name: string): void {
    this.name = name;
  }

  moveTo(index: number): void {
    const sisters = this.parent?.children ?? [];
    const from = sisters.indexOf(this);
    if (from < 0) return;
    sisters.splice(from, 1);
    sisters.splice(index, 0, this);
  }

  /**
   * What a list does that recycles its row widgets while scrolling: the same objects show another item. The new control
   * takes over the handles, in reading order; this one is gone.
   */
  recycle(sketch: ControlSketch): FakeControl {
    const { parent } = this;
    if (parent === undefined) throw new Error("only a control inside another one can be recycled");
    const next = parent.insert(sketch, parent.children.indexOf(this));
    const ids = this.listAll().map((control) => control.handle);
    next.listAll().forEach((control, index) => {
      control.handle = ids[index] ?? "";
    });
    this.remove();
    return next;
  }

  listAll(): FakeControl[] {
    return [this, ...this.children.flatMap((child) => child.listAll())];
  }
}
