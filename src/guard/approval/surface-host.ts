import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { isLocked, type Lock, tryLock } from "../lock.ts";
import type { Places } from "../places.ts";
import { Answered } from "./answered.ts";
import {
  type Answer,
  answerPath,
  codeOf,
  digestOf,
  listRequests,
  type Petition,
  parsePetition,
  readText,
  requestPath,
  type SurfaceCommand,
  type SurfaceNote,
  signedText,
  surfacePath,
  sweep,
} from "./surface.ts";

/** One question as it was read, and shown: what is signed are these bytes. */
export interface Shown {
  readonly petition: Petition;
  readonly digest: string;
  readonly code: string;
}

/** A place where a person answers: published while it lives, with a key that lives in this process alone. */
export class Surface {
  private readonly answered = new Answered();

  private constructor(
    private readonly places: Places,
    readonly id: string,
    private readonly privateKey: KeyObject,
    private readonly lock: Lock,
  ) {}

  /** `vouch` signs the new key with what only the PIN opens, where one is set. */
  static open(places: Places, vouch?: (publicKey: string) => string, command: SurfaceCommand = "approve"): Surface {
    mkdirSync(places.surfaces, { recursive: true, mode: 0o700 });
    sweep(places);
    const id = randomBytes(8).toString("hex");
    const { privateKey, publicKey: publicHalf } = generateKeyPairSync("ed25519");
    const publicKey = publicHalf.export({ format: "der", type: "spki" }).toString("base64");
    const note: SurfaceNote = { id, pid: process.pid, publicKey, voucher: vouch?.(publicKey), command };
    const path = surfacePath(places, id);
    // Locked before it has its name: nobody ever finds it without a holder.
    const lock = tryLock(`${path}.new`);
    if (lock === undefined) throw new Error(`${path}.new is locked`);
    writeSync(lock.descriptor, JSON.stringify(note));
    renameSync(`${path}.new`, path);
    return new Surface(places, id, privateKey, lock);
  }

  /** What waits for an answer of this place, and has none. What was asked before it was opened does not. */
  listPending(): readonly Shown[] {
    return listAsked(this.places).filter(({ petition }) => this.isAsked(petition));
  }

  private isAsked({ nonce, asked }: Petition): boolean {
    return asked.includes(this.id) && !this.answered.has(nonce);
  }

  /** Whether somebody still waits, in time, and for the same thing. */
  isPending({ petition, digest }: Shown): boolean {
    const path = requestPath(this.places, petition.nonce);
    return petition.untilMs > Date.now() && isLocked(path) && digestOf(readText(path) ?? "") === digest;
  }

  answer({ petition, digest }: Shown, verdict: Answer["verdict"]): void {
    this.answered.add(petition.nonce, petition.untilMs);
    const text = signedText(digest, petition.nonce, this.id, verdict);
    const answer: Answer = { verdict, signature: sign(null, text, this.privateKey).toString("base64") };
    const path = answerPath(this.places, petition.nonce, this.id);
    writeFileSync(`${path}.new`, JSON.stringify(answer), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  /** It is not asked about again, and nobody is told anything. */
  ignore({ petition }: Shown): void {
    this.answered.add(petition.nonce, petition.untilMs);
  }

  close(): void {
    rmSync(surfacePath(this.places, this.id), { force: true });
    this.lock.release();
  }
}

/** All that waits for an answer anywhere. */
export function listAsked(places: Places): readonly Shown[] {
  return listRequests(places).flatMap((nonce) => {
    if (!isLocked(requestPath(places, nonce))) return [];
    const bytes = readText(requestPath(places, nonce));
    const petition = parsePetition(bytes);
    if (bytes === undefined || petition?.nonce !== nonce || petition.untilMs <= Date.now()) return [];
    const digest = digestOf(bytes);
    return [{ petition, digest, code: codeOf(digest) }];
  });
}
