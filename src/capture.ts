import { type Desktop, locate } from "./desktop.ts";
import { nearest } from "./find/nearest.ts";
import { selectWindows, type WindowWish } from "./find/select.ts";
import { type Bounds, intersect, screenSpace } from "./model/bounds.ts";
import { fail, nothingDone, type Result, succeed } from "./model/failure.ts";
import type { Frame, ImageFormat, Picture, Scope, Subject } from "./model/frame.ts";
import { quoteText } from "./model/plain-text.ts";
import type { Window } from "./model/window.ts";
import type { Platform, WindowList } from "./platform/port.ts";

/** What to take a picture of. */
export type Target =
  | { readonly scope: "screen" }
  | { readonly scope: "monitor"; readonly monitor?: string | undefined }
  | { readonly scope: "region"; readonly region: Bounds }
  | { readonly scope: "window"; readonly wish: WindowWish }
  | { readonly scope: "element"; readonly mark: number; readonly wish: WindowWish };

export interface FrameWish {
  readonly format: ImageFormat;
  /** Of a JPEG, 1 to 100. */
  readonly quality: number;
  /** 1 gives a pixel for a pixel. */
  readonly scale: number;
}

interface Shot {
  readonly picture: Picture;
  readonly subject: Subject;
}

/** A picture of anything but an element, which takes a map to find. */
export async function capture(
  platform: Platform,
  target: Exclude<Target, { scope: "element" }>,
  wish: FrameWish,
): Promise<Result<Frame>> {
  // What a picture shows is read as well, to find what must be covered.
  platform.prepareRead();
  const list = await platform.listWindows();
  if (!list.ok) return list;
  const shot = await shoot(platform, list.value, target);
  return shot.ok ? succeed(await develop(shot.value, target.scope, wish)) : shot;
}

export async function captureElement(
  desktop: Desktop,
  target: Extract<Target, { scope: "element" }>,
  wish: FrameWish & { readonly timeoutMs: number },
): Promise<Result<Frame>> {
  const located = await locate(desktop, target.mark, { ...target.wish, timeoutMs: wish.timeoutMs });
  if (!located.ok) return located;
  const { window, element } = located.value;
  const { bounds, states } = element;
  if (bounds === undefined || states.has("hidden") || bounds.width === 0 || bounds.height === 0) {
    return fail({
      code: "UNAVAILABLE",
      message: `${element.role} ${target.mark} ${quoteText(element.name)} is not on the screen`,
      suggestion: "open or scroll to what holds it, then take the picture again.",
      done: nothingDone,
    });
  }
  const picture = await desktop.platform.captureWindow(window, bounds);
  if (!picture.ok) return picture;
  const subject = { window: nameWindow(window), mark: target.mark };
  return succeed(await develop({ picture: picture.value, subject }, "element", wish));
}

async function shoot(
  platform: Platform,
  list: WindowList,
  target: Exclude<Target, { scope: "element" }>,
): Promise<Result<Shot>> {
  switch (target.scope) {
    case "screen":
      return withSubject(await platform.captureScreen(list.screen), {});
    case "monitor":
      return shootMonitor(platform, list, target.monitor);
    case "region": {
      const part = intersect(target.region, list.screen);
      if (part === undefined) return fail(describeOffScreen(target.region, list.screen));
      return withSubject(await platform.captureScreen(part), {});
    }
    case "window": {
      const windows = selectWindows(list.windows, target.wish, list.withheld);
      if (!windows.ok) return windows;
      // The one in front; a minimised one only when there is no other, for it has no picture.
      const window = windows.value.find(({ state }) => !state.includes("minimised")) ?? windows.value[0];
      if (window === undefined) return fail(describeNoWindow());
      return withSubject(await platform.captureWindow(window), { window: nameWindow(window) });
    }
  }
}

async function shootMonitor(platform: Platform, list: WindowList, name: string | undefined): Promise<Result<Shot>> {
  const { monitors, screen } = list;
  const wanted = name?.toLowerCase();
  const monitor =
    wanted === undefined
      ? (monitors.find(({ isPrimary }) => isPrimary) ?? monitors[0])
      : monitors.find((one) => one.name.toLowerCase() === wanted);
  const part = monitor && intersect(monitor.bounds, screen);
  if (monitor !== undefined && part !== undefined) {
    return withSubject(await platform.captureScreen(part), { monitor: monitor.name });
  }
  const names = monitors.map((one) => one.name);
  return fail({
    code: "NOT_FOUND",
    message: name === undefined ? "the display names no monitor" : `no monitor "${name}"`,
    nearest: nearest(name ?? "", names),
    suggestion: names.length === 0 ? "--scope screen takes the whole screen." : `one of ${names.join(", ")}`,
    done: nothingDone,
  });
}

function withSubject(picture: Result<Picture>, subject: Subject): Result<Shot> {
  return picture.ok ? succeed({ picture: picture.value, subject }) : picture;
}

/** Makes the file. What encodes is loaded here, since only pictures need it. */
async function develop({ picture, subject }: Shot, scope: Scope, wish: FrameWish): Promise<Frame> {
  const takenAtMs = Date.now();
  const { scaleDown, encode } = await import("./picture/index.ts");
  const { x, y, width, height } = picture.bounds;
  const raster = scaleDown({ pixels: picture.pixels, width, height }, wish.scale);
  return {
    data: await encode(raster, wish.format, wish.quality),
    format: wish.format,
    width: raster.width,
    height: raster.height,
    takenAtMs,
    origin: { x, y },
    scale: wish.scale,
    space: screenSpace,
    scope,
    subject,
    covered: picture.covered ?? [],
  };
}

function nameWindow({ id, app, title, pid }: Window): Subject["window"] & {} {
  return { id, app, title, pid };
}

function describeOffScreen(region: Bounds, screen: Bounds) {
  const { x, y, width, height } = region;
  return {
    code: "NOT_FOUND" as const,
    message: `the region ${x},${y},${width},${height} lies outside the screen`,
    suggestion: `the screen is ${screen.width}x${screen.height}, from ${screen.x},${screen.y}.`,
    done: nothingDone,
  };
}

function describeNoWindow() {
  return {
    code: "NOT_FOUND" as const,
    message: "no window is open",
    suggestion: "--scope screen takes the whole screen.",
    done: nothingDone,
  };
}
