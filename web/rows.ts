import type { DeskModel, DeskWindow } from "./desk-model.ts";

/** One visible row of the tree. */
export interface TreeRow {
  readonly kind: "window" | "control";
  /** The window's id, or the control's mark. */
  readonly id: number;
  /** From 1. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** Undefined if it has no children. */
  readonly isOpen: boolean | undefined;
}

export function keyOf({ kind, id }: Pick<TreeRow, "kind" | "id">): string {
  return `${kind === "window" ? "w" : "c"}${id}`;
}

/** All rows, without those inside closed ones. */
export function listRows(model: DeskModel, closed: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const visit = (window: DeskWindow, marks: readonly number[], level: number): void => {
    for (let at = 0; at < marks.length; at += 1) {
      const control = window.controls.get(marks[at] ?? 0);
      if (control === undefined) continue;
      const isOpen = control.children.length === 0 ? undefined : !closed.has(`c${control.mark}`);
      rows.push({ kind: "control", id: control.mark, level, position: at + 1, siblings: marks.length, isOpen });
      if (isOpen) visit(window, control.children, level + 1);
    }
  };
  let position = 0;
  for (const window of model.windows.values()) {
    const { id, children } = window;
    position += 1;
    const isOpen = children.length === 0 ? undefined : !closed.has(`w${id}`);
    rows.push({ kind: "window", id, level: 1, position, siblings: model.windows.size, isOpen });
    if (isOpen) visit(window, children, 2);
  }
  return rows;
}
