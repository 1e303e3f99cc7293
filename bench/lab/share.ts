/** The 95 % interval of a share after Wilson, as fractions. */
export function wilson(hits: number, all: number): readonly [low: number, high: number] {
  if (all === 0) return [0, 1];
  const z = 1.959964;
  const share = hits / all;
  const spread = z * Math.sqrt((share * (1 - share)) / all + (z * z) / (4 * all * all));
  const middle = share + (z * z) / (2 * all);
  const scale = 1 + (z * z) / all;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}

/** A share with its interval: "29/30, 97 % (83–99)". */
export function showShare(hits: number, all: number): string {
  if (all === 0) return "—";
  const [low, high] = wilson(hits, all).map((one) => Math.round(100 * one));
  return `${hits}/${all}, ${((100 * hits) / all).toFixed(hits === all ? 0 : 1)} % (${low}–${high})`;
}
