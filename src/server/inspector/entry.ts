import { timingSafeEqual } from "node:crypto";
import { isOwnName } from "../listen.ts";

const secretBytes = 32;

/** A page comes in once with the token of its address, and from then on with the secret that it was given for it. */
export class Entry {
  private unused: string | undefined = makeSecret();
  private readonly sessions = new Set<string>();

  /** What goes into the address, until somebody has used it. */
  get token(): string | undefined {
    return this.unused;
  }

  /** The session that the token was good for; undefined where it is not the one, or was used before. */
  useToken(given: string): string | undefined {
    if (this.unused === undefined || !isSame(given, this.unused)) return undefined;
    this.unused = undefined;
    const session = makeSecret();
    this.sessions.add(session);
    return session;
  }

  isSession(given: string): boolean {
    let isKnown = false;
    for (const one of this.sessions) isKnown = isSame(given, one) || isKnown;
    return isKnown;
  }
}

function makeSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(secretBytes))).toString("base64url");
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
