import type { CallReply, CallRequest, HeldTurn, WatchRequest } from "../host/port.ts";
import type { Activity } from "../model/activity.ts";
import type { ChangeLine } from "../model/change-line.ts";
import type { Failure, Result } from "../model/failure.ts";

/**
 * What a client and the daemon say to each other: one JSON object a line, each with its kind as `t`, over a Unix socket.
 *
 *   client  hello   once, first: which protocol, which build of the program, who asks. It need not wait for the answer.
 *   client  call, watch, observe, begin, end, status, ping, leave   each with an `id` of the client's choice, answered under it
 *   client  cancel  ends what has that id: it is answered all the same
 *   daemon  hello   who it is. One of another build says so and answers nothing else but `leave`
 *   daemon  progress, lines, activity   any number of them, before the answer
 *   daemon  answer  the last word on an id
 *   daemon  bye     why the connection ends
 *
 * Nothing is answered in the order in which it was asked. A line that is too long or no such object ends the connection.
 */
export const protocolVersion = 2;

/** The longest line that a client may send, and that a daemon may. */
export const maxRequestBytes = 4 << 20;
export const maxAnswerBytes = 256 << 20;

/** What a client may have under way at once. */
export const maxUnderWay = 64;

export interface Hello {
  readonly t: "hello";
  readonly protocol: number;
  readonly build: string;
  readonly client: string;
  readonly isReadOnly: boolean;
  /** What decides how this client's calls are done, and not which desktop is meant: its PATH, its language. */
  readonly settings: Readonly<Record<string, string>>;
}

export type Question =
  | { readonly t: "call"; readonly id: number; readonly request: CallRequest }
  | { readonly t: "watch"; readonly id: number; readonly request: WatchRequest }
  | { readonly t: "observe"; readonly id: number }
  | {
      readonly t: "begin";
      readonly id: number;
      readonly forMs: number;
      readonly isKept: boolean;
      readonly waitMs: number;
    }
  | { readonly t: "end"; readonly id: number; readonly turn: string }
  | { readonly t: "status"; readonly id: number }
  | { readonly t: "ping"; readonly id: number }
  | { readonly t: "leave"; readonly id: number }
  | { readonly t: "cancel"; readonly id: number };

export type ClientFrame = Hello | Question;

export type Answer =
  | { readonly of: "call"; readonly reply: CallReply }
  /** A watch that is over, or could not begin. */
  | { readonly of: "watch"; readonly failure?: Failure | undefined }
  | { readonly of: "observe"; readonly failure?: Failure | undefined }
  | { readonly of: "begin"; readonly result: Result<HeldTurn> }
  | { readonly of: "end"; readonly result: Result<null> }
  | { readonly of: "status"; readonly status: DaemonStatus }
  | { readonly of: "ping" | "leave" };

export type DaemonFrame =
  | { readonly t: "hello"; readonly protocol: number; readonly build: string; readonly pid: number }
  | {
      readonly t: "progress";
      readonly id: number;
      readonly done: number;
      readonly total?: number | undefined;
      readonly words: string;
    }
  | { readonly t: "lines"; readonly id: number; readonly lines: readonly ChangeLine[] }
  | { readonly t: "activity"; readonly id: number; readonly activity: Activity }
  | { readonly t: "answer"; readonly id: number; readonly answer: Answer }
  | { readonly t: "bye"; readonly why: string };

/** What `deskmap serve status` tells. */
export interface DaemonStatus {
  readonly pid: number;
  readonly build: string;
  readonly sinceMs: number;
  readonly socket: string;
  readonly display: string;
  /** "unopened" until somebody looks; else what it was when it was last looked at. An open one may lack something. */
  readonly desktop: { readonly state: "unopened" | "open" | "lost"; readonly reason?: string | undefined };
  readonly clients: readonly { readonly name: string; readonly pid: number; readonly sinceMs: number }[];
  readonly watches: number;
  readonly turns: readonly { readonly client: string; readonly untilMs: number }[];
  readonly requests: number;
  /** Others that were turned away: wrong user, too many. */
  readonly refusals: number;
  readonly memoryBytes: number;
  /** When it ends by itself unless somebody comes; undefined while somebody is there. */
  readonly leavesAtMs?: number | undefined;
  /** How the live tree keeps up; empty until somebody looks. */
  readonly mirror: Readonly<Record<string, unknown>>;
  /** What a person should know about the map. */
  readonly remark?: string | undefined;
}

export function encodeFrame(frame: ClientFrame | DaemonFrame): Uint8Array {
  return Buffer.from(`${JSON.stringify(frame)}\n`);
}

const newLine = 10;

/** Cuts a stream of bytes into lines; false from the moment on at which one is too long. */
export class LineCutter {
  private pieces: Uint8Array[] = [];
  private bytes = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly onLine: (line: string) => void,
  ) {}

  take(chunk: Uint8Array): boolean {
    let rest = chunk;
    for (let end = rest.indexOf(newLine); end >= 0; end = rest.indexOf(newLine)) {
      this.keep(rest.subarray(0, end));
      if (this.bytes > this.maxBytes) return false;
      const line = Buffer.concat(this.pieces).toString("utf8");
      this.pieces = [];
      this.bytes = 0;
      this.onLine(line);
      rest = rest.subarray(end + 1);
    }
    // What is not consumed now may be overwritten by the next chunk.
    this.keep(Uint8Array.from(rest));
    return this.bytes <= this.maxBytes;
  }

  private keep(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.pieces.push(piece);
    this.bytes += piece.length;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextMap(value: unknown): boolean {
  return isFields(value) && Object.values(value).every(isText);
}

function isOptional(value: unknown, type: "number" | "string" | "boolean"): boolean {
  return value === undefined || typeof value === type;
}

function isCallRequest(value: unknown): boolean {
  if (!isFields(value) || !isText(value.tool) || !isFields(value.input) || !Array.isArray(value.formats)) return false;
  const isFormat = (one: unknown): boolean => ["data", "json", "text", "csv"].includes(String(one));
  const areFlags = [value.isPretty, value.isTyped, value.isTraced].every((one) => isOptional(one, "boolean"));
  return value.formats.every(isFormat) && areFlags && isOptional(value.turn, "string") && isTimeout(value.timeoutMs);
}

const longestTimeoutMs = 600_000;

function isTimeout(value: unknown): boolean {
  if (value === undefined) return true;
  return typeof value === "number" && Number.isInteger(value) && value > 0 && value <= longestTimeoutMs;
}

const clientFrames: Readonly<Record<ClientFrame["t"], (value: Fields) => boolean>> = {
  hello: ({ protocol, build, client, isReadOnly, settings }) =>
    Number.isInteger(protocol) &&
    isText(build) &&
    isText(client) &&
    client.length <= longestName &&
    typeof isReadOnly === "boolean" &&
    isTextMap(settings),
  call: ({ id, request }) => isId(id) && isCallRequest(request),
  watch: ({ id, request }) => isId(id) && isFields(request) && isFields(request.input) && isTimeout(request.timeoutMs),
  observe: ({ id }) => isId(id),
  begin: ({ id, forMs, isKept, waitMs }) =>
    isId(id) && Number.isSafeInteger(forMs) && typeof isKept === "boolean" && isTimeout(waitMs),
  end: ({ id, turn }) => isId(id) && isText(turn),
  status: ({ id }) => isId(id),
  ping: ({ id }) => isId(id),
  leave: ({ id }) => isId(id),
  cancel: ({ id }) => isId(id),
};

const longestName = 200;

function isId(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** What a client said; undefined where it is nothing that a client says. */
export function parseClientFrame(line: string): ClientFrame | undefined {
  const value = parse(line);
  return isClientFrame(value) ? value : undefined;
}

function isClientFrame(value: unknown): value is ClientFrame {
  if (!isFields(value) || !isText(value.t) || !Object.hasOwn(clientFrames, value.t)) return false;
  const check: ((fields: Fields) => boolean) | undefined = Reflect.get(clientFrames, value.t);
  return check?.(value) === true;
}

/** What the daemon said: it is the same build, which is why its word is taken. */
export function parseDaemonFrame(line: string): DaemonFrame | undefined {
  const value = parse(line);
  return isDaemonFrame(value) ? value : undefined;
}

const daemonKinds: readonly unknown[] = ["hello", "progress", "lines", "activity", "answer", "bye"];

function isDaemonFrame(value: unknown): value is DaemonFrame {
  return isFields(value) && daemonKinds.includes(value.t);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
