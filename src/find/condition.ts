import { type Element, flatten } from "../model/element.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { type Role, rolesNamed } from "../model/role.ts";
import type { State } from "../model/state.ts";
import { normalise } from "./match.ts";
import { nearest } from "./nearest.ts";

/** The element a condition is about. */
export type Subject =
  | { readonly by: "mark"; readonly mark: number }
  /** An exact name, with a role if given; without a name any element of the role. */
  | { readonly by: "name"; readonly name: string | undefined; readonly roles: readonly Role[] }
  | { readonly by: "words"; readonly words: string };

/** A statement about the screen, as people phrase it. */
export type Condition =
  | { readonly kind: "still" }
  | { readonly kind: "window"; readonly title: string; readonly isOpen: boolean }
  | { readonly kind: "present"; readonly subject: Subject; readonly isPresent: boolean }
  | { readonly kind: "state"; readonly subject: Subject; readonly state: State; readonly isSo: boolean }
  | { readonly kind: "value"; readonly subject: Subject; readonly value: string; readonly isWhole: boolean }
  | { readonly kind: "changes"; readonly subject: Subject };

interface Form {
  readonly pattern: RegExp;
  build(groups: readonly string[]): Condition | undefined;
}

/** The state each word stands for, and whether it must hold. */
const stateWords: Readonly<Record<string, readonly [State, boolean]>> = {
  enabled: ["disabled", false],
  disabled: ["disabled", true],
  checked: ["checked", true],
  unchecked: ["checked", false],
  on: ["checked", true],
  off: ["checked", false],
  selected: ["selected", true],
  focused: ["focused", true],
  expanded: ["expanded", true],
  collapsed: ["collapsed", true],
  pressed: ["pressed", true],
  readonly: ["readonly", true],
  busy: ["busy", true],
  required: ["required", true],
  invalid: ["invalid", true],
};

/** The first form that matches is used. */
const forms: readonly Form[] = [
  { pattern: /^(?:the )?screen(?: is)? still$/i, build: () => ({ kind: "still" }) },
  {
    pattern: /^window (.+?) (opens|is open|closes|is closed)$/i,
    build: ([title = "", verb = ""]) => ({ kind: "window", title: unquote(title), isOpen: /open/i.test(verb) }),
  },
  {
    pattern: /^(.+?) (appears|is there|exists|is visible)$/i,
    build: ([subject = ""]) => ({ kind: "present", subject: readSubject(subject), isPresent: true }),
  },
  {
    pattern: /^(.+?) (disappears|is gone|vanishes|is hidden)$/i,
    build: ([subject = ""]) => ({ kind: "present", subject: readSubject(subject), isPresent: false }),
  },
  {
    pattern: /^(.+?) (?:becomes|is) (not )?([a-z]+)$/i,
    build: ([subject = "", not = "", word = ""]) => {
      const meant = stateWords[word.toLowerCase()];
      if (meant === undefined) return undefined;
      const [state, isSo] = meant;
      return { kind: "state", subject: readSubject(subject), state, isSo: not === "" ? isSo : !isSo };
    },
  },
  {
    pattern: /^(.+?) (?:has value|holds|is set to|=) (.*)$/is,
    build: ([subject = "", value = ""]) => {
      return { kind: "value", subject: readSubject(subject), value: unquote(value), isWhole: true };
    },
  },
  {
    pattern: /^(.+?) contains (.+)$/is,
    build: ([subject = "", value = ""]) => {
      return { kind: "value", subject: readSubject(subject), value: unquote(value), isWhole: false };
    },
  },
  {
    pattern: /^(.+?) changes(?: its)?(?: value)?$/i,
    build: ([subject = ""]) => ({ kind: "changes", subject: readSubject(subject) }),
  },
];

const examples = [
  'button "Save" appears',
  "12 disappears",
  'input "Name" has value "Ada"',
  '"Status" contains "ready"',
  "12 changes",
  'button "OK" becomes enabled',
  'window "Save As" opens',
  "screen still",
];

export function parseCondition(text: string): Result<Condition> {
  const trimmed = text.trim();
  for (const { pattern, build } of forms) {
    const match = pattern.exec(trimmed);
    const condition = match && build(match.slice(1).map((group) => group ?? ""));
    if (condition) return succeed(condition);
  }
  return fail(
    makeFailure("USAGE", `"${trimmed}" is not a condition`, `one like: ${examples.join("; ")}`, {
      nearest: nearest(trimmed, examples),
    }),
  );
}

/** A mark, a quoted name with or without a role, or words as for find. */
function readSubject(text: string): Subject {
  if (/^\d+$/.test(text)) return { by: "mark", mark: Number(text) };
  const named = /^(?:([a-z]+) )?(["'“])(.*)["'”]$/i.exec(text);
  const roles = named?.[1] === undefined ? [] : rolesNamed(named[1]);
  if (named !== null && (named[1] === undefined || roles.length > 0)) {
    return { by: "name", name: named[3] ?? "", roles };
  }
  const only = rolesNamed(text);
  return only.length > 0 ? { by: "name", name: undefined, roles: only } : { by: "words", words: text };
}

function unquote(text: string): string {
  return /^(["'“])(.*)["'”]$/s.exec(text.trim())?.[2] ?? text.trim();
}

export function describeSubject(subject: Subject): string {
  switch (subject.by) {
    case "mark":
      return String(subject.mark);
    case "name":
      return `${subject.roles[0] ?? "element"}${subject.name === undefined ? "" : ` "${subject.name}"`}`;
    case "words":
      return `"${subject.words}"`;
  }
}

/** Visible elements with exactly that name, compared as labels. */
export function findNamed(roots: readonly Element[], { name, roles }: Subject & { readonly by: "name" }): Element[] {
  const sought = name === undefined ? undefined : normalise(name);
  return flatten(roots).filter((element) => {
    if (element.states.has("hidden") || (roles.length > 0 && !roles.includes(element.role))) return false;
    return sought === undefined || normalise(element.name) === sought;
  });
}

/** Whether the element meets the condition; `first` is its content when the wait began. */
export function isMet(condition: Condition, element: Element | undefined, first: string | undefined): boolean {
  switch (condition.kind) {
    case "present":
      return (element !== undefined) === condition.isPresent;
    case "state":
      return element !== undefined && hasState(element, condition.state) === condition.isSo;
    case "value":
      return element !== undefined && holds(element, condition.value, condition.isWhole);
    case "changes":
      return element !== undefined && first !== undefined && contentOf(element) !== first;
    default:
      return false;
  }
}

/** A toggle button that is pressed counts as checked. */
function hasState({ states }: Element, state: State): boolean {
  return states.has(state) || (state === "checked" && states.has("pressed"));
}

function holds(element: Element, value: string, isWhole: boolean): boolean {
  const texts = element.value === "" ? [element.name, element.value] : [element.value];
  return texts.some((text) => (isWhole ? text === value || isSameNumber(text, value) : text.includes(value)));
}

function isSameNumber(a: string, b: string): boolean {
  return a.trim() !== "" && b.trim() !== "" && Number(a) === Number(b);
}

/** What may change on an element: its name, value and check state. */
export function contentOf({ name, value, states }: Element): string {
  return JSON.stringify([name, value, states.has("checked"), states.has("pressed")]);
}
