import { describeStep } from "./describe.ts";
import type { Demo, Step } from "./file.ts";

export interface Difference {
  readonly sign: "+" | "-" | "~";
  /** From 1, in the first and the second demo. */
  readonly a?: number | undefined;
  readonly b?: number | undefined;
  readonly what: string;
}

/** What is done to what; the same step may have another effect or another place. */
function keyOf({ tool, input, ref, point, app }: Step): string {
  return JSON.stringify([tool, input, ref?.role, ref?.name, ref === undefined ? point : undefined, app]);
}

/** What the second demo has that the first has not, and the other way round, step by step. */
export function diffDemos(a: Demo, b: Demo): readonly Difference[] {
  const [left, right] = [a.steps.map(keyOf), b.steps.map(keyOf)];
  const found: Difference[] = diffParameters(a, b);
  let [i, j] = [0, 0];
  const common = measureCommon(left, right);
  while (i < left.length || j < right.length) {
    const [one, other] = [a.steps[i], b.steps[j]];
    if (one !== undefined && other !== undefined && left[i] === right[j]) {
      const fields = listFields(one, other);
      if (fields.length > 0)
        found.push({ sign: "~", a: i + 1, b: j + 1, what: `${describeStep(other)}: ${fields.join(", ")}` });
      i += 1;
      j += 1;
    } else if (other !== undefined && (one === undefined || (common[i]?.[j + 1] ?? 0) > (common[i + 1]?.[j] ?? 0))) {
      found.push({ sign: "+", b: j + 1, what: describeStep(other) });
      j += 1;
    } else if (one !== undefined) {
      found.push({ sign: "-", a: i + 1, what: describeStep(one) });
      i += 1;
    }
  }
  return found;
}

/** Fields that matter for finding and judging; times and places differ in every recording. */
function listFields(one: Step, other: Step): readonly string[] {
  const parts = (step: Step) => ({
    window: step.window,
    containers: step.ref?.container_path,
    id: step.ref?.accessibility_id ?? step.ref?.automation_id,
    evidence: step.evidence,
    verdict: step.effect?.verdict,
    opened: step.effect?.opened,
    closed: step.effect?.closed,
  });
  const [before, after] = [Object.entries(parts(one)), parts(other)];
  return before
    .filter(
      ([field, value]) =>
        JSON.stringify(value) !== JSON.stringify(Object.entries(after).find(([key]) => key === field)?.[1]),
    )
    .map(([field]) => field);
}

function diffParameters(a: Demo, b: Demo): Difference[] {
  const [left, right] = [a.parameters, b.parameters];
  const gone = Object.keys(left).filter((name) => right[name] === undefined);
  const come = Object.keys(right).filter((name) => left[name] === undefined);
  const changed = Object.keys(left).filter(
    (name) => right[name] !== undefined && JSON.stringify(left[name]) !== JSON.stringify(right[name]),
  );
  return [
    ...gone.map((name) => ({ sign: "-" as const, what: `parameter ${name}` })),
    ...come.map((name) => ({ sign: "+" as const, what: `parameter ${name}` })),
    ...changed.map((name) => ({ sign: "~" as const, what: `parameter ${name}` })),
  ];
}

/** Lengths of the longest common sequences of the rests; at most a few thousand steps each. */
function measureCommon(left: readonly string[], right: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const row = table[i];
      const below = table[i + 1];
      if (row === undefined || below === undefined) continue;
      row[j] = left[i] === right[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}
