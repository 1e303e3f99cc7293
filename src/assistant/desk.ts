import { type CallReply, type CallRequest, type Host, isAnswer } from "../host/port.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";

/** What the assistant needs of a host: nothing that has rights of its own. */
export type AssistantHost = Pick<Host, "call">;

export interface SeenWindow {
  readonly app: string;
  readonly title: string;
  readonly pid: number;
  readonly id: number;
  readonly focused: boolean;
  readonly state: readonly string[];
}

/** An element as the tools read and find tell it. */
export interface SeenElement {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
  /** A taught name. */
  readonly n?: string;
  readonly v?: string;
  readonly f?: true;
  readonly e?: false;
  readonly s?: true;
  readonly x?: readonly string[];
  readonly k?: string;
  /** Its description. */
  readonly d?: string;
  readonly aria?: {
    readonly role?: string;
    readonly id?: string;
    readonly controls?: readonly string[];
  };
  readonly source?: string;
  readonly c?: readonly SeenElement[];
}

export interface Match extends SeenElement {
  readonly score: number;
  readonly why: string;
  /** The containers, outermost first. */
  readonly in: readonly string[];
  readonly app: string;
  readonly window: string;
  /** The window's id. */
  readonly id: number;
}

type Pair = readonly [string, string];

interface ChangedPart {
  readonly r: string;
  readonly t?: string;
  readonly v?: string;
  readonly name?: Pair;
  readonly value?: Pair;
  readonly states?: Pair;
}

export interface SeenEffect {
  readonly effect: "confirmed" | "partial" | "unverified" | "no-change" | "wrong-target" | "would";
  readonly target: string | (Partial<SeenElement> & { readonly app?: string; readonly window?: string });
  readonly evidence?: readonly string[];
  readonly changes?: {
    readonly openedWindows?: readonly { readonly app: string; readonly title: string }[];
    readonly closedWindows?: readonly { readonly app: string; readonly title: string }[];
    readonly changed?: readonly ChangedPart[];
    readonly appeared?: readonly ChangedPart[];
  };
}

export type Input = Readonly<Record<string, unknown>>;

/** The desktop as the tools of a host give it. */
export class Desk {
  constructor(
    private readonly host: AssistantHost,
    private readonly options: {
      readonly signal?: (() => AbortSignal) | undefined;
      readonly isTyped?: boolean | undefined;
      /** The origin of the model that the answers go to. */
      readonly recipient?: string | undefined;
    },
  ) {}

  call(tool: string, input: Input, formats: CallRequest["formats"]): Promise<CallReply> {
    const { isTyped, recipient } = this.options;
    return this.host.call({ tool, input, formats, isTyped, recipient }, { signal: this.options.signal?.() });
  }

  async ask<Answer extends object>(tool: string, input: Input): Promise<Result<Answer>> {
    const reply = await this.call(tool, input, ["data"]);
    if (reply.failure !== undefined) return fail(reply.failure);
    return isAnswer<Answer>(reply.data) ? succeed(reply.data) : fail(makeFailure("FAILED", "the host gave no answer"));
  }

  act(tool: string, input: Input): Promise<Result<SeenEffect>> {
    return this.ask<SeenEffect>(tool, input);
  }

  async listWindows(): Promise<Result<readonly SeenWindow[]>> {
    const listed = await this.ask<{ windows: readonly SeenWindow[] }>("list", {});
    return listed.ok ? succeed(listed.value.windows) : listed;
  }

  async read(windowId: number): Promise<Result<readonly SeenElement[]>> {
    const read = await this.ask<{ elements?: readonly SeenElement[] }>("read", { windowId });
    return read.ok ? succeed(flatten(read.value.elements ?? [])) : read;
  }

  async find(input: Input): Promise<Result<readonly Match[]>> {
    const found = await this.ask<{ matches: readonly Match[] }>("find", { max: 6, ...input });
    if (found.ok) return succeed(found.value.matches);
    return isAbsence(found.failure) ? succeed([]) : found;
  }
}

export function isAbsence({ code }: Failure): boolean {
  return code === "NOT_FOUND";
}

export function flatten(elements: readonly SeenElement[]): readonly SeenElement[] {
  return elements.flatMap((one) => [one, ...flatten(one.c ?? [])]);
}

/** What a person calls it. */
export function nameOf({ n, t, v }: Pick<SeenElement, "n" | "t" | "v">): string {
  return n ?? t ?? v ?? "";
}
