import { nearest } from "../find/nearest.ts";
import { type ReadOptions, withMap } from "../find/read.ts";
import { selectWindows, type WindowQuery } from "../find/select.ts";
import { type Bounds, containsBounds, intersect, screenSpace } from "../model/bounds.ts";
import { type FramePlace, screenBoundsToFrame } from "../model/coordinates.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import type { Frame, FrameMark, ImageFormat, Picture, Scope, Subject } from "../model/frame.ts";
import type { Aim } from "../model/order.ts";
import { quoteText } from "../model/plain-text.ts";
import { grow } from "../model/region.ts";
import type { Role } from "../model/role.ts";
import type { Window } from "../model/window.ts";
import type { Platform, WindowList } from "../platform/port.ts";
import { type Desktop, locate } from "./index.ts";
import { readForPicture, type SeenElement } from "./visible-elements.ts";

export type Target =
  | { readonly scope: "screen" }
  | { readonly scope: "monitor"; readonly monitor?: string | undefined }
  | { readonly scope: "region"; readonly region: Bounds }
  | { readonly scope: "window"; readonly query: WindowQuery }
  | ElementTarget;

interface ElementTarget {
  readonly scope: "element";
  readonly aim: Aim;
  readonly query: WindowQuery;
  /** Pixels around it to include, within its window. */
  readonly margin: number;
}

export interface FrameOptions {
  readonly format: ImageFormat;
  readonly quality: number;
  /** Picture pixels per screen pixel; by default chosen by size. */
  readonly scale?: number | undefined;
}

export interface MarksRequest extends ReadOptions {
  /** Only these roles; by default what can be acted on. */
  readonly roles?: ReadonlySet<Role> | undefined;
}

/** A part of the screen, or a window without what covers it. */
interface Plan {
  readonly scope: Scope;
  readonly subject: Subject;
  readonly window?: Window | undefined;
  readonly part?: Bounds | undefined;
}

/** Small elements and regions are shown in full detail; larger pictures cost their reader too much. */
export const detail = { largest: "640x480", largestPx: 640 * 480, scale: 1, otherScale: 0.5 } as const;

/** A picture of anything but an element: finding one needs the map. */
export async function capture(
  platform: Platform,
  target: Exclude<Target, ElementTarget>,
  query: FrameOptions,
): Promise<Result<Frame>> {
  // The windows in a picture are also read, to find what must be covered.
  platform.prepareRead();
  const list = await platform.listWindows();
  if (!list.ok) return list;
  const plan = planShot(list.value, target);
  return plan.ok ? takePlanned(platform, plan.value, query) : plan;
}

export async function captureElement(
  desktop: Desktop,
  target: ElementTarget,
  query: FrameOptions & ReadOptions,
): Promise<Result<Frame>> {
  const plan = await planElement(desktop, target, query);
  return plan.ok ? takePlanned(desktop.platform, plan.value, query) : plan;
}

/** How often to retry if a window moves meanwhile; after that, moved windows get no marks. */
const maxAttempts = 3;

/** A picture with marks. They are drawn into the returned copy only. */
export async function captureMarked(
  desktop: Desktop,
  target: Target,
  query: FrameOptions & MarksRequest,
): Promise<Result<Frame>> {
  const { platform } = desktop;
  platform.prepareRead();
  return withMap(async () => {
    for (let attempt = 1; ; attempt += 1) {
      const list = await platform.listWindows();
      if (!list.ok) return list;
      const plan =
        target.scope === "element" ? await planElement(desktop, target, query) : planShot(list.value, target);
      if (!plan.ok) return plan;
      const all = list.value.windows;
      const windows = all.filter((window) => isInPlan(window, plan.value));
      const reading = await readForPicture(desktop, { ...query, windows, all });
      if (!reading.ok) return reading;
      const picture = await take(platform, plan.value);
      if (!picture.ok) return picture;
      const now = await platform.listWindows();
      if (!now.ok) return now;
      const moved = findMoved(windows, now.value.windows);
      if (moved.size > 0 && attempt < maxAttempts) continue;
      const covered = (picture.value.covered ?? []).filter(({ what }) => what !== "secret").map(({ bounds }) => bounds);
      const seen = reading.value.markSeen({ part: picture.value.bounds, window: plan.value.window, covered, moved });
      return succeed(await develop(picture.value, plan.value, query, seen));
    }
  });
}

function isInPlan(window: Window, plan: Plan): boolean {
  if (plan.window !== undefined) return window.id === plan.window.id;
  // A menu may extend beyond its window, so every visible application is read.
  return !window.state.includes("minimised");
}

function findMoved(before: readonly Window[], now: readonly Window[]): ReadonlySet<number> {
  const places = new Map(now.map(({ id, bounds, state }) => [id, JSON.stringify([bounds, state])]));
  const moved = before.filter(({ id, bounds, state }) => places.get(id) !== JSON.stringify([bounds, state]));
  return new Set(moved.map(({ id }) => id));
}

async function takePlanned(platform: Platform, plan: Plan, query: FrameOptions): Promise<Result<Frame>> {
  const picture = await take(platform, plan);
  return picture.ok ? succeed(await develop(picture.value, plan, query)) : picture;
}

async function take(platform: Platform, { window, part }: Plan): Promise<Result<Picture>> {
  if (window !== undefined) return platform.captureWindow(window, part);
  return part === undefined ? fail(describeNoWindow()) : platform.captureScreen(part);
}

function planShot(list: WindowList, target: Exclude<Target, ElementTarget>): Result<Plan> {
  const { scope } = target;
  switch (scope) {
    case "screen":
      return succeed({ scope, part: list.screen, subject: {} });
    case "monitor":
      return planMonitor(list, target.monitor);
    case "region": {
      const part = intersect(target.region, list.screen);
      if (part !== undefined) return succeed({ scope, part, subject: {} });
      const [{ x, y, width, height }, { screen }] = [target.region, list];
      const message = `the region ${x},${y},${width},${height} lies outside the screen`;
      const suggestion = `the screen is ${screen.width}x${screen.height}, from ${screen.x},${screen.y}.`;
      return fail(makeFailure("NOT_FOUND", message, suggestion));
    }
    case "window": {
      const windows = selectWindows(list, target.query);
      if (!windows.ok) return windows;
      // The frontmost one; a minimised window has no picture and comes last.
      const window = windows.value.find(({ state }) => !state.includes("minimised")) ?? windows.value[0];
      if (window === undefined) return fail(describeNoWindow());
      return succeed({ scope, window, subject: { window: nameWindow(window) } });
    }
  }
}

function planMonitor({ monitors, screen }: WindowList, name: string | undefined): Result<Plan> {
  const wanted = name?.toLowerCase();
  const monitor =
    wanted === undefined
      ? (monitors.find(({ isPrimary }) => isPrimary) ?? monitors[0])
      : monitors.find((one) => one.name.toLowerCase() === wanted);
  const part = monitor && intersect(monitor.bounds, screen);
  if (monitor !== undefined && part !== undefined) {
    return succeed({ scope: "monitor", part, subject: { monitor: monitor.name } });
  }
  const names = monitors.map((one) => one.name);
  return fail(
    makeFailure(
      "NOT_FOUND",
      name === undefined ? "the display reports no monitor" : `no monitor "${name}"`,
      names.length === 0 ? "--scope screen takes the whole screen." : `one of ${names.join(", ")}`,
      { nearest: nearest(name ?? "", names) },
    ),
  );
}

async function planElement(desktop: Desktop, target: ElementTarget, { timeoutMs }: ReadOptions): Promise<Result<Plan>> {
  const located = await locate(desktop, target.aim, { ...target.query, timeoutMs });
  if (!located.ok) return located;
  const { window, element } = located.value;
  const { bounds, states } = element;
  if (bounds === undefined || states.has("hidden") || bounds.width === 0 || bounds.height === 0) {
    return fail(
      makeFailure(
        "UNAVAILABLE",
        `${element.role} ${element.mark} ${quoteText(element.name)} is not on the screen`,
        "scroll to it or open what contains it, then take the picture again.",
      ),
    );
  }
  const part = target.margin === 0 ? succeed(bounds) : await addMargin(desktop.platform, window, bounds, target.margin);
  if (!part.ok) return part;
  const subject = { window: nameWindow(window), mark: element.mark };
  return succeed({ scope: "element", window, part: part.value, subject });
}

/** Within the window, or within its pop-up that contains the element. */
async function addMargin(
  platform: Platform,
  window: Window,
  bounds: Bounds,
  marginPx: number,
): Promise<Result<Bounds>> {
  const surfaces = await platform.listSurfaces();
  if (!surfaces.ok) return surfaces;
  const popup = surfaces.value.find((one) => {
    return one.windowId === undefined && one.pid === window.pid && containsBounds(one.bounds, bounds);
  });
  return succeed(intersect(grow(bounds, marginPx), popup?.bounds ?? window.bounds) ?? bounds);
}

/** Encodes the picture. The encoder is loaded lazily: only pictures need it. */
async function develop(
  picture: Picture,
  { scope, subject }: Plan,
  query: FrameOptions,
  seen?: readonly SeenElement[],
): Promise<Frame> {
  const takenAtMs = Date.now();
  const { scaleDown, encode } = await import("../picture/encode.ts");
  const { x, y, width, height } = picture.bounds;
  const scale = query.scale ?? chooseScale(scope, picture.bounds);
  const place = { origin: { x, y }, scale };
  const raster = scaleDown({ pixels: picture.pixels, width, height }, scale);
  const marks = seen?.map((one) => toFrameMark(one, place));
  if (marks !== undefined) (await import("../picture/draw-marks.ts")).drawMarks(raster, marks);
  return {
    data: await encode(raster, query.format, query.quality),
    format: query.format,
    width: raster.width,
    height: raster.height,
    takenAtMs,
    ...place,
    space: screenSpace,
    scope,
    subject,
    covered: picture.covered ?? [],
    marks,
  };
}

function chooseScale(scope: Scope, { width, height }: Bounds): number {
  const isPointedAt = scope === "element" || scope === "region";
  return isPointedAt && width * height <= detail.largestPx ? detail.scale : detail.otherScale;
}

function toFrameMark({ element, seen }: SeenElement, place: FramePlace): FrameMark {
  const { mark, role, taught, name, clickPoint } = element;
  return { mark, role, name: taught ?? name, bounds: screenBoundsToFrame(seen, place), clickPoint };
}

function nameWindow({ id, app, title, pid }: Window): Subject["window"] & {} {
  return { id, app, title, pid };
}

function describeNoWindow() {
  return makeFailure("NOT_FOUND", "no window is open", "--scope screen takes the whole screen.");
}
