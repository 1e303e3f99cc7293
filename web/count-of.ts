/** "1 hit", "2 hits", "0 hits". */
export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
