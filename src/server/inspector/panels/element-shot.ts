import { intersect } from "../../../model/bounds.ts";
import type { Result } from "../../../model/failure.ts";
import type { ElementDescriptionData } from "../../../show/description-data.ts";
import type { FrameData } from "../../../show/frame.ts";
import type { WindowData } from "../../../show/list.ts";
import { type Asker, toBounds } from "../ask.ts";

/**
 * The control's picture. Where nothing covers it, the screen's own pixels: to have its window's makes the application draw, and
 * be read again, which whoever chooses the next control would wait for.
 */
export async function takeShot(asker: Asker, mark: number, scale: number): Promise<Result<FrameData>> {
  const [detail, windows] = await Promise.all([asker.element({ id: mark }), asker.windows()]);
  const region = detail.ok && windows.ok ? findRegion(detail.value, windows.value) : undefined;
  const shot = region === undefined ? undefined : await asker.frame({ region, scale });
  return shot?.ok === true ? shot : asker.frame({ id: mark, scale });
}

/** Windows come front to back. */
function findRegion({ now }: ElementDescriptionData, windows: readonly WindowData[]): string | undefined {
  const place = windows.findIndex(({ id }) => id === now?.windowId);
  const own = windows[place];
  if (now?.bounds === undefined || own === undefined || now.states.includes("hidden")) return undefined;
  if (own.state.includes("minimised")) return undefined;
  const { bounds } = now;
  const isCovered = windows
    .slice(0, place)
    .some((one) => !one.state.includes("minimised") && intersect(toBounds(one.bounds), bounds) !== undefined);
  const { x, y, width, height } = bounds;
  return isCovered ? undefined : [x, y, width, height].map(Math.round).join();
}
