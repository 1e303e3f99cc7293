import type { Bounds, Point } from "../model/bounds.ts";
import type { Pattern } from "../model/pattern.ts";
import type { Again } from "../model/portrait.ts";
import type { Ref } from "../model/ref.ts";
import type { Role } from "../model/role.ts";
import type { Source } from "../model/target.ts";
import type { TrialTool } from "./trials.ts";

/** Methods of the panel Element, by their names. */
export interface ElementMethods {
  /** Everything about a mark that is known at once. */
  readonly "element.detail": { readonly params: MarkParams; readonly value: ElementDetail };
  /** How it would be found again: it is weighed against everything that is there. */
  readonly "element.evidence": { readonly params: MarkParams; readonly value: Evidence };
  readonly "element.picture": {
    readonly params: MarkParams & { readonly scale: number };
    readonly value: ElementPicture;
  };
  /** Does something to it, through the guard like every client. */
  readonly "element.try": { readonly params: TryParams; readonly value: Tried };
}

export type ElementEvents = Readonly<Record<never, never>>;

interface MarkParams {
  readonly mark: number;
}

interface TryParams extends MarkParams {
  readonly tool: TrialTool;
  /** What is set or typed, which way is scrolled, which of its own actions is performed. */
  readonly text?: string | undefined;
  readonly direction?: "up" | "down" | undefined;
  readonly name?: string | undefined;
}

/** The answer of the tool `element`. */
export interface ElementDetail {
  readonly mark: number;
  readonly there: boolean;
  readonly now?: ElementNow;
  /** Why it is not there. */
  readonly why?: { readonly code: string; readonly message: string; readonly try?: string };
  readonly memory: ElementMemory;
}

export interface ElementNow {
  readonly app: string;
  readonly pid: number;
  readonly window: string;
  readonly windowId: number;
  readonly role: Role;
  readonly platformRole: string;
  readonly name: string;
  readonly ownName: string;
  readonly description: string;
  readonly value: string;
  readonly states: readonly string[];
  readonly bounds?: Bounds;
  readonly clickPoint?: Point;
  readonly patterns: readonly Pattern[];
  readonly actions: readonly string[];
  readonly platformActions: readonly string[];
  readonly shortcut: string;
  readonly platformId: string;
  readonly url: string;
  /** What it is inside of, the window first. */
  readonly inside: readonly { readonly mark?: number; readonly role: Role; readonly name: string }[];
  readonly notes?: readonly { readonly code: string; readonly text: string }[];
}

export interface ElementMemory {
  readonly app: string;
  readonly window: string;
  readonly taught: string;
  readonly confidence: number;
  readonly source: Source;
  readonly certainty?: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly hits: number;
  readonly misses: number;
  readonly same: number;
  readonly moved: number;
  readonly missing: number;
  readonly layoutVersion: number;
  readonly feedback?: string;
  readonly why: readonly { readonly because: string; readonly confidence: number }[];
  readonly history: readonly PastMoment[];
  readonly ref: Omit<Ref, "runtimeId">;
}

/** How far it was relied on at some time, and what had been done to it until then. */
export interface PastMoment {
  readonly at: string;
  readonly confidence: number;
  readonly hits: number;
  readonly misses: number;
}

export type Evidence = Again;

export interface ElementPicture {
  /** The number of the file that came before. */
  readonly picture: number;
  readonly width: number;
  readonly height: number;
}

/** What came of it, as every client is told. */
export interface Tried {
  readonly effect: string;
  readonly did: string;
  readonly way: string;
  readonly evidence: readonly string[];
  /** The whole answer, in lines. */
  readonly lines: string;
  readonly exitCode: number;
}
