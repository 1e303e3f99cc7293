import type { Point } from "../model/bounds.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import type { Window, Withheld } from "../model/window.ts";
import type { Platform } from "../platform/port.ts";
import { coversPoint, findOverlayStanding } from "./overlays.ts";
import { findStand, findStanding, findWindowStanding, namesOf, type Policy } from "./policy.ts";
import { describeStanding } from "./rules.ts";

/** What was looked at, for the log. */
export class Looks {
  readonly apps = new Set<string>();
  readonly kinds = new Set<"tree" | "text" | "picture">();

  add(kind: "tree" | "text" | "picture", windows: readonly Window[]): void {
    this.kinds.add(kind);
    for (const { app } of windows) this.apps.add(app);
  }
}

/** The desktop without what must not be looked at: nobody behind this has ever seen it. */
export function veil(platform: Platform, policy: Policy, looks: Looks, timeoutMs: number): Platform {
  const isBlind = (window: Window): boolean => findWindowStanding(policy, window) === "blind";
  const covering = {
    platform,
    isBlind: (names: readonly string[]) => findStanding(policy, names) === "blind",
    timeoutMs,
    onShown: (windows: readonly Window[]) => looks.add("picture", windows),
  };
  const veiled: Partial<Platform> = {
    listWindows: async () => {
      const list = await platform.listWindows();
      if (!list.ok) return list;
      const [hidden, windows] = [list.value.windows.filter(isBlind), list.value.windows.filter((one) => !isBlind(one))];
      return succeed({ ...list.value, windows, withheld: hidden.map((one) => withhold(policy, one)) });
    },
    listSurfaces: async () => {
      const surfaces = await platform.listSurfaces();
      return surfaces.ok ? succeed(surfaces.value.filter(({ names }) => !covering.isBlind(names))) : surfaces;
    },
    findWindowAt: async (point) => {
      const window = await platform.findWindowAt(point);
      if (!window.ok) return window;
      if (window.value !== undefined && isBlind(window.value)) return refuseBlind(policy, window.value);
      const lock = await findLockAt(platform, policy, point);
      return lock.ok ? window : lock;
    },
    readWindows: (request) => {
      looks.add("tree", request.windows);
      return platform.readWindows(request);
    },
    readText: (request) => {
      looks.add("text", []);
      return platform.readText(request);
    },
    captureScreen: async (part) => {
      looks.add("picture", []);
      const { captureScreenCovered } = await import("./cover.ts");
      return captureScreenCovered(covering, part);
    },
    captureWindow: async (window, part) => {
      if (isBlind(window)) return refuseBlind(policy, window);
      looks.add("picture", [window]);
      const { captureWindowCovered } = await import("./cover.ts");
      return captureWindowCovered(covering, window, part);
    },
  };
  return new Proxy(platform, {
    get(target, name) {
      const own = Reflect.get(veiled, name);
      if (own !== undefined) return own;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A lock screen, or a menu of a blind application, over all windows. */
async function findLockAt(platform: Platform, policy: Policy, point: Point): Promise<Result<undefined>> {
  if (policy.standings.size === 0) return succeed(undefined);
  const overlays = await platform.listOverlays();
  if (!overlays.ok) return overlays;
  const isLock = (one: Window): boolean => findOverlayStanding(policy, one) === "blind" && coversPoint(point)(one);
  const lock = overlays.value.find(isLock);
  return lock === undefined ? succeed(undefined) : refuseBlind(policy, lock);
}

function withhold(policy: Policy, window: Window): Withheld {
  const { id, pid } = window;
  return { id, pid, names: namesOf(window), refusal: describeBlind(policy, window) };
}

function refuseBlind<T>(policy: Policy, window: Window): Result<T> {
  return fail(describeBlind(policy, window));
}

function describeBlind(policy: Policy, window: Window): Failure {
  return describeStanding(window.app, "blind", findStand(policy, namesOf(window)).entry);
}
