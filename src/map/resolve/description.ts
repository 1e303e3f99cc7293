import type { Bounds } from "../../model/bounds.ts";
import type { StoredRef } from "../../model/ref.ts";

/**
 * Everything known about one control, from any source: a ref of the map, a step of a demo, an element of a page. All
 * fields are optional; an absent field is no evidence.
 */
export interface Description {
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  readonly role?: string | undefined;
  readonly tag?: string | undefined;
  readonly name?: string | undefined;
  /** The visible text, where it is distinct from the name. */
  readonly text?: string | undefined;
  /** Automation id, accessible id or DOM id. */
  readonly id?: string | undefined;
  readonly class?: string | undefined;
  readonly href?: string | undefined;
  readonly xpath?: string | undefined;
  /** The containers, outermost first, each as a short text. */
  readonly path?: readonly string[] | undefined;
  /** Adjacent texts, nearest first. */
  readonly neighbours?: readonly string[] | undefined;
  readonly sisters?: readonly [before: string, after: string] | undefined;
  /** The index among siblings that look alike, from 0, and their count. */
  readonly index?: number | undefined;
  readonly count?: number | undefined;
  /** How many other elements looked the same when it was described. */
  readonly twins?: number | undefined;
  readonly bounds?: Bounds | undefined;
  /** Any other attribute by name: type, alt, title, placeholder, … */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
}

export function describeRef(ref: StoredRef): Description {
  return {
    app: ref.app,
    window: ref.windows[0],
    role: ref.role,
    name: ref.name,
    id: ref.platformId,
    path: ref.path.map(({ role, name, index, count }) => `${role} ${name}${count > 1 ? ` ${index}` : ""}`),
    neighbours: ref.owner === "" ? [] : [ref.owner],
    index: ref.index,
    count: ref.count,
    twins: ref.twins,
    sisters: ref.sisters,
    bounds: ref.bounds,
  };
}
