import { describe, test } from "bun:test";

/**
 * `npm test` proves each feature once. `npm test -- --all`, a path, and a plain `bun test` add the matrix: every toolkit,
 * scale, monitor layout and window manager, kills and long runs. A file that belongs to the matrix as a whole is named
 * *.matrix.test.ts instead.
 */
const isWhole = process.env.DESKMAP_TESTS !== "once";

/** The cases to run: those of the quick tier and, with --all, those of the matrix. */
export function casesOf<Case>(once: readonly Case[], matrix: readonly Case[]): readonly Case[] {
  return isWhole ? [...once, ...matrix] : once;
}

/** How many examples of a property to try, or how often to repeat a timing-dependent test. */
export function timesOf(once: number, matrix: number): number {
  return isWhole ? matrix : once;
}

type Block = (name: string, body: () => void | Promise<void>) => void;

const leaveOut: Block = () => undefined;

/** `describe` and `test` for matrix-only cases. */
export const matrix: { readonly describe: Block; readonly test: Block } = isWhole
  ? { describe: (name, body) => describe(name, () => void body()), test }
  : { describe: leaveOut, test: leaveOut };
