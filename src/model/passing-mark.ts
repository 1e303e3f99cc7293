/**
 * A process that cannot write its map gives out numbers that no map ever does: from here on, in blocks of which each process
 * picks one at random. Whoever keeps such a number beyond its process is told so, and never led to another control.
 */
export const firstPassingMark = 1_000_000_000_000;
const blockSize = 1_000_000;
const blockCount = 9_000_000_000;

function isPassingMark(mark: number): boolean {
  return mark >= firstPassingMark;
}

/** The number before the first of a block. */
export function pickPassingBlock(random: number = Math.random()): number {
  return firstPassingMark + Math.floor(random * blockCount) * blockSize;
}

/** Why a number means nothing here. */
export function describeMissingMark(mark: number): string {
  return isPassingMark(mark)
    ? `mark ${mark} was given out by a process that could not write its map, and held for that process only`
    : `no control has the mark ${mark}: it was forgotten, or never given out`;
}
