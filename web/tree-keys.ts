import type { DeskModel } from "./desk-model.ts";
import { keyOf, type TreeRow } from "./rows.ts";

/** The effect of a key in the tree: the row to go to, and the row to open or close. */
export interface Move {
  readonly to?: number | undefined;
  readonly open?: string | undefined;
  readonly close?: string | undefined;
}

/** Implements the keys of the ARIA tree view pattern; undefined for other keys. */
export function findMove(key: string, rows: readonly TreeRow[], at: number, pageRows: number): Move | undefined {
  const last = rows.length - 1;
  const row = rows[at];
  const keep = (to: number): Move => ({ to: Math.max(0, Math.min(last, to)) });
  switch (key) {
    case "ArrowDown":
      return keep(at + 1);
    case "ArrowUp":
      return keep(at - 1);
    case "PageDown":
      return keep(at + pageRows);
    case "PageUp":
      return keep(at - pageRows);
    case "Home":
      return keep(0);
    case "End":
      return keep(last);
    case "ArrowRight":
      if (row?.isOpen === undefined) return {};
      return row.isOpen ? keep(at + 1) : { open: keyOf(row) };
    case "ArrowLeft":
      if (row?.isOpen === true) return { close: keyOf(row) };
      return keep(findParent(rows, at));
    default:
      return undefined;
  }
}

function findParent(rows: readonly TreeRow[], at: number): number {
  const level = rows[at]?.level ?? 1;
  for (let before = at - 1; before >= 0; before -= 1) if ((rows[before]?.level ?? 1) < level) return before;
  return at;
}

/** The next row whose name starts with the typed text; the search wraps around. */
export function findTyped(model: DeskModel, rows: readonly TreeRow[], at: number, typed: string): number | undefined {
  // Further letters may still match the current row; a first letter moves on.
  const first = typed.length > 1 ? 0 : 1;
  for (let step = first; step <= rows.length; step += 1) {
    const index = (at + step) % rows.length;
    const row = rows[index];
    if (row !== undefined && nameOf(model, row).toLowerCase().startsWith(typed)) return index;
  }
  return undefined;
}

function nameOf(model: DeskModel, { kind, id }: TreeRow): string {
  return (kind === "window" ? model.windows.get(id)?.title : model.controls.get(id)?.name) ?? "";
}
