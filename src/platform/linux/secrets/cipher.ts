/** The Secret Service's key agreement over the bus. */
export const algorithm = "dh-ietf1024-sha256-aes128-cbc-pkcs7";
/** The second Oakley group (RFC 2409, 6.2), which Bun's crypto library no longer supports. */
const prime = BigInt(
  "0xffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd" +
    "ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed" +
    "ee386bfb5a899fa5ae9f24117c4b1fe649286651ece65381ffffffffffffffff",
);
const generator = 2n;
const primeBytes = 128;
const keyBits = 128;

export interface Agreement {
  /** Sent to the other side. */
  readonly publicKey: Uint8Array;
  /** Decrypts a secret, given the other side's public key. */
  open(theirs: Uint8Array, iv: Uint8Array<ArrayBuffer>, locked: Uint8Array<ArrayBuffer>): Promise<string>;
}

/** For one secret. The keys exist only in this process. */
export function beginAgreement(): Agreement {
  const own = toNumber(crypto.getRandomValues(new Uint8Array(primeBytes))) % prime;
  return {
    publicKey: toBytes(power(generator, own)),
    open: async (theirs, iv, locked) => {
      const shared = toBytes(power(toNumber(theirs) % prime, own));
      const material = await crypto.subtle.importKey("raw", shared, "HKDF", false, ["deriveKey"]);
      const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info: new Uint8Array(0) };
      const key = await crypto.subtle.deriveKey(derivation, material, { name: "AES-CBC", length: keyBits }, false, [
        "decrypt",
      ]);
      return new TextDecoder().decode(await crypto.subtle.decrypt({ name: "AES-CBC", iv }, key, locked));
    },
  };
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * square) % prime;
    square = (square * square) % prime;
  }
  return result;
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
}

/** With leading zeros, as both sides expect. */
function toBytes(number: bigint): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(primeBytes * 2, "0"), "hex"));
}
