import { createHash, createPublicKey, verify } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isLocked } from "../lock.ts";
import type { Places } from "../places.ts";
import type { Question } from "./approver.ts";

/** A terminal in which a person answers, as it tells of itself. Its file is locked as long as it lives. */
export interface SurfaceNote {
  readonly id: string;
  readonly pid: number;
  /** Made for this one run; the other half never leaves that process. */
  readonly publicKey: string;
  /** Where a PIN is set: that whoever opened it knew the PIN. */
  readonly voucher?: string | undefined;
  /** What the person has opened there: the log names it. */
  readonly command?: SurfaceCommand | undefined;
}

export type SurfaceCommand = "approve" | "inspect";

/** What is asked. Its file is locked as long as somebody waits for the answer. */
export interface Petition extends Question {
  /** Never used again. */
  readonly nonce: string;
  readonly untilMs: number;
  /** The surfaces whose answers count: those that were open when it was asked. */
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

/** The answers that lie there for a question, by the surface that each names. */
export function listAnswers(places: Places, nonce: string): readonly string[] {
  return listNames(places)
    .filter((name) => name.startsWith(`${nonce}.`) && name.endsWith(kinds.answer))
    .map((name) => name.slice(nonce.length + 1, -kinds.answer.length));
}

export function listRequests(places: Places): readonly string[] {
  return listNames(places)
    .filter((name) => name.endsWith(kinds.request))
    .map((name) => name.slice(0, -kinds.request.length));
}

/** The surfaces that are open now. */
export function listSurfaces(places: Places): readonly SurfaceNote[] {
  return listNames(places)
    .filter((name) => name.endsWith(kinds.surface))
    .flatMap((name) => {
      const path = join(places.surfaces, name);
      const note = isLocked(path) ? parseSurface(readText(path)) : undefined;
      return note !== undefined && name === note.id + kinds.surface ? [note] : [];
    });
}

/** Takes away what those have left that were killed. Nothing of it could be used: its keys and its nonces are gone. */
export function sweep(places: Places): void {
  const names = listNames(places);
  const isLive = (name: string): boolean => isLocked(join(places.surfaces, name));
  const nonces = names.filter((name) => name.endsWith(kinds.request) && isLive(name));
  const pending = nonces.map((name) => name.slice(0, -kinds.request.length));
  for (const name of names.filter((one) => !isFresh(join(places.surfaces, one)))) {
    const isKept = name.includes(kinds.answer) ? pending.some((nonce) => name.startsWith(`${nonce}.`)) : isLive(name);
    if (!isKept) rmSync(join(places.surfaces, name), { force: true });
  }
}

const freshMs = 5000;

/** Somebody may just be about to lock it, or to give it its name. */
function isFresh(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined || Math.abs(Date.now() - stat.mtimeMs) < freshMs;
}

/** Of the very bytes that are shown and asked: whoever changes one of them asks something else. */
export function digestOf(bytes: string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const codeLength = 4;

/** A few letters by which a person tells that both sides speak of the same thing. */
export function codeOf(digest: string): string {
  const bytes = Buffer.from(digest, "hex").subarray(0, codeLength);
  return [...bytes].map((byte) => letters[byte % letters.length] ?? "").join("");
}

/** What is signed: this answer, of this surface, to these very bytes. */
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

export function parsePetition(text: string | undefined): Petition | undefined {
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
  if (typeof id !== "string" || typeof pid !== "number" || typeof publicKey !== "string") return undefined;
  const known = command === "inspect" ? command : "approve";
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

function listNames({ surfaces }: Places): readonly string[] {
  try {
    return readdirSync(surfaces);
  } catch {
    return [];
  }
}
