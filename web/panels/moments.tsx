import type { PastMoment } from "../../src/inspector/element.ts";
import { showTime } from "./show-time.ts";

interface MomentProps {
  readonly moments: readonly PastMoment[];
  readonly caption: string;
}

/** The confidence in a control over time, with its hits and misses until then. */
export function MomentTable({ moments, caption }: MomentProps) {
  if (moments.length === 0) return null;
  return (
    <table class="moments">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Confidence</th>
          <th scope="col">Hits</th>
          <th scope="col">Misses</th>
        </tr>
      </thead>
      <tbody>
        {moments.map(({ at, confidence, hits, misses }, row) => (
          <tr key={`${row} ${at}`}>
            <th scope="row">
              <time dateTime={at}>{showTime(at)}</time>
            </th>
            <td>{confidence.toFixed(2)}</td>
            <td>{hits}</td>
            <td>{misses}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
