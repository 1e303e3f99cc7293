import type { Point } from "../model/bounds.ts";
import { patternsOf } from "../model/pattern.ts";
import { cleanLine, quoteName, quoteText } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import type { Located, MarkedElement } from "../model/view.ts";
import { cellsOf, elementColumns, joinRows } from "./csv.ts";
import { elementToJson, stringify } from "./json.ts";
import { maxNameLength, showElement } from "./text.ts";

/** The element, then what a person picking it wants to know, then what it is inside of, from the inside out. */
export function showLocated({ window, element, ancestors, notes }: Located): string {
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
    `# ${quoteName(window.app)} ${quoteText(window.title, maxNameLength)}`,
    ...notes.map((note) => `! ${note.code} ${cleanLine(note.text)}`),
    showElement(element, { withPoints: false, isFlat: true }),
    ...facts.map((fact) => ` ${fact}`),
    ...ancestors.toReversed().map((one) => `in ${showAncestor(one)}`),
  ].join("\n");
}

function showAncestor(element: MarkedElement): string {
  const name = element.name === "" ? "" : ` ${quoteText(element.name, maxNameLength)}`;
  return `${element.mark === 0 ? "" : `${element.mark} `}${shortRole(element.role)}${name}`;
}

export function locatedToJson({ window, element, ancestors, notes }: Located, point: Point, isPretty: boolean): string {
  const { platformRole, platformActions, platformId, runtimeId } = element;
  const json = {
    at: [point.x, point.y],
    app: window.app,
    pid: window.pid,
    window: window.title,
    id: window.id,
    element: {
      ...elementToJson({ ...element, children: [] }, { withPoints: true }),
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
  return stringify(json, isPretty);
}

/** From the window to the element, a row each. */
export function locatedToCsv({ window, element, ancestors }: Located): string {
  const rows = [...ancestors, element].map((one) => [String(window.id), ...cellsOf(one)]);
  return joinRows(`window,${elementColumns}`, rows);
}
