import { type Bounds, intersect } from "../../model/bounds.ts";
import { type Result, succeed } from "../../model/failure.ts";
import type { Picture } from "../../model/frame.ts";
import { subtract } from "../../model/region.ts";
import type { Window } from "../../model/window.ts";
import type { ScreenSurface } from "../../platform/port.ts";
import { type CoverOptions, holdsSecret, type Look, listCovered, lookAtScreen, lookAtWindow } from "./look.ts";
import { findChange, paintOver } from "./paint.ts";
import { coverRestless } from "./restless.ts";
import { areStill, findLying } from "./truth.ts";

/** A part of the screen, without the pixels that must not leave. */
export async function captureScreenCovered(options: CoverOptions, part: Bounds): Promise<Result<Picture>> {
  const { platform } = options;
  return captureCovered(options, {
    look: () => lookAtScreen(options, part),
    take: () => platform.captureScreen(part),
    async isArranged({ surfaces }) {
      const now = await platform.listSurfaces();
      return now.ok ? succeed(isSameArrangement(surfaces, now.value, part)) : now;
    },
  });
}

/** A window or a part of it as itself, without the pixels that must not leave. */
export async function captureWindowCovered(
  options: CoverOptions,
  window: Window,
  part: Bounds | undefined,
): Promise<Result<Picture>> {
  const { platform } = options;
  return captureCovered(options, {
    look: () => lookAtWindow(options, window),
    take: () => platform.captureWindow(window, part),
    async isArranged({ windows: [before] }) {
      const list = await platform.listWindows();
      if (!list.ok) return list;
      const now = list.value.windows.find(({ id }) => id === window.id);
      return succeed(isSame(now?.bounds, before?.window.bounds));
    },
  });
}

interface Source {
  look(): Promise<Result<Look>>;
  take(): Promise<Result<Picture>>;
  /** Whether all windows are still where a look had them. */
  isArranged(look: Look): Promise<Result<boolean>>;
}

/** What moves while it is looked at is looked at again, so many times; what is told wrongly, less often. */
const [maxAttempts, maxLies] = [5, 2];
/** Browsers tell where a thing that moves was a moment ago: pixels tell at once. */
const calmMs = 50;

async function captureCovered(options: CoverOptions, source: Source): Promise<Result<Picture>> {
  const looks: Look[] = [];
  const known = new Map<string, string>();
  const lying = new Set<number>();
  let first: Picture | undefined;
  let before = await source.take();
  for (let [attempt, lies] = [1, 0]; ; attempt += 1) {
    if (!before.ok) return before;
    const look = await source.look();
    if (!look.ok) return look;
    const picture = await source.take();
    if (!picture.ok) return picture;
    first ??= picture.value;
    looks.push(look.value);
    const held = look.value.windows.filter(holdsSecret);
    const isQuick = held.length === 0;
    const isTrue = isQuick || (await areTrueMeanwhile(options, look.value, lying));
    const later = isQuick ? picture : await source.take();
    if (!later.ok) return later;
    const [isArranged, isStill] = await Promise.all([
      source.isArranged(look.value),
      areStill(
        options,
        held.flatMap(({ secrets }) => secrets),
        known,
      ),
    ]);
    if (!isArranged.ok) return isArranged;
    const others = [before.value, later.value];
    const isSettled = isStill && isArranged.value && isCalm(look.value, picture.value, others);
    if (isSettled && isTrue) return succeed(paintOver(picture.value, listCovered(look.value)));
    lies += isSettled ? 1 : 0;
    before = later;
    if (attempt < maxAttempts && lies < maxLies && !(isQuick && isArranged.value)) continue;
    // Something moves in a window that has told of no secret: one may just have come into sight.
    const again = await source.look();
    if (!again.ok) return again;
    looks.push(again.value);
    const hasNone = !looks.some(({ windows }) => windows.some(holdsSecret));
    if (attempt < maxAttempts && lies < maxLies && !hasNone) continue;
    const unrest = { picture: picture.value, others: [first, ...others], looks, lying, isArranged: isArranged.value };
    return succeed(paintOver(picture.value, coverRestless(unrest)));
  }
}

/** Whether the places told are true, for as long as pixels are given time to move. */
async function areTrueMeanwhile(options: CoverOptions, { windows }: Look, lying: Set<number>): Promise<boolean> {
  const wait = new Promise((resolve) => setTimeout(resolve, calmMs));
  const [found] = await Promise.all([findLying(options, windows), wait]);
  for (const id of found) lying.add(id);
  return found.size === 0;
}

/** Whether nothing has changed in the windows that hold a secret, but for the secrets; or where there is none, in any that could. */
function isCalm({ windows }: Look, picture: Picture, others: readonly Picture[]): boolean {
  const held = windows.filter(holdsSecret);
  const watched = held.length > 0 ? held : windows.filter(({ hasTree }) => hasTree);
  return watched.every(({ seen, covered }) => {
    const places = covered.map(({ bounds }) => bounds);
    const open = seen.flatMap((one) => subtract(one, places));
    return findChange(picture, others, open) === undefined;
  });
}

function isSameArrangement(before: readonly ScreenSurface[], after: readonly ScreenSurface[], part: Bounds): boolean {
  const inPart = (surfaces: readonly ScreenSurface[]): readonly ScreenSurface[] =>
    surfaces.filter(({ bounds }) => intersect(bounds, part) !== undefined);
  const [old, now] = [inPart(before), inPart(after)];
  return (
    old.length === now.length && old.every(({ id, bounds }, at) => now[at]?.id === id && isSame(now[at].bounds, bounds))
  );
}

function isSame(a: Bounds | undefined, b: Bounds | undefined): boolean {
  return a?.x === b?.x && a?.y === b?.y && a?.width === b?.width && a?.height === b?.height;
}
