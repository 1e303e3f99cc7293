import * as z from "zod/mini";
import { type Point, screenSpace } from "../model/bounds.ts";
import { patternsOf } from "../model/pattern.ts";
import { cleanLine, quoteName, quoteText } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import type { Located } from "../model/view.ts";
import { cellsOf, elementColumns, joinRows } from "./csv.ts";
import { elementFields, withoutChildren } from "./element.ts";
import { type DataOf, type Forms, partly, space, spot } from "./output.ts";
import { maxNameLength, nameControl, nameWindow, showElement } from "./text.ts";

export interface LocatedAt extends Located {
  readonly point: Point;
}

export const locatedFields = () => ({
  at: spot(),
  space: space(),
  app: z.string(),
  pid: z.number(),
  window: z.string(),
  id: z.number(),
  element: z.strictObject({
    ...elementFields(),
    patterns: z.array(z.string()),
    platformRole: z.string(),
    platformActions: z.array(z.string()),
    platformId: z.optional(z.string()),
    runtimeId: z.string(),
  }),
  ancestors: z.array(z.strictObject({ i: z.optional(z.number()), r: z.string(), t: z.optional(z.string()) })),
  ...partly(),
});

export const locatedOutput = () => z.strictObject(locatedFields());

export type LocatedData = DataOf<typeof locatedOutput>;

export const locatedForms: Forms<LocatedAt, LocatedData> = {
  data: locatedToData,
  text: showLocated,
  /** From the window to the element, a row each. */
  csv({ window, element, ancestors }) {
    const rows = [...ancestors, element].map((one) => [String(window.id), ...cellsOf(one)]);
    return joinRows(`window,${elementColumns}`, rows);
  },
};

/** The element, its properties, then what it is inside of, from the inside out. */
function showLocated({ window, element, ancestors, notes }: Located): string {
  const { bounds, clickPoint } = element;
  const patterns = patternsOf(element);
  const facts = [
    bounds && `bounds ${bounds.width}x${bounds.height} at ${bounds.x},${bounds.y}`,
    clickPoint && `press at ${clickPoint.x},${clickPoint.y}`,
    patterns.length > 0 && `patterns ${patterns.join(" ")}`,
    element.platformActions.length > 0 &&
      `actions ${element.platformActions.map((name) => quoteText(name, 40)).join(" ")}`,
    element.shortcut !== "" && `shortcut ${quoteName(element.shortcut)}`,
    element.platformId !== "" && `id ${quoteText(element.platformId, maxNameLength)}`,
    `platform role ${quoteText(element.platformRole, maxNameLength)}`,
  ].filter((fact) => typeof fact === "string");
  return [
    `# ${nameWindow(window)}`,
    ...notes.map((note) => `! ${note.code} ${cleanLine(note.text)}`),
    showElement(element, { withPoints: false, isFlat: true }),
    ...facts.map((fact) => ` ${fact}`),
    ...ancestors.toReversed().map((one) => `in ${nameControl(one)}`),
  ].join("\n");
}

function locatedToData({ window, element, ancestors, notes, point }: LocatedAt): LocatedData {
  const { platformRole, platformActions, platformId, handle: runtimeId } = element;
  return {
    at: [point.x, point.y],
    space: screenSpace,
    app: window.app,
    pid: window.pid,
    window: window.title,
    id: window.id,
    element: {
      ...withoutChildren(element, { withPoints: true }),
      patterns: patternsOf(element),
      platformRole,
      platformActions,
      ...(platformId === "" ? {} : { platformId }),
      runtimeId,
    },
    ancestors: ancestors.map(({ mark, role, name }) => ({
      ...(mark === 0 ? {} : { i: mark }),
      r: shortRole(role),
      ...(name === "" ? {} : { t: name }),
    })),
    ...(notes.length > 0 ? { partial: true, notes } : {}),
  };
}
