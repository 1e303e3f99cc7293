import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { createLocked, isLocked, type Lock } from "../lock.ts";
import { type Places, readStored, replaceFileSoon } from "../places.ts";
import { dangers } from "../policy/policy.ts";
import { listNames } from "./pages.ts";

/** The commands that open a surface. Answers of others do not count. */
const surfaceCommands = ["approve", "inspect"] as const;
type SurfaceCommand = (typeof surfaceCommands)[number];

/** Describes a place where a person answers. Its file is locked while it is open. */
const surfaceRecord = z.object({
  id: z.string(),
  pid: z.number(),
  /** Made for one run; the private half never leaves that process. */
  publicKey: z.string(),
  /** If a PIN is set: the proof that whoever opened it knew the PIN. */
  voucher: z.optional(z.string()),
  command: z.enum(surfaceCommands),
});
export type SurfaceRecord = z.infer<typeof surfaceRecord>;

/** A published question. Its file is locked while its asker waits for the answer. */
const approvalRequest = z.object({
  client: z.string(),
  /** What supports that name, and which process it is. */
  caller: z.optional(z.string()),
  tool: z.string(),
  app: z.string(),
  window: z.string(),
  /** The action: `click button "Delete" (12)`. */
  words: z.string(),
  /** Why it is asked: `delete: it says "Delete"`. */
  why: z.string(),
  /** Everything that a yes covers and that `words` shortens or leaves out. */
  content: z.readonly(z.array(z.object({ label: z.string(), text: z.string() }))),
  dangers: z.readonly(z.array(z.enum(dangers))),
  nonce: z.string(),
  untilMs: z.number(),
  /** The surfaces whose answers count: those that were open when it was published. */
  asked: z.array(z.string()),
});
export type ApprovalRequest = z.infer<typeof approvalRequest>;

const signedVerdict = z.object({ verdict: z.enum(["yes", "no"]), signature: z.string() });
type SignedVerdict = z.infer<typeof signedVerdict>;

const kinds = { surface: ".surface", request: ".request", answer: ".answer" } as const;

export function surfacePath({ surfaces }: Places, id: string): string {
  return join(surfaces, id + kinds.surface);
}

export function requestPath({ surfaces }: Places, nonce: string): string {
  return join(surfaces, nonce + kinds.request);
}

export function answerPath({ surfaces }: Places, nonce: string, id: string): string {
  return join(surfaces, `${nonce}.${id}${kinds.answer}`);
}

/** The surfaces that have answered a question. */
export function listAnswers(places: Places, nonce: string): readonly string[] {
  return listIds(places, "answer").flatMap((id) => (id.startsWith(`${nonce}.`) ? id.slice(nonce.length + 1) : []));
}

function listRequests(places: Places): readonly string[] {
  return listIds(places, "request");
}

export function listSurfaces(places: Places): readonly SurfaceRecord[] {
  return listIds(places, "surface").flatMap((id) => {
    const path = surfacePath(places, id);
    const note = isLocked(path) ? readStored(surfaceRecord, readText(path)) : undefined;
    return note?.id === id ? [note] : [];
  });
}

function listIds({ surfaces }: Places, kind: keyof typeof kinds): readonly string[] {
  const ending = kinds[kind];
  return listNames(surfaces).flatMap((name) => (name.endsWith(ending) ? name.slice(0, -ending.length) : []));
}

/** Removes the files of killed processes. They are useless: their keys and nonces are gone. */
export function sweep(places: Places): void {
  const pending = listRequests(places).filter((nonce) => isLocked(requestPath(places, nonce)));
  for (const name of listNames(places.surfaces)) {
    const path = join(places.surfaces, name);
    const isAnswer = name.includes(kinds.answer);
    const isUsed = isAnswer ? pending.some((nonce) => name.startsWith(`${nonce}.`)) : isLocked(path);
    if (!isUsed && !isFresh(path)) rmSync(path, { force: true });
  }
}

const freshMs = 5000;

/** Its process may be about to lock or rename it. */
function isFresh(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined || Math.abs(Date.now() - stat.mtimeMs) < freshMs;
}

export function digestOf(bytes: string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const codeLength = 4;

/** A few letters by which a person sees that both sides mean the same question. */
export function codeOf(digest: string): string {
  const bytes = Buffer.from(digest, "hex").subarray(0, codeLength);
  return [...bytes].map((byte) => letters[byte % letters.length] ?? "").join("");
}

/** What an answer signs: the verdict, the surface and the digest of the question. */
export function signedText(digest: string, nonce: string, id: string, verdict: SignedVerdict["verdict"]): Buffer {
  return Buffer.from(JSON.stringify(["deskmap answer", digest, nonce, id, verdict]));
}

export function isSigned(publicKey: string, text: Buffer, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyType === "ed25519" && verify(null, text, key, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}

export function readAnswer(places: Places, nonce: string, id: string): SignedVerdict | undefined {
  return readStored(signedVerdict, readText(answerPath(places, nonce, id)));
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

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
    const note: SurfaceRecord = { id, pid: process.pid, publicKey, voucher: vouch?.(publicKey), command };
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

  answer({ request, digest }: Shown, verdict: SignedVerdict["verdict"]): void {
    this.answered.add(request.nonce, request.untilMs);
    const text = signedText(digest, request.nonce, this.id, verdict);
    const answer: SignedVerdict = { verdict, signature: sign(null, text, this.privateKey).toString("base64") };
    replaceFileSoon(answerPath(this.places, request.nonce, this.id), JSON.stringify(answer));
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

export function listAsked(places: Places): readonly Shown[] {
  return listRequests(places).flatMap((nonce) => {
    if (!isLocked(requestPath(places, nonce))) return [];
    const bytes = readText(requestPath(places, nonce));
    const request = readStored(approvalRequest, bytes);
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
