/** What a page comes in by: the key of its address, once; from then on the one that both made out of it. */
export type KeyName = "link" | "session";

/** One number of each side, made anew for every socket: what proved something once proves nothing again. */
export interface Nonces {
  readonly page: string;
  readonly server: string;
}

/**
 * What is hashed with a key (HMAC-SHA256, in hexadecimal digits): by the server and by the page, to prove that they know it
 * without telling it; and to make the key of the session, which nobody can who has nothing but the link.
 */
export function writeProof(purpose: "server" | "page" | "session", { page, server }: Nonces): string {
  return `deskmap inspector ${purpose} ${page} ${server}`;
}

export function isNonce(given: unknown): given is string {
  return typeof given === "string" && /^[0-9a-f]{32}$/.test(given);
}
