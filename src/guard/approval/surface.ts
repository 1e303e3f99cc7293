import { createHash, createPublicKey, verify } from "node:crypto";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isLocked } from "../lock.ts";
import type { Places } from "../places.ts";
import type { Question } from "./approver.ts";
import { listNames } from "./pages.ts";

/** Describes a place where a person answers. Its file is locked while it is open. */
export interface SurfaceNote {
  readonly id: string;
  readonly pid: number;
  /** Made for one run; the private half never leaves that process. */
  readonly publicKey: string;
  /** If a PIN is set: the proof that whoever opened it knew the PIN. */
  readonly voucher?: string | undefined;
  /** The command that opened it, for the log. */
  readonly command: SurfaceCommand;
}

/** The commands that open one. Answers of others do not count. */
const surfaceCommands = ["approve", "inspect"] as const;
export type SurfaceCommand = (typeof surfaceCommands)[number];

/** A published question. Its file is locked while its asker waits for the answer. */
export interface ApprovalRequest extends Question {
  /** Never used again. */
  readonly nonce: string;
  readonly untilMs: number;
  /** The surfaces whose answers count: those that were open when it was published. */
  readonly asked: readonly string[];
}

export interface Answer {
  readonly verdict: "yes" | "no";
  readonly signature: string;
}

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

export function listRequests(places: Places): readonly string[] {
  return listIds(places, "request");
}

/** The surfaces that are open now. */
export function listSurfaces(places: Places): readonly SurfaceNote[] {
  return listIds(places, "surface").flatMap((id) => {
    const path = surfacePath(places, id);
    const note = isLocked(path) ? parseSurface(readText(path)) : undefined;
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
export function signedText(digest: string, nonce: string, id: string, verdict: Answer["verdict"]): Buffer {
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

export function parseAnswer(text: string | undefined): Answer | undefined {
  const value = parse(text);
  const { verdict, signature } = value ?? {};
  const isKnown = verdict === "yes" || verdict === "no";
  return isKnown && typeof signature === "string" ? { verdict, signature } : undefined;
}

export function parseRequest(text: string | undefined): ApprovalRequest | undefined {
  const value = parse(text);
  if (value === undefined) return undefined;
  const take = (name: string): string => (typeof value[name] === "string" ? value[name] : "");
  const { untilMs } = value;
  if (typeof untilMs !== "number" || take("nonce") === "") return undefined;
  return {
    nonce: take("nonce"),
    untilMs,
    client: take("client"),
    tool: take("tool"),
    app: take("app"),
    window: take("window"),
    words: take("words"),
    why: take("why"),
    dangers: [],
    asked: Array.isArray(value.asked) ? value.asked.filter((one) => typeof one === "string") : [],
  };
}

function parseSurface(text: string | undefined): SurfaceNote | undefined {
  const value = parse(text);
  const { id, pid, publicKey, voucher, command } = value ?? {};
  const known = surfaceCommands.find((one) => one === command);
  if (typeof id !== "string" || typeof pid !== "number" || typeof publicKey !== "string") return undefined;
  if (known === undefined) return undefined;
  return { id, pid, publicKey, voucher: typeof voucher === "string" ? voucher : undefined, command: known };
}

function parse(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
