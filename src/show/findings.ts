import * as z from "zod/mini";
import { screenSpace } from "../model/bounds.ts";
import { cleanLine, quoteName } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import type { Finding, Findings, MarkedElement } from "../model/view.ts";
import { cellsOf, elementColumns, joinRows } from "./csv.ts";
import { elementFields, withoutChildren } from "./element.ts";
import { type DataOf, type Forms, notes, space } from "./output.ts";
import { nameControl, nameWindow, showElement } from "./text.ts";

export interface Found extends Findings {
  readonly words: string;
}

const matchOutput = () =>
  z.strictObject({
    ...elementFields(),
    score: z.number(),
    why: z.string(),
    in: z.array(z.string()),
    app: z.string(),
    window: z.string(),
    id: z.number(),
  });

export const findingsOutput = () =>
  z.strictObject({
    words: z.string(),
    space: z.optional(space()),
    matches: z.array(matchOutput()),
    more: z.optional(z.number()),
    partial: z.optional(z.array(z.strictObject({ app: z.string(), id: z.number(), notes: notes() }))),
  });

export type FindingsData = DataOf<typeof findingsOutput>;

export const findingsForms: Forms<Found, FindingsData> = {
  data({ words, found, leftOut, gaps }) {
    const matches = found.map(({ element, ancestors, window, score, reason }) => ({
      ...withoutChildren(element, { withPoints: true }),
      score,
      why: reason,
      in: listNamed(ancestors).map(({ role, name }) => `${shortRole(role)} ${name}`),
      app: window.app,
      window: window.title,
      id: window.id,
    }));
    const partial = gaps.map(({ window, notes: why }) => ({ app: window.app, id: window.id, notes: why }));
    return {
      words,
      space: screenSpace,
      matches,
      ...(leftOut > 0 ? { more: leftOut } : {}),
      ...(gaps.length > 0 ? { partial } : {}),
    };
  },
  /** Best first: the element as in a read, its score, the reason, and its container. */
  text({ found, leftOut, gaps }) {
    let title = "";
    const lines = found.flatMap((one) => {
      const header = `# ${nameWindow(one.window)}`;
      const line = `${showElement(one.element, { withPoints: true, isFlat: true })}  ${one.score} ${cleanLine(one.reason)}${showPath(one)}`;
      const isSame = header === title;
      title = header;
      return isSame ? [line] : [header, line];
    });
    const more = leftOut === 0 ? [] : [`! ${leftOut} more fit: raise --max, or give more words`];
    return [
      ...lines,
      ...more,
      ...gaps.map(({ window, notes: why }) => `! ${quoteName(window.app)}: ${cleanLine(why[0]?.text ?? "")}`),
    ].join("\n");
  },
  csv({ found }) {
    const rows = found.map(({ element, window, score, reason }) => {
      return [String(window.id), ...cellsOf(element), String(score), reason];
    });
    return joinRows(`window,${elementColumns},score,why`, rows);
  },
};

function showPath({ ancestors }: Finding): string {
  const nearest = listNamed(ancestors).at(-1);
  return nearest === undefined ? "" : `, in ${nameControl({ ...nearest, mark: 0 })}`;
}

/** The named containers without the window, which is in the header. */
function listNamed(ancestors: readonly MarkedElement[]): MarkedElement[] {
  return ancestors.slice(1).filter(({ name }) => name !== "");
}
