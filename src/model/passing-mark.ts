/**
 * A process that cannot or must not write its map allots temporary numbers from a range no map uses: each process picks a random
 * block. Using such a number after its process ended fails with an explanation.
 */
export const firstPassingMark = 1_000_000_000_000;
const blockSize = 1_000_000;
const blockCount = 9_000_000_000;

/** The number before the first of a block. */
export function pickPassingBlock(random: number = Math.random()): number {
  return firstPassingMark + Math.floor(random * blockCount) * blockSize;
}

export function describeMissingMark(mark: number): string {
  return mark >= firstPassingMark
    ? `mark ${mark} was temporary: the process that allotted it did not write its map`
    : `no control has the mark ${mark}: it was forgotten or never allotted`;
}
