import type { TargetHistory } from "../../src/inspector/map.ts";
import { layPlot } from "../../src/inspector/plot.ts";
import { MomentTable } from "./moments.tsx";
import { showTime } from "./show-time.ts";

const size = { width: 300, height: 100 };
const margin = { left: 30, top: 8, right: 8, bottom: 20 };
const levels = [0, 0.5, 1];

/** The confidence in a control over time, as a plot and as a table for screen readers. */
export function ConfidencePlot({ history }: { readonly history: TargetHistory }) {
  const { moments, why } = history;
  const { path, dots, words } = layPlot(moments, size);
  const [first, last] = [moments[0], moments.at(-1)];
  const [width, height] = [margin.left + size.width + margin.right, margin.top + size.height + margin.bottom];
  return (
    <figure class="plot">
      <figcaption>Confidence over time</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
        <g transform={`translate(${margin.left} ${margin.top})`}>
          {levels.map((level) => (
            <g key={level}>
              <line class="grid" x1={0} x2={size.width} y1={(1 - level) * size.height} y2={(1 - level) * size.height} />
              <text class="tick" x={-4} y={(1 - level) * size.height + 3} text-anchor="end">
                {level.toFixed(1)}
              </text>
            </g>
          ))}
          <path class="line" d={path} />
          {dots.map(({ x, y, moment }, at) => (
            <circle key={`${at} ${moment.at}`} class="dot" cx={x} cy={y} r={2.5} />
          ))}
          <text class="tick" x={0} y={size.height + 14}>
            {first === undefined ? "" : showTime(first.at)}
          </text>
          <text class="tick" x={size.width} y={size.height + 14} text-anchor="end">
            {last === undefined ? "" : "now"}
          </text>
        </g>
      </svg>
      <ul class="because">
        {why.map(({ because, confidence }) => (
          <li key={because}>
            {confidence.toFixed(2)} {because}
          </li>
        ))}
      </ul>
      <details>
        <summary>As a table</summary>
        <MomentTable moments={moments} caption="Confidence over time" />
      </details>
    </figure>
  );
}
