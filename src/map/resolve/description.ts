import type { Bounds } from "../../model/bounds.ts";
import type { Ref } from "../../model/ref.ts";

/**
 * Everything that may be known of one control, from whichever source: a ref of the map, a step of a demo, an element of a
 * page. Nothing is required; what is absent is no evidence.
 */
export interface Description {
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  readonly role?: string | undefined;
  readonly tag?: string | undefined;
  /** What a person would call it. */
  readonly name?: string | undefined;
  /** The text that it shows, where that is told apart from its name. */
  readonly text?: string | undefined;
  /** Automation id, accessible id or DOM id. */
  readonly id?: string | undefined;
  readonly class?: string | undefined;
  readonly href?: string | undefined;
  readonly xpath?: string | undefined;
  /** The containers that it is in, outermost first, each in a few words. */
  readonly path?: readonly string[] | undefined;
  /** Texts beside it, nearest first. */
  readonly neighbours?: readonly string[] | undefined;
  /** What its nearest sisters before and after it are called. */
  readonly sisters?: readonly [before: string, after: string] | undefined;
  /** Which one among sisters that look alike, counted from 0, and how many they are. */
  readonly index?: number | undefined;
  readonly count?: number | undefined;
  /** How many others looked the same when it was described. */
  readonly twins?: number | undefined;
  readonly bounds?: Bounds | undefined;
  /** Anything else by name: type, alt, title, placeholder, name of a form's field, … */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
}

export function describeRef(ref: Omit<Ref, "runtimeId">): Description {
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
