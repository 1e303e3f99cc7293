import { rolesNamed, shortRole } from "../../model/role.ts";

/** The answer of the tool locate. */
export interface Located {
  readonly verdict: "match" | "not-found" | "ambiguous";
  readonly id?: number;
  readonly role?: string;
  readonly name?: string;
  readonly app?: string;
  readonly window?: string;
  readonly source?: string;
  /** The likeliest, best first. */
  readonly nearest?: readonly { readonly role: string; readonly name: string; readonly window: string }[];
}

export interface SeenPart {
  readonly r: string;
  readonly t?: string;
  readonly c?: readonly SeenPart[];
}

export interface SeenWindow {
  readonly id: number;
  readonly app: string;
  readonly title: string;
  /** x, y, width, height. */
  readonly bounds?: readonly [number, number, number, number];
  readonly state?: readonly string[];
}

/** The answer of the tool element, as far as a replay looks at it. */
export interface Described {
  readonly now?: { readonly platformId: string; readonly value: string };
}

/** A pair of before and after. */
type Pair = readonly [string, string];

/** What an acting tool answers, as far as a replay looks at it. */
export interface SeenEffect {
  readonly effect: string;
  readonly way: string;
  readonly evidence?: readonly string[];
  readonly delivered: boolean;
  readonly target?: string | { readonly app?: string };
  readonly changes?: {
    readonly openedWindows?: readonly SeenWindow[];
    readonly closedWindows?: readonly SeenWindow[];
    readonly appeared?: readonly SeenPart[];
    readonly changed?: readonly (SeenPart & { readonly name?: Pair; readonly value?: Pair; readonly states?: Pair })[];
  };
}

export function isEffect(data: unknown): data is SeenEffect {
  return typeof data === "object" && data !== null && "effect" in data && "delivered" in data;
}

/** The windows front to back. */
export interface ListedWindows {
  readonly windows: readonly SeenWindow[];
}

export function flattenParts(parts: readonly SeenPart[] = []): readonly SeenPart[] {
  return parts.flatMap((part) => [part, ...flattenParts(part.c)]);
}

/** One name for a role, however it is written. */
export function plainRole(role: string): string {
  const [known] = rolesNamed(role);
  return known === undefined ? role : shortRole(known);
}

/** Values are read without outer space and with single spaces. */
export function plainText(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** What stays of a title from run to run: not its numbers, and not the sign of a changed document. */
export function plainTitle(title: string): string {
  return title
    .replace(/^[*•●\s]+|[*•●\s]+$/gu, "")
    .replace(/\d+/g, "#")
    .replace(/\s+/g, " ")
    .toLowerCase();
}

export function isSimilarTitle(a: string, b: string): boolean {
  return plainTitle(a) === plainTitle(b);
}

/** A document's name is part of a title, and another one next time: the rest, such as "Editor", is what both share. */
export function isRelatedTitle(a: string, b: string): boolean {
  if (isSimilarTitle(a, b)) return true;
  const [one, other] = [a, b].map((title) => plainTitle(title).split(/\s[-–—|]\s/));
  const last = one?.at(-1);
  return last !== undefined && last !== "" && (one?.length ?? 0) > 1 && last === other?.at(-1);
}

/** A recording names applications by a key, a list of windows as people call them: one is part of the other. */
export function isSameApp(key: string | undefined, name: string): boolean {
  if (key === undefined) return true;
  const [a, b] = [key.toLowerCase(), name.toLowerCase()];
  return a.includes(b) || b.includes(a);
}

/** Whether it found what has that name, once or several times; something alike under another name is no such thing. */
export function isNamed({ verdict, name = "", nearest = [] }: Located, wanted: string): boolean {
  const found = verdict === "match" ? name : verdict === "ambiguous" ? nearest[0]?.name : undefined;
  return found !== undefined && isSimilarTitle(found, wanted);
}
