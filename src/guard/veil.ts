import { fail, type Result, succeed } from "../model/failure.ts";
import type { Window } from "../model/window.ts";
import type { Platform } from "../platform/port.ts";
import { findStanding, findWindowStanding, type Policy } from "./policy.ts";
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
      return list.ok ? succeed({ ...list.value, windows: list.value.windows.filter((one) => !isBlind(one)) }) : list;
    },
    listSurfaces: async () => {
      const surfaces = await platform.listSurfaces();
      return surfaces.ok ? succeed(surfaces.value.filter(({ names }) => !covering.isBlind(names))) : surfaces;
    },
    findWindowAt: async (point) => {
      const window = await platform.findWindowAt(point);
      if (!window.ok || window.value === undefined || !isBlind(window.value)) return window;
      return refuseBlind(window.value);
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
      if (isBlind(window)) return refuseBlind(window);
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

function refuseBlind<T>({ app }: Window): Result<T> {
  return fail(describeStanding(app, "blind"));
}
