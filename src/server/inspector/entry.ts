import { createHmac, timingSafeEqual } from "node:crypto";
import type { ServerProof } from "../../inspector/messages.ts";
import { type Nonces, writeProof } from "../../inspector/proof.ts";
import { isOwnName } from "../listen.ts";

const [secretBytes, nonceBytes] = [32, 16];
/** Long enough for a browser that is started anew; whoever finds the tab's memory later finds nothing of use. */
const emptyMs = 10 * 60_000;

/** What was said to one page, and what it must answer. */
export interface Challenge {
  readonly said: ServerProof;
  readonly key: string;
  readonly nonces: Nonces;
}

/**
 * A page comes in once by the key in its address, and from then on by that of the session, which both sides make out of it.
 * Each proves to the other that it knows the key; neither tells it. The session ends when no page has been there for a while.
 */
export class Entry {
  private link: string | undefined = makeSecret(secretBytes);
  private session: string | undefined;
  private pages = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly used = Promise.withResolvers<void>();

  constructor(private readonly endsAfterMs = emptyMs) {}

  /** What goes into the address, until somebody has used it. */
  get token(): string | undefined {
    return this.link;
  }

  /** Resolves when somebody has come in by the link. */
  get whenUsed(): Promise<void> {
    return this.used.promise;
  }

  /** Proves to a page that this is the server it wants; undefined where nobody can come in any more. */
  challenge(page: string): Challenge | undefined {
    const key = this.link ?? this.session;
    if (key === undefined) return undefined;
    const nonces = { page, server: makeSecret(nonceBytes) };
    const by = this.link === undefined ? "session" : "link";
    return { said: { by, nonce: nonces.server, mac: hash(key, writeProof("server", nonces)) }, key, nonces };
  }

  /** Whether a page has proved that it may come in. The link is good for the first that does. */
  accept({ said: { by }, key, nonces }: Challenge, proof: string): boolean {
    const current = by === "link" ? this.link : this.session;
    if (current !== key || !isSame(proof, hash(key, writeProof("page", nonces)))) return false;
    if (by === "link") {
      this.link = undefined;
      this.session = hash(key, writeProof("session", nonces));
      this.used.resolve();
    }
    return true;
  }

  /** A page that was accepted is there, until what is given back is called. */
  enter(): () => void {
    this.pages += 1;
    clearTimeout(this.timer);
    return () => {
      this.pages -= 1;
      if (this.pages > 0) return;
      this.timer = setTimeout(() => {
        this.session = undefined;
      }, this.endsAfterMs);
      this.timer.unref();
    };
  }
}

function makeSecret(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");
}

function hash(key: string, words: string): string {
  return createHmac("sha256", key).update(words).digest("hex");
}

/** In the same time whatever is wrong with it. */
function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Why a request is not for this server; undefined where it is. A page from elsewhere can make a browser send it others. */
export function refuseAddress(request: Request, port: number): string | undefined {
  const host = request.headers.get("host") ?? "";
  const address = `http://${host}`;
  if (!isOwnName(address) || Number(new URL(address).port || 80) !== port) {
    return `Refused: the Host header names ${JSON.stringify(host)}. Use http://127.0.0.1:${port}/.`;
  }
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== address) {
    return `Refused: pages of ${JSON.stringify(origin)} may not use this server.`;
  }
  return undefined;
}
