/** A 64-bit hash as the integer that SQLite stores. Bun's hash needs no import; node:crypto adds 12 ms to every start. */
export function hashText(text: string): string {
  return BigInt.asIntN(64, Bun.hash.xxHash64(text, 0n)).toString();
}

const nearBits = 8n;
const restBits = 64n - nearBits;
const firstBits = new Map<string, bigint>();

/**
 * Like hashText, but hashes of one application share their first bits: its rows are then adjacent in the file, and a read of
 * a window touches some tens of pages instead of one per control.
 */
export function hashNear(app: string, text: string): string {
  let first = firstBits.get(app);
  if (first === undefined) {
    first = BigInt.asUintN(Number(nearBits), Bun.hash.xxHash64(app, 0n)) << restBits;
    firstBits.set(app, first);
  }
  return BigInt.asIntN(64, first | BigInt.asUintN(Number(restBits), Bun.hash.xxHash64(text, 0n))).toString();
}
