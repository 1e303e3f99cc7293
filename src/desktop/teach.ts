import { locateOne } from "../find/locate.ts";
import { type Desktop, type ReadOptions, withMap } from "../find/read.ts";
import { describeUnknownMark } from "../find/refuse.ts";
import type { WindowQuery } from "../find/select.ts";
import { teachPlace } from "../find/taught-places.ts";
import type { Point } from "../model/bounds.ts";
import type { Element } from "../model/element.ts";
import { describeUsage, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import type { Aim } from "../model/order.ts";
import { cleanText } from "../model/plain-text.ts";
import { kindOfRole, learnerRole } from "../model/role.ts";
import { maskSecrets } from "../model/secrets-in-text.ts";
import { isPixelSource } from "../model/source.ts";
import type { TaughtControl } from "../show/element-acts.ts";

/** A name that a person gives to a control, or to what is at a point. */
export interface Lesson extends WindowQuery, ReadOptions {
  readonly name: string;
  readonly of: Aim;
}

type Taught = Omit<TaughtControl, "point">;

const maxNameLength = 100;

/** Stores what a person calls a control. At a point, the name belongs to the control that is there. */
export function teach(desktop: Desktop, lesson: Lesson): Promise<Result<Taught>> {
  return withMap(async () => {
    const { of, timeoutMs } = lesson;
    const called = cleanText(maskSecrets(lesson.name), maxNameLength).trim();
    if (called === "") return fail(describeUsage("the name is empty", 'deskmap teach "Save button" 640 400'));
    if (of.by === "mark") return nameMark(desktop, of.mark, called);
    if (of.by === "point") return nameAt(desktop, of.point, called, timeoutMs);
    const found = await locateOne(desktop, of, lesson);
    if (!found.ok) return found;
    const { placed, numbers } = found.value;
    return nameMark(desktop, numbers.get(placed.element.handle) ?? 0, called);
  });
}

async function nameMark({ marks }: Desktop, mark: number, name: string): Promise<Result<Taught>> {
  const ref = marks.findRef(mark);
  if (ref === undefined) return fail(describeUnknownMark(mark));
  marks.teach(mark, name);
  const isPlace = isPixelSource(marks.findLearned([mark]).get(mark)?.source ?? "a11y");
  return succeed({ mark, name, role: learnerRole(ref.role), ownName: ref.name, isPlace });
}

async function nameAt(desktop: Desktop, point: Point, name: string, timeoutMs: number): Promise<Result<Taught>> {
  const list = await desktop.platform.listWindows();
  if (!list.ok) return list;
  const window = await desktop.platform.findWindowAt(point);
  if (!window.ok) return window;
  const found = await locateOne(desktop, { by: "point", point }, { timeoutMs, vision: "off" });
  const element = found.ok ? found.value.placed.element : undefined;
  const mark = found.ok && element !== undefined ? (found.value.numbers.get(element.handle) ?? 0) : 0;
  if (element !== undefined && mark !== 0 && isControl(element)) {
    desktop.marks.teach(mark, name);
    return succeed({ mark, name, role: learnerRole(element.role), ownName: element.name, isPlace: false });
  }
  // What an application does not report has only a place; an application that does not answer may still report it.
  if (!found.ok && (window.value === undefined || found.failure.code !== "NOT_FOUND")) return found;
  if (window.value === undefined) {
    const message = `there is no window at ${point.x},${point.y}`;
    return fail(makeFailure("NOT_FOUND", message, "deskmap list shows where every window is."));
  }
  const place = await teachPlace(desktop, window.value, list.value.windows, point, name);
  return place.ok ? succeed({ mark: place.value, name, role: "button", ownName: "", isPlace: true }) : place;
}

/** A person points at a control, not at its container. */
function isControl({ role, actions }: Element): boolean {
  const kind = kindOfRole(role);
  return kind === "control" || kind === "text" || (actions.length > 0 && role !== "window" && role !== "document");
}
