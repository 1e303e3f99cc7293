import type { CallReply, HeldTurn, Listened, RingState } from "../host/port.ts";
import type { Activity } from "../model/activity.ts";
import { parseJson } from "../model/caught.ts";
import type { ChangeLine } from "../model/change-line.ts";
import type { RecordedAction } from "../model/demo.ts";
import type { Failure, Result } from "../model/failure.ts";
import type { SentPart } from "../model/sending.ts";
import type { ClientFrame, DaemonStatus } from "./client-frame.ts";

/**
 * The protocol between a client and the daemon: one JSON object per line over a Unix socket, with its kind as `t`.
 *
 *   client  hello   first, once: protocol, build, client. The client need not wait for the answer.
 *   client  call, watch, observe, listen, send, ring, recall, begin, end, status, ping, leave   each with an `id` that its answer repeats
 *   client  cancel  ends the request with that id, which is still answered
 *   daemon  hello   its build. To a client of another build it answers nothing but `leave`
 *   daemon  progress, lines, activity, listened, sent   any number, before the answer
 *   daemon  answer  the last message for an id
 *   daemon  bye     why the connection ends
 *
 * Answers come in any order. An invalid or too long line ends the connection.
 */
export const protocolVersion = 4;

export const maxRequestBytes = 4 << 20;
export const maxAnswerBytes = 256 << 20;

export const maxUnderWay = 64;

export type DaemonAnswer =
  | { readonly of: "call"; readonly reply: CallReply }
  /** A watch that has ended, or could not begin. */
  | { readonly of: "watch"; readonly failure?: Failure | undefined }
  | { readonly of: "observe"; readonly failure?: Failure | undefined }
  | { readonly of: "listen"; readonly failure?: Failure | undefined }
  | { readonly of: "send"; readonly failure?: Failure | undefined }
  | { readonly of: "recall"; readonly result: Result<readonly RecordedAction[]> }
  | { readonly of: "ring"; readonly result: Result<RingState> }
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
  | { readonly t: "listened"; readonly id: number; readonly listened: Listened }
  | { readonly t: "sent"; readonly id: number; readonly part: SentPart }
  | { readonly t: "answer"; readonly id: number; readonly answer: DaemonAnswer }
  | { readonly t: "bye"; readonly why: string };

export function encodeFrame(frame: ClientFrame | DaemonFrame): Uint8Array {
  return Buffer.from(`${JSON.stringify(frame)}\n`);
}

const newLine = 10;

/** Cuts a stream of bytes into lines. `take` returns false once a line is too long. */
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
    // Copied: the next chunk may overwrite the buffer.
    this.keep(Uint8Array.from(rest));
    return this.bytes <= this.maxBytes;
  }

  private keep(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.pieces.push(piece);
    this.bytes += piece.length;
  }
}

/** The daemon is of the same build, so only the kind is checked. */
export function parseDaemonFrame(line: string): DaemonFrame | undefined {
  const value = parseJson(line);
  return isDaemonFrame(value) ? value : undefined;
}

const daemonKinds: readonly unknown[] = ["hello", "progress", "lines", "activity", "listened", "sent", "answer", "bye"];

function isDaemonFrame(value: unknown): value is DaemonFrame {
  return typeof value === "object" && value !== null && "t" in value && daemonKinds.includes(value.t);
}
