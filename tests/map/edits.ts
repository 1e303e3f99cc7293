import type { ReadQuery } from "../../src/desktop/index.ts";
import type { FakeControl } from "../../src/platform/fake/control.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import { fc } from "../property.ts";
import { button, type Desk, text } from "./desk.ts";

/** What a user and an application may do to a desktop between two reads. Numbers are taken modulo the number of candidates. */
export type Edit =
  | { readonly kind: "insert"; readonly at: number; readonly index: number; readonly sketch: ControlSketch }
  | { readonly kind: "remove" | "hide" | "move"; readonly at: number; readonly index: number }
  | { readonly kind: "rename"; readonly at: number; readonly name: string }
  | { readonly kind: "recycle"; readonly at: number; readonly sketch: ControlSketch }
  | {
      readonly kind: "open";
      readonly role: "window" | "dialog";
      readonly title: string;
      readonly children: readonly ControlSketch[];
    }
  | { readonly kind: "close"; readonly at: number }
  | { readonly kind: "retitle"; readonly at: number; readonly title: string }
  | { readonly kind: "restart" }
  | { readonly kind: "read"; readonly query: Partial<ReadQuery> };

/** Few names, so that look-alikes are common. */
const names = fc.constantFrom("Go", "Delete", "A", "B");
const labels = fc.constantFrom("Alice", "Bob", "Carol", "Dora");
const titles = fc.constantFrom("One", "Two", "Three");

const leaf: fc.Arbitrary<ControlSketch> = fc.oneof(
  names.map((name) => button(name)),
  labels.map(text),
  names.map((name): ControlSketch => ({ role: "input", name, states: ["editable"] })),
);
const rowSketch: fc.Arbitrary<ControlSketch> = fc
  .tuple(fc.constantFrom("row" as const, "option" as const), labels)
  .map(([role, label]) => ({ role, children: [text(label), button("Delete")] }));
const container: fc.Arbitrary<ControlSketch> = fc.oneof(
  fc.array(leaf, { maxLength: 3 }).map((children): ControlSketch => ({ role: "group", children })),
  fc.array(rowSketch, { maxLength: 3 }).map((children): ControlSketch => ({ role: "list", name: "People", children })),
);
const sketches = fc.oneof(leaf, container, rowSketch);
export const contents = fc.array(sketches, { minLength: 1, maxLength: 4 });

const place = fc.nat(30);
const queries: fc.Arbitrary<Partial<ReadQuery>> = fc.constantFrom(
  { isWhole: true, includeHidden: true },
  {},
  { isInteractive: true },
  { roles: new Set(["button"] as const) },
  { max: 2 },
  { bbox: { x: 0, y: 250, width: 1280, height: 550 } },
);

const liveEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant("insert" as const), at: place, index: place, sketch: sketches }),
  fc.record({ kind: fc.constantFrom("remove" as const, "hide" as const, "move" as const), at: place, index: place }),
  fc.record({ kind: fc.constant("rename" as const), at: place, name: names }),
  fc.record({ kind: fc.constant("recycle" as const), at: place, sketch: rowSketch }),
  fc.record({
    kind: fc.constant("open" as const),
    role: fc.constantFrom("window" as const, "dialog" as const),
    title: titles,
    children: contents,
  }),
  fc.record({ kind: fc.constant("close" as const), at: place }),
  fc.record({ kind: fc.constant("retitle" as const), at: place, title: titles }),
  fc.record({ kind: fc.constant("read" as const), query: queries }),
  fc.record({ kind: fc.constant("read" as const), query: queries }),
);

export const liveEdits = fc.array(liveEdit, { minLength: 1, maxLength: 12 });
export const editsWithRestarts = fc.array(fc.oneof(liveEdit, fc.constant<Edit>({ kind: "restart" })), {
  minLength: 1,
  maxLength: 12,
});

/** Applies every edit except reads. */
export function applyEdit(desk: Desk, edit: Exclude<Edit, { kind: "read" }>): void {
  const inside = desk.app.windows.flatMap((window) => window.listControls().slice(1));
  const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
  switch (edit.kind) {
    case "insert": {
      const holders = desk.app.windows.flatMap((window) => window.listControls()).filter(canHold);
      const holder = pick(holders, edit.at);
      holder?.insert(edit.sketch, edit.index % (holder.children.length + 1));
      return;
    }
    case "remove":
      return pick(inside, edit.at)?.remove();
    case "hide": {
      const control = pick(inside, edit.at);
      if (control !== undefined) control.isHidden = !control.isHidden;
      return;
    }
    case "move": {
      const control = pick(inside, edit.at);
      return control?.moveTo(edit.index % Math.max(1, control.parent?.children.length ?? 1));
    }
    case "rename":
      return pick(
        inside.filter((control) => control.children.length === 0),
        edit.at,
      )?.rename(edit.name);
    case "recycle": {
      const row = pick(inside.filter(isRow), edit.at);
      row?.recycle({ ...edit.sketch, role: row.role });
      return;
    }
    case "open":
      if (desk.app.windows.length < 3) desk.app.openWindow(edit);
      return;
    case "close": {
      const window = pick(desk.app.windows, edit.at);
      if (window !== undefined && desk.app.windows.length > 1) desk.app.closeWindow(window);
      return;
    }
    case "retitle":
      return pick(desk.app.windows, edit.at)?.retitle(edit.title);
    case "restart":
      return desk.app.restart();
  }
}

function canHold(control: FakeControl): boolean {
  return control.role === "window" || control.role === "group" || control.role === "list";
}

export function isRow(control: FakeControl): boolean {
  return control.role === "row" || control.role === "option";
}
