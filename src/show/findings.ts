import { cleanLine, quoteName, quoteText } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import type { Finding, Findings, MarkedElement } from "../model/view.ts";
import { cellsOf, elementColumns, joinRows } from "./csv.ts";
import { elementToJson, stringify } from "./json.ts";
import { maxNameLength, showElement } from "./text.ts";

/** Best first; each line is the element as a read shows it, then how well it fits and why, and where it is. */
export function showFindings({ found, leftOut, gaps }: Findings): string {
  let title = "";
  const lines = found.flatMap((one) => {
    const header = `# ${quoteName(one.window.app)} ${quoteText(one.window.title, maxNameLength)}`;
    const line = `${showElement(one.element, { withPoints: true, isFlat: true })}  ${one.score} ${cleanLine(one.reason)}${showPath(one)}`;
    const isSame = header === title;
    title = header;
    return isSame ? [line] : [header, line];
  });
  const more = leftOut === 0 ? [] : [`! ${leftOut} more fit: raise --max, or give more words`];
  return [
    ...lines,
    ...more,
    ...gaps.map(({ window, notes }) => `! ${quoteName(window.app)}: ${cleanLine(notes[0]?.text ?? "")}`),
  ].join("\n");
}

export function findingsToJson(words: string, { found, leftOut, gaps }: Findings, isPretty: boolean): string {
  const matches = found.map(({ element, ancestors, window, score, reason }) => ({
    ...elementToJson({ ...element, children: [] }, { withPoints: true }),
    score,
    why: reason,
    in: listNamed(ancestors).map(({ role, name }) => `${shortRole(role)} ${name}`),
    app: window.app,
    window: window.title,
    id: window.id,
  }));
  const partial = gaps.map(({ window, notes }) => ({ app: window.app, id: window.id, notes }));
  return stringify(
    { words, matches, ...(leftOut > 0 ? { more: leftOut } : {}), ...(gaps.length > 0 ? { partial } : {}) },
    isPretty,
  );
}

export function findingsToCsv({ found }: Findings): string {
  const rows = found.map(({ element, window, score, reason }) => {
    return [String(window.id), ...cellsOf(element), String(score), reason];
  });
  return joinRows(`window,${elementColumns},score,why`, rows);
}

function showPath({ ancestors }: Finding): string {
  const nearest = listNamed(ancestors).at(-1);
  return nearest === undefined ? "" : `, in ${shortRole(nearest.role)} ${quoteText(nearest.name, maxNameLength)}`;
}

/** The containers that tell where something is; the window stands in the header. */
function listNamed(ancestors: readonly MarkedElement[]): MarkedElement[] {
  return ancestors.slice(1).filter(({ name }) => name !== "");
}
