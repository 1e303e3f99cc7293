export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Formats a table that suits both a terminal and Markdown. Columns of figures are right-aligned. */
export function formatTable({ head, rows }: Table): string {
  const isFigure = head.map((_, column) => rows.every((row) => /^([\d.,–×−≥ ]*( ms)?|—)$/.test(row[column] ?? "")));
  const widths = head.map((title, column) =>
    Math.max(3, ...[title, ...rows.map((row) => row[column] ?? "")].map(widthOf)),
  );
  const line = (cells: readonly string[]): string => {
    const padded = widths.map((width, column) => {
      const cell = cells[column] ?? "";
      const padding = " ".repeat(width - widthOf(cell));
      return isFigure[column] ? padding + cell : cell + padding;
    });
    return `| ${padded.join(" | ")} |`;
  };
  const rule = widths.map((width, column) => (isFigure[column] ? `${"-".repeat(width - 1)}:` : "-".repeat(width)));
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}

function widthOf(text: string): number {
  return [...text].length;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
  return { median, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN };
}

export function showMs(ms: number): string {
  return ms < 100 ? ms.toFixed(1) : String(Math.round(ms));
}

export function showRange({ min, max }: Spread): string {
  return `${showMs(min)}–${showMs(max)}`;
}

export function showRatio(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`;
}
