import { createDecipheriv, createDiffieHellmanGroup, hkdfSync } from "node:crypto";

/** The Secret Service's way to agree on a key over the bus. The prime is the second Oakley group's (RFC 2409, 6.2). */
export const algorithm = "dh-ietf1024-sha256-aes128-cbc-pkcs7";
const group = "modp2";
const primeBytes = 128;
const keyBytes = 16;

export interface Agreement {
  /** What the other side is told. */
  readonly publicKey: Uint8Array;
  /** What opens secrets, once its public key is known. */
  agree(theirs: Uint8Array): (iv: Uint8Array, locked: Uint8Array) => string;
}

export function beginAgreement(): Agreement {
  const pair = createDiffieHellmanGroup(group);
  const publicKey = pair.generateKeys();
  return {
    publicKey,
    agree: (theirs) => {
      const shared = pair.computeSecret(theirs);
      // With its leading zeros, as both sides must count them.
      const padded = Buffer.concat([Buffer.alloc(Math.max(0, primeBytes - shared.length)), shared]);
      const key = Buffer.from(hkdfSync("sha256", padded, new Uint8Array(0), new Uint8Array(0), keyBytes));
      return (iv, locked) => {
        const decipher = createDecipheriv("aes-128-cbc", key, iv);
        return Buffer.concat([decipher.update(locked), decipher.final()]).toString("utf8");
      };
    },
  };
}
