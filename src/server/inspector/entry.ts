import { createHmac } from "node:crypto";
import type { ServerProof } from "../../inspector/messages.ts";
import { type Nonces, writeProof } from "../../inspector/proof.ts";
import { isSameSecret, makeSecret } from "../listen.ts";

const [secretBytes, nonceBytes] = [32, 16];
/** Long enough to restart a browser. After that, a key found in its memory is of no use. */
const emptyMs = 10 * 60_000;

/** What was sent to one page, and what its answer is checked with. */
export interface Challenge {
  readonly said: ServerProof;
  readonly key: string;
  readonly nonces: Nonces;
}

/**
 * Lets a page in once by the key in its address, then by a session key that both sides derive from it. Each side proves that it
 * knows the key and never sends it. The session ends when no page has been open for a while.
 */
export class Entry {
  private link: string | undefined = makeSecret(secretBytes);
  private session: string | undefined;
  private pages = 0;
  private timer: NodeJS.Timeout | undefined;
  private readonly used = Promise.withResolvers<void>();

  constructor(private readonly endsAfterMs = emptyMs) {}

  /** The key for the address; undefined once it was used. */
  get token(): string | undefined {
    return this.link;
  }

  get whenUsed(): Promise<void> {
    return this.used.promise;
  }

  /** This server's proof for a page; undefined when no page can come in any more. */
  challenge(page: string): Challenge | undefined {
    const key = this.link ?? this.session;
    if (key === undefined) return undefined;
    const nonces = { page, server: makeSecret(nonceBytes) };
    const by = this.link === undefined ? "session" : "link";
    return { said: { by, nonce: nonces.server, mac: hash(key, writeProof("server", nonces)) }, key, nonces };
  }

  /** Whether a page has proved that it knows the key. The link works for the first that does. */
  accept({ said: { by }, key, nonces }: Challenge, proof: string): boolean {
    const current = by === "link" ? this.link : this.session;
    if (current !== key || !isSameSecret(proof, hash(key, writeProof("page", nonces)))) return false;
    if (by === "link") {
      this.link = undefined;
      this.session = hash(key, writeProof("session", nonces));
      this.used.resolve();
    }
    return true;
  }

  /** Counts an accepted page as open until the returned function is called. */
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

function hash(key: string, words: string): string {
  return createHmac("sha256", key).update(words).digest("hex");
}
