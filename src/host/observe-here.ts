import type { Activity, Spot } from "../model/activity.ts";
import { type Bounds, boundsAround, centreOf, intersect } from "../model/bounds.ts";
import { defaultTimeoutMs } from "../model/default-timeout.ts";
import type { Env } from "../model/env.ts";
import { fail, type Result } from "../model/failure.ts";
import type { Picture } from "../model/frame.ts";
import { grow } from "../model/region.ts";
import type { Window } from "../model/window.ts";
import { encode, scaleDown } from "../picture/encode.ts";
import type { Place } from "./listen-here.ts";
import type { Camera, Observers, Photo } from "./observers.ts";
import { openSession } from "./session.ts";

const tool = "observe";
const aroundPx = 48;
const least = { x: 0, y: 0, width: 320, height: 180 };
const most = { width: 400, height: 300 };
const quality = 70;

/** Observes on the shared runtime with a session of its own, whose pictures show only what the observer may see. */
export async function* observeHere(
  env: Env,
  { runtime, caller }: Place,
  observers: Observers,
  signal: AbortSignal,
): AsyncGenerator<Result<Activity>> {
  let session = openSession(env, defaultTimeoutMs, runtime, { caller });
  const capture: Camera = async (where) => {
    const platform = await session.openPlatform();
    if (!platform.ok) return undefined;
    const list = await platform.value.listWindows();
    // The runtime may have a new display connection: the next capture uses that.
    if (!list.ok) {
      session.close();
      session = openSession(env, defaultTimeoutMs, runtime, { caller });
    }
    const region = list.ok ? intersect(findRegion(where), list.value.screen) : undefined;
    if (!list.ok || region === undefined) return undefined;
    platform.value.prepareRead();
    const covered = findCovered(where, list.value.windows);
    const part = covered && intersect(region, covered.bounds);
    const picture = await (covered === undefined || part === undefined
      ? platform.value.captureScreen(region)
      : platform.value.captureWindow(covered, part));
    return picture.ok && session.recordLooks(tool).ok ? () => develop(picture.value) : undefined;
  };
  try {
    // A client that may not observe is told so at once.
    const first = await session.openPlatform();
    if (!first.ok) yield fail(session.recordRefusal(tool, first.failure));
    else {
      // The first capture loads code that no action should have to wait for.
      await (await capture(least))?.();
      yield* observers.observe(capture, signal);
    }
  } finally {
    session.close();
  }
}

async function develop({ pixels, bounds: { width, height } }: Picture): Promise<Photo> {
  const raster = scaleDown({ pixels, width, height }, Math.min(1, most.width / width, most.height / height));
  const jpeg = Buffer.from(await encode(raster, "jpg", quality)).toString("base64");
  return { jpeg, width: raster.width, height: raster.height };
}

/** The window of a place if another one covers it there. Windows are ordered front to back. */
function findCovered(where: Spot, windows: readonly Window[]): Window | undefined {
  const at = windows.findIndex(({ id }) => id === where.windowId);
  const isOver = ({ bounds, state }: Window): boolean =>
    !state.includes("minimised") && intersect(bounds, where) !== undefined;
  return windows.slice(0, Math.max(0, at)).some(isOver) ? windows[at] : undefined;
}

export function findRegion(where: Bounds): Bounds {
  const wide = grow(where, aroundPx);
  const size = { width: Math.max(wide.width, least.width), height: Math.max(wide.height, least.height) };
  return boundsAround(centreOf(where), size);
}
