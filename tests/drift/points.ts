import type { Description } from "../../src/map/resolve/description.ts";
import type { Resolution } from "../../src/map/resolve/resolve.ts";

/**
 * The usual heuristic for finding a control again: points for the same role, the same name, a part of the name and a near
 * position; the most points win. It always answers.
 */
export function resolveByPoints(ref: Description, candidates: readonly Description[]): Resolution {
  const name = (ref.name ?? ref.text ?? "").toLowerCase();
  const points = candidates.map((candidate) => {
    const other = (candidate.name ?? candidate.text ?? "").toLowerCase();
    const isNear =
      ref.bounds !== undefined &&
      candidate.bounds !== undefined &&
      Math.hypot(ref.bounds.x - candidate.bounds.x, ref.bounds.y - candidate.bounds.y) < 50;
    const isSameKind = ref.role === candidate.role && ref.tag === candidate.tag;
    const byName = other === name ? 10 : name !== "" && other.includes(name) ? 5 : 0;
    return (isSameKind ? 10 : 0) + byName + (isNear ? 3 : 0);
  });
  const best = points.indexOf(Math.max(...points));
  return { verdict: "match", best, score: 1, margin: 1, evidence: [], ranking: [best], standings: [] };
}
