import { rolesNamed } from "../src/model/role.ts";
import type { DeskControl, DeskModel, DeskWindow } from "./desk-model.ts";

/** A filter for controls as a person types it: words, role:, app:, window:, state: and #mark. All parts must match. */
export interface Query {
  readonly isEmpty: boolean;
  /** Words before a colon that are not a known key. */
  readonly unknownKeys: readonly string[];
  fits(control: DeskControl, window: DeskWindow | undefined): boolean;
}

type Part = (control: DeskControl, window: DeskWindow | undefined) => boolean;

const makers: Readonly<Record<string, (word: string) => Part>> = {
  role: (word) => {
    const roles = rolesNamed(word);
    // An incomplete role matches by prefix while it is typed.
    return ({ role }) => (roles.length === 0 ? role.startsWith(word) : roles.includes(role));
  },
  app: (word) => (_, window) => window?.app.toLowerCase().includes(word) === true,
  window: (word) => (_, window) => window?.title.toLowerCase().includes(word) === true,
  state: (word) => (control) => control.states.some((state) => state.startsWith(word)),
};

export function parseQuery(text: string): Query {
  const tokens = text.toLowerCase().match(/(?:[a-z]+:)?"[^"]*"?|\S+/g) ?? [];
  const parts = tokens.map(makePart);
  const keys = tokens.map((token) => /^([a-z]+):/.exec(token)?.[1]).filter((key) => key !== undefined);
  return {
    isEmpty: parts.length === 0,
    unknownKeys: keys.filter((key) => !Object.hasOwn(makers, key)),
    fits: (control, window) => parts.every((part) => part(control, window)),
  };
}

/** A token with an unknown key is searched as plain text; if nothing matches, this lists the known keys. */
export function describeUnknownKeys(keys: readonly string[]): string {
  return `unknown key ${keys.join(", ")}: ${Object.keys(makers).join(", ")}`;
}

function makePart(token: string): Part {
  const [, kind = "", quoted] = /^([a-z]+):(.*)$/s.exec(token) ?? [];
  const maker = Object.hasOwn(makers, kind) ? makers[kind] : undefined;
  if (maker !== undefined) return maker(unquote(quoted ?? ""));
  const mark = /^#(\d+)$/.exec(token)?.[1];
  if (mark !== undefined) return (control) => control.mark === Number(mark);
  const word = unquote(token);
  return ({ name, value, taught }) =>
    name.toLowerCase().includes(word) || value.toLowerCase().includes(word) || taught.toLowerCase().includes(word);
}

function unquote(text: string): string {
  return text.replaceAll('"', "");
}

/** The marks of all matching controls, in tree order. */
export function listFitting(model: DeskModel, query: Query): number[] {
  const found: number[] = [];
  const visit = (marks: readonly number[], window: DeskWindow): void => {
    for (const mark of marks) {
      const control = window.controls.get(mark);
      if (control === undefined) continue;
      if (query.fits(control, window)) found.push(mark);
      visit(control.children, window);
    }
  };
  if (!query.isEmpty) for (const window of model.windows.values()) visit(window.children, window);
  return found;
}
