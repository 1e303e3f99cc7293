import type { ElementDetail } from "../../../inspector/element.ts";
import { type Bounds, intersect } from "../../../model/bounds.ts";
import type { Result } from "../../../model/failure.ts";

export interface Shot {
  readonly data: string;
  readonly width: number;
  readonly height: number;
}

/** Asks a tool, and gives its answer as data. */
export type Ask = <Answer>(tool: string, input: Readonly<Record<string, unknown>>) => Promise<Result<Answer>>;

interface Listed {
  readonly id: number;
  readonly bounds: readonly [number, number, number, number];
  readonly state: readonly string[];
}

/**
 * The control's picture. Where nothing covers it, the screen's own pixels: to have its window's makes the application draw, and
 * be read again, which whoever chooses the next control would wait for.
 */
export async function takeShot(ask: Ask, mark: number, scale: number): Promise<Result<Shot>> {
  const [detail, list] = await Promise.all([
    ask<ElementDetail>("element", { id: mark }),
    ask<readonly Listed[]>("list", {}),
  ]);
  const region = detail.ok && list.ok ? findRegion(detail.value, list.value) : undefined;
  const shot = region === undefined ? undefined : await ask<Shot>("screenshot", { region, scale });
  return shot?.ok === true ? shot : ask<Shot>("screenshot", { id: mark, scale });
}

/** Windows come front to back. */
function findRegion({ now }: ElementDetail, windows: readonly Listed[]): string | undefined {
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

function toBounds([x, y, width, height]: Listed["bounds"]): Bounds {
  return { x, y, width, height };
}
