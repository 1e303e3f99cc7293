/** 64 bits of a text, as the whole number that SQLite stores. Bun's hash needs no import; node:crypto costs 12 ms of every start. */
export function hashText(text: string): string {
  return BigInt.asIntN(64, Bun.hash.xxHash64(text, 0n)).toString();
}

const nearBits = 8n;
const restBits = 64n - nearBits;
const firstBits = new Map<string, bigint>();

/**
 * The same, where what belongs to one application has its first bits in common: its rows then lie together in the file, and a
 * look at a window touches some tens of pages instead of one for each of its controls.
 */
export function hashNear(app: string, text: string): string {
  return moveNear(app, Bun.hash.xxHash64(text, 0n)).toString();
}

export function moveNear(app: string, hash: bigint): bigint {
  let first = firstBits.get(app);
  if (first === undefined) {
    first = BigInt.asUintN(Number(nearBits), Bun.hash.xxHash64(app, 0n)) << restBits;
    firstBits.set(app, first);
  }
  return BigInt.asIntN(64, first | BigInt.asUintN(Number(restBits), hash));
}
