import { type Bounds, intersect } from "../model/bounds.ts";
import { type Element, flatten } from "../model/element.ts";
import type { Picture } from "../model/frame.ts";
import { grow, subtract, unite } from "../model/region.ts";
import { entryRoles, kindOfRole, type Role } from "../model/role.ts";
import { hasTrait } from "../model/trait.ts";
import { cellPx, findInk } from "./ink.ts";

/** Icons, arrows and focus rings beside what they belong to. */
const marginPx = 4;
/** Parts closer than this are one area. */
const joinPx = 24;
/** How many cells away the next cell of a letter, word or icon is at most. */
const reach = 2;
/** Smaller ones are arrows, handles, corners and the ends of lines. */
const leastPx = { width: 12, height: 8 } as const;
const leastCells = 6;

/** Smaller areas hold a title, a line of a status bar or a spinner: not worth a note in every read. */
const leastAreaPx = 24;

/**
 * What is known of a cell: it is told or covered, or nothing is said of it. Higher numbers are empty boxes, negative
 * ones those that an application draws itself: there, lines are content too.
 */
const told = 0;
const open = 1;
const firstBox = 2;

/**
 * Where a window draws something and its tree has nothing: pixels against bounds. `visible` are the parts of the window
 * that can be seen. The whole box is given where an empty one holds it.
 */
export function findUntoldAreas(root: Element, visible: readonly Bounds[], picture: Picture): readonly Bounds[] {
  const grid = new Grid(picture.bounds);
  const boxes = paintTree(grid, root);
  for (const part of subtract(picture.bounds, visible)) grid.paint(part, told);
  const parts = listParts(grid, picture);
  const held = boxes.filter((_, at) => parts.some(({ owner }) => Math.abs(owner) === firstBox + at));
  const free = parts.filter(({ owner }) => owner === open).map(({ bounds }) => bounds);
  return [...held, ...joinNear(free)]
    .flatMap((area) => intersect(area, picture.bounds) ?? [])
    .filter(({ width, height }) => Math.min(width, height) >= leastAreaPx);
}

class Grid {
  readonly columns: number;
  readonly rows: number;
  readonly cells: Int16Array;

  constructor(readonly bounds: Bounds) {
    this.columns = Math.ceil(bounds.width / cellPx);
    this.rows = Math.ceil(bounds.height / cellPx);
    this.cells = new Int16Array(this.columns * this.rows).fill(open);
  }

  /** From the picture to the screen. */
  place({ x, y, ...size }: Bounds): Bounds {
    return { x: x + this.bounds.x, y: y + this.bounds.y, ...size };
  }

  /** Paints the cells that a rectangle touches. */
  paint(part: Bounds, value: number): void {
    const { x, y } = this.bounds;
    const left = Math.max(0, Math.floor((part.x - x) / cellPx));
    const right = Math.min(this.columns, Math.ceil((part.x + part.width - x) / cellPx));
    const top = Math.max(0, Math.floor((part.y - y) / cellPx));
    const bottom = Math.min(this.rows, Math.ceil((part.y + part.height - y) / cellPx));
    if (left >= right) return;
    for (let row = top; row < bottom; row += 1) {
      this.cells.fill(value, row * this.columns + left, row * this.columns + right);
    }
  }
}

/** Returns the boxes without content, in the order of their numbers in the grid. */
function paintTree(grid: Grid, root: Element): readonly Bounds[] {
  const boxes: Bounds[] = [];
  const tellers: Bounds[] = [];
  const visit = (element: Element, outer: Bounds, isInPage: boolean): void => {
    const { role, bounds = outer, children } = element;
    const isPage = pages.has(role) && flatten(children).some(tells);
    if (isPage) grid.paint(bounds, told);
    const isTold = tells(element);
    if (isTold && element.bounds !== undefined) tellers.push(grow(bounds, marginPx));
    const shown = children.filter(isShown);
    if (!isTold && shown.length === 0 && element.bounds !== undefined && (!isInPage || isDrawn(element))) {
      const number = firstBox + boxes.length;
      grid.paint(bounds, number);
      // Without its edges, where the background begins.
      if (isDrawn(element)) grid.paint(grow(bounds, -cellPx), -number);
      boxes.push(bounds);
    }
    for (const child of shown) {
      const isEntry = entryRoles.has(child.role) || kindOfRole(child.role) === "control";
      if (isEntry && rowed.has(role) && child.bounds !== undefined) {
        tellers.push({ ...child.bounds, x: bounds.x, width: bounds.width });
      }
      visit(child, bounds, isInPage || isPage);
    }
  };
  visit(root, grid.bounds, false);
  for (const part of tellers) grid.paint(part, told);
  return boxes;
}

/** Nemo's icons have names, but no place: they cannot be found where they are drawn. */
function isShown({ states, bounds, children }: Element): boolean {
  return !states.has("hidden") && (bounds !== undefined || children.length > 0);
}

/** What is beside an entry belongs to it: its arrow, its icon, its box. */
const rowed: ReadonlySet<Role> = new Set<Role>(["tree", "table", "list", "menu", "row"]);

/** What a page does not tell is decoration, apart from what it draws by itself; its texts may be anywhere (Evince). */
const pages: ReadonlySet<Role> = new Set<Role>(["web", "document"]);

function isDrawn(element: Element): boolean {
  return hasTrait(element, "drawn") && element.name === "" && element.value === "";
}

/** The name of a larger box says what it is for, not what is in it. */
const mostNamedPx = 96;

function isSmallLeaf({ bounds, children }: Element): boolean {
  return children.length === 0 && bounds !== undefined && Math.min(bounds.width, bounds.height) <= mostNamedPx;
}

/** Whether an element says what is drawn in its place, beside its children. */
function tells(element: Element): boolean {
  const { role, name, value } = element;
  if (isDrawn(element)) return false;
  switch (kindOfRole(role)) {
    case "control":
      return true;
    case "text":
      return role === "image" || role === "progress" || name !== "" || value !== "";
    // The name of a list says nothing of its entries.
    case "landmark":
      return value !== "" || (name !== "" && (role === "menu" || role === "statusbar"));
    case "container":
      return value !== "" || role === "scrollbar" || role === "separator" || (name !== "" && isSmallLeaf(element));
  }
}

/** Something drawn: cells that touch, or lie a cell apart. */
interface Part {
  readonly bounds: Bounds;
  readonly owner: number;
}

function listParts(grid: Grid, picture: Picture): Part[] {
  const ink = findInk(grid, picture);
  const parts: Part[] = [];
  for (let start = 0; start < ink.length; start += 1) {
    if (ink[start] !== 1) continue;
    const owner = grid.cells[start] ?? told;
    const { bounds, count } = takePart(grid, ink, start);
    const isLarge = owner < told || (bounds.width >= leastPx.width && bounds.height >= leastPx.height);
    if (isLarge && count >= leastCells) parts.push({ owner, bounds: grid.place(bounds) });
  }
  return parts;
}

/** Removes the cells of a part from the ink, and returns its bounds inside the picture. */
function takePart({ columns, rows, cells }: Grid, ink: Uint8Array, start: number) {
  const stack = [start];
  ink[start] = 0;
  let count = 0;
  let [left, right, top, bottom] = [columns, 0, rows, 0];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const [column, row] = [at % columns, Math.floor(at / columns)];
    count += 1;
    [left, right] = [Math.min(left, column), Math.max(right, column + 1)];
    [top, bottom] = [Math.min(top, row), Math.max(bottom, row + 1)];
    for (let y = Math.max(0, row - reach); y <= Math.min(rows - 1, row + reach); y += 1) {
      for (let x = Math.max(0, column - reach); x <= Math.min(columns - 1, column + reach); x += 1) {
        const next = y * columns + x;
        if (ink[next] !== 1 || cells[next] !== cells[start]) continue;
        ink[next] = 0;
        stack.push(next);
      }
    }
  }
  const bounds = {
    x: left * cellPx,
    y: top * cellPx,
    width: (right - left) * cellPx,
    height: (bottom - top) * cellPx,
  };
  return { bounds, count };
}

/** The buttons of a bar and the words of a line are one area. */
function joinNear(areas: readonly Bounds[]): readonly Bounds[] {
  let joined: Bounds[] = [...areas];
  for (let before = -1; before !== joined.length; ) {
    before = joined.length;
    const fewer: Bounds[] = [];
    for (const area of joined) {
      const at = fewer.findIndex((one) => intersect(grow(one, joinPx), area) !== undefined);
      if (at === -1) fewer.push(area);
      else fewer[at] = unite(fewer[at] ?? area, area);
    }
    joined = fewer;
  }
  return joined;
}
