import * as z from "zod/mini";
import type { Aria } from "../model/element.ts";
import { shorten, shortenStart } from "../model/plain-text.ts";
import { type Role, shortRole } from "../model/role.ts";
import { sources } from "../model/source.ts";
import { type State, shownStates } from "../model/state.ts";
import { firstConfidence } from "../model/target.ts";
import type { MarkedElement } from "../model/view.ts";
import { box, type DataOf, spot, titled } from "./output.ts";

interface ElementOptions {
  readonly withPoints: boolean;
  readonly withAria?: boolean | undefined;
}

const maxTextLength = 500;

/** Short keys; usual values are left out. docs/tools.md lists the keys. */
export const elementOutput = () => {
  const element = z.strictObject({
    i: z.number(),
    r: z.string(),
    t: z.optional(z.string()),
    n: z.optional(z.string()),
    v: z.optional(z.string()),
    d: z.optional(z.string()),
    b: z.optional(box()),
    p: z.optional(spot()),
    f: z.optional(z.literal(true)),
    e: z.optional(z.literal(false)),
    s: z.optional(z.literal(true)),
    x: z.optional(z.array(z.string())),
    a: z.optional(z.array(z.string())),
    k: z.optional(z.string()),
    aria: z.optional(
      z.strictObject({
        role: z.optional(z.string()),
        id: z.optional(z.string()),
        controls: z.optional(z.array(z.string())),
      }),
    ),
    source: z.optional(z.enum(sources)),
    confidence: z.optional(z.number()),
    get c() {
      return z.optional(z.array(element));
    },
  });
  return titled("Element", element);
};

export const elementFields = () => z.omit(elementOutput(), { c: true }).shape;

export type ElementData = DataOf<typeof elementOutput>;

/** Mutable, and filled key by key for speed: a large window has tens of thousands of elements. */
type Filled = z.infer<ReturnType<typeof elementOutput>>;

export function elementToData(element: MarkedElement, options: ElementOptions): Filled {
  const data = withoutChildren(element, options);
  if (element.children.length > 0) data.c = element.children.map((child) => elementToData(child, options));
  return data;
}

export function withoutChildren(element: MarkedElement, options: ElementOptions): Filled {
  const { bounds, states, description, actions, shortcut, aria } = element;
  const data = compactElement(element, options);
  if (description !== "" && description !== element.name) data.d = shorten(description, maxTextLength);
  if (bounds !== undefined) data.b = [bounds.x, bounds.y, bounds.width, bounds.height];
  const others = otherStates.filter((state) => states.has(state));
  if (others.length > 0) data.x = others;
  if (actions.length > 0) data.a = [...actions];
  if (shortcut !== "") data.k = shortcut;
  if (options.withAria === true && aria !== undefined) data.aria = ariaToData(aria);
  return data;
}

function ariaToData({ role, id, controls }: Aria): NonNullable<Filled["aria"]> {
  return {
    ...(role === undefined ? {} : { role }),
    ...(id === undefined ? {} : { id }),
    ...(controls === undefined ? {} : { controls: [...controls] }),
  };
}

/** Only its name, its value and some states. */
export function compactElement(element: MarkedElement, options: ElementOptions): Filled {
  const { states, clickPoint } = element;
  const data: Filled = { i: element.mark, r: shortRole(element.role) };
  if (element.name !== "") data.t = shorten(element.name, maxTextLength);
  if (element.taught !== undefined) data.n = shorten(element.taught, maxTextLength);
  const value = shownValueOf(element);
  if (value !== "") data.v = cutValue(element.role, value, maxTextLength);
  if (options.withPoints && clickPoint !== undefined) data.p = [clickPoint.x, clickPoint.y];
  if (states.has("focused")) data.f = true;
  if (states.has("disabled")) data.e = false;
  if (states.has("selected")) data.s = true;
  const source = describeSource(element);
  return source === undefined ? data : Object.assign(data, source);
}

/** An element's source and confidence; undefined if it comes from the accessibility tree. */
export function describeSource({ source, certainty }: Pick<MarkedElement, "source" | "certainty">) {
  if (source === "a11y") return undefined;
  return { source, confidence: Math.round(firstConfidence(source, certainty) * 100) / 100 };
}

/** A long value is cut at its end; a terminal's at its start, since the news is at the end. */
export function cutValue(role: Role, value: string, maxLength: number): string {
  return role === "terminal" ? shortenStart(value, maxLength) : shorten(value, maxLength);
}

/** States that have a key of their own, or are the value. */
const keyedStates: ReadonlySet<State> = new Set<State>(["focused", "disabled", "selected", "checked", "mixed"]);
export const otherStates = shownStates.filter((state) => !keyedStates.has(state));

/** A check box's state is its value. */
export function shownValueOf(element: MarkedElement): string {
  if (element.value !== "") return element.value;
  if (element.states.has("mixed")) return "mixed";
  if (element.states.has("checked")) return "checked";
  const isCheckable = element.states.has("checkable") || ["checkbox", "radio", "switch"].includes(element.role);
  return isCheckable ? "unchecked" : "";
}
