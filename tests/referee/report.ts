import { type Judged, type Truth, truths } from "./judge.ts";

/** How often each was said, by what was true. */
type Table = Readonly<Record<string, Readonly<Record<Truth, number>>>>;

/** What the referee found in one scene. */
export interface Report {
  readonly table: Table;
  /** One text for each false verdict. */
  readonly accused: readonly string[];
}

export function makeReport(judged: readonly Judged[]): Report {
  const table = [...Map.groupBy(judged, ({ said }) => said)].map(([said, actions]) => {
    const count = (truth: Truth): number => actions.filter((one) => one.truth === truth).length;
    return [said, Object.fromEntries(truths.map((truth) => [truth, count(truth)]))];
  });
  return { table: Object.fromEntries(table), accused: judged.filter(({ isFalse }) => isFalse).map(accuse) };
}

function accuse({ tool, target, way, said, begunMs, endedMs, saw }: Judged): string {
  const [from, to] = [begunMs, endedMs].map((ms) => new Date(ms).toISOString().slice(11, 23));
  const seen = saw.length === 0 ? "no event, no window, no pixel was different" : saw.slice(0, 4).join("; ");
  return `false "${said}": ${tool} ${target} by ${way}, ${from} to ${to}; the observer saw: ${seen}`;
}
