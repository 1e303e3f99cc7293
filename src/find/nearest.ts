/** The candidates most similar to the given text, best first: containing ones, then by edit distance. */
export function nearest(given: string, candidates: readonly string[], most = 3): string[] {
  const sought = given.toLowerCase();
  return [...new Set(candidates)]
    .filter((candidate) => candidate !== "")
    .map((candidate) => ({ candidate, cost: costOf(sought, candidate.toLowerCase()) }))
    .sort((a, b) => a.cost - b.cost)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

const maxCompared = 60;

function costOf(sought: string, candidate: string): number {
  if (candidate.includes(sought) || sought.includes(candidate)) return -1;
  // The best distance to any word, so that a long title is not penalised.
  const words = candidate.slice(0, maxCompared).split(/\s+/);
  const whole = countEdits(sought.slice(0, maxCompared), candidate.slice(0, maxCompared));
  return Math.min(whole, ...words.map((word) => countEdits(sought.slice(0, maxCompared), word)));
}

/** Optimal string alignment distance, with three rows. */
export function countEdits(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replace = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let least = Math.min(replace, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) least = Math.min(least, (before[column - 2] ?? 0) + 1);
      current.push(least);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
