import { lookAt } from "../find/read.ts";
import { type Element, listWithPaths } from "../model/element.ts";
import type { Stage } from "./stage.ts";

/** The scroll bars beside a control, hidden ones too: in the nearest box around it that has any. */
export async function findBars({ desktop, window, sighting, element, timeoutMs }: Stage): Promise<readonly Element[]> {
  const sight = await lookAt(desktop.platform, [window], sighting.sight.all, { includeHidden: true, timeoutMs });
  const root = sight.ok ? sight.value.snapshot.windows[0]?.root : undefined;
  const placed = listWithPaths(root).find((one) => one.element.handle === element.handle);
  for (const box of placed === undefined ? [] : [placed.element, ...placed.ancestors.toReversed()]) {
    const inner = [...box.children, ...box.children.flatMap(({ children }) => children)];
    const bars = inner.filter(({ role }) => role === "scrollbar");
    if (bars.length > 0) return bars;
  }
  return [];
}
