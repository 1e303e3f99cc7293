import { type Nonces, writeProof } from "../src/inspector/proof.ts";

export function makeNonce(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

/** An HMAC that proves knowledge of the key. */
export async function prove(key: string, purpose: Parameters<typeof writeProof>[0], nonces: Nonces): Promise<string> {
  const encoder = new TextEncoder();
  const how = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", encoder.encode(key), how, false, ["sign"]);
  const signed = await crypto.subtle.sign("HMAC", imported, encoder.encode(writeProof(purpose, nonces)));
  return toHex(new Uint8Array(signed));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
