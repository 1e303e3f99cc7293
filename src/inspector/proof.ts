/** The key of the link works once; both sides derive the session's key from it. */
export type KeyName = "link" | "session";

/** One nonce of each side for every socket, so that no proof can be replayed. */
export interface Nonces {
  readonly page: string;
  readonly server: string;
}

/**
 * The text that is hashed with a key (HMAC-SHA256, hexadecimal): by each side to prove that it knows the key without sending it, and
 * to derive the session's key, for which the link alone is not enough.
 */
export function writeProof(purpose: "server" | "page" | "session", { page, server }: Nonces): string {
  return `deskmap inspector ${purpose} ${page} ${server}`;
}

export function isNonce(given: unknown): given is string {
  return typeof given === "string" && /^[0-9a-f]{32}$/.test(given);
}
