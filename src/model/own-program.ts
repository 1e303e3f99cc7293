/** This very program, also where an update has put another in its place or taken it away since it was started. */
export const runningProgram = "/proc/self/exe";

/** What to start to run this program once more. */
export function findOwnProgram(): string {
  return Bun.file(process.execPath).size > 0 ? process.execPath : runningProgram;
}
