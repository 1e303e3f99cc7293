import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { replaceFile } from "../files.ts";
import { createLocked, isLocked, type Lock } from "../lock.ts";
import type { Places } from "../places.ts";
import {
  type Answer,
  type ApprovalRequest,
  answerPath,
  codeOf,
  digestOf,
  listRequests,
  parseRequest,
  readText,
  requestPath,
  type SurfaceCommand,
  type SurfaceNote,
  signedText,
  surfacePath,
  sweep,
} from "./surface.ts";

/** A question as it is shown. The answer signs the digest of its bytes. */
export interface Shown {
  readonly request: ApprovalRequest;
  readonly digest: string;
  readonly code: string;
}

/** A place where a person answers. It is published while it is open; its private key never leaves this process. */
export class Surface {
  private readonly answered = new Answered();

  private constructor(
    private readonly places: Places,
    readonly id: string,
    private readonly privateKey: KeyObject,
    private readonly lock: Lock,
  ) {}

  /** `vouch` signs the new key with the key of the PIN, if one is set. */
  static open(places: Places, vouch?: (publicKey: string) => string, command: SurfaceCommand = "approve"): Surface {
    mkdirSync(places.surfaces, { recursive: true, mode: 0o700 });
    sweep(places);
    const id = randomBytes(8).toString("hex");
    const { privateKey, publicKey: publicHalf } = generateKeyPairSync("ed25519");
    const publicKey = publicHalf.export({ format: "der", type: "spki" }).toString("base64");
    const note: SurfaceNote = { id, pid: process.pid, publicKey, voucher: vouch?.(publicKey), command };
    const lock = createLocked(surfacePath(places, id), JSON.stringify(note));
    return new Surface(places, id, privateKey, lock);
  }

  /** Questions that this surface may answer and has not. Those asked before it was opened are not among them. */
  listPending(): readonly Shown[] {
    return listAsked(this.places).filter(({ request }) => this.isAsked(request));
  }

  private isAsked({ nonce, asked }: ApprovalRequest): boolean {
    return asked.includes(this.id) && !this.answered.has(nonce);
  }

  /** Whether the same question still waits for an answer, and in time. */
  isPending({ request, digest }: Shown): boolean {
    const path = requestPath(this.places, request.nonce);
    return request.untilMs > Date.now() && isLocked(path) && digestOf(readText(path) ?? "") === digest;
  }

  answer({ request, digest }: Shown, verdict: Answer["verdict"]): void {
    this.answered.add(request.nonce, request.untilMs);
    const text = signedText(digest, request.nonce, this.id, verdict);
    const answer: Answer = { verdict, signature: sign(null, text, this.privateKey).toString("base64") };
    replaceFile(answerPath(this.places, request.nonce, this.id), JSON.stringify(answer));
  }

  /** Stops listing a question, without an answer. */
  ignore({ request }: Shown): void {
    this.answered.add(request.nonce, request.untilMs);
  }

  close(): void {
    rmSync(surfacePath(this.places, this.id), { force: true });
    this.lock.release();
  }
}

/** All questions that wait for an answer anywhere. */
export function listAsked(places: Places): readonly Shown[] {
  return listRequests(places).flatMap((nonce) => {
    if (!isLocked(requestPath(places, nonce))) return [];
    const bytes = readText(requestPath(places, nonce));
    const request = parseRequest(bytes);
    if (bytes === undefined || request?.nonce !== nonce || request.untilMs <= Date.now()) return [];
    const digest = digestOf(bytes);
    return [{ request, digest, code: codeOf(digest) }];
  });
}

/** The questions that were answered, for as long as they can be asked. */
export class Answered {
  private readonly untilMs = new Map<string, number>();

  get size(): number {
    return this.untilMs.size;
  }

  add(nonce: string, untilMs: number, nowMs = Date.now()): void {
    for (const [other, endMs] of this.untilMs) if (endMs <= nowMs) this.untilMs.delete(other);
    this.untilMs.set(nonce, untilMs);
  }

  has(nonce: string): boolean {
    return this.untilMs.has(nonce);
  }
}
