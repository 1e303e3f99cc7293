import type { Point } from "../../model/bounds.ts";
import { type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import type { Window, Withheld } from "../../model/window.ts";
import type { Platform } from "../../platform/port.ts";
import { findStand, findStanding, findWindowStanding, namesOf, type Policy } from "../policy/policy.ts";
import { coversPoint, findPopupStanding } from "../policy/popups.ts";
import { describeStanding } from "../rules.ts";

type Kind = "tree" | "text" | "picture" | "windows";

/** What was looked at, for the log. */
export class Looks {
  private readonly apps = new Map<Kind, Set<string>>();

  add(kind: Kind, windows: readonly Window[]): void {
    const known = this.apps.get(kind) ?? new Set();
    for (const { app } of windows) known.add(app);
    this.apps.set(kind, known);
  }

  /** What it was, and of which applications; the list of windows counts only where nothing more was looked at. */
  take(): { readonly kinds: readonly Kind[]; readonly apps: readonly string[] } {
    const all = [...this.apps];
    this.apps.clear();
    const deeper = all.filter(([kind]) => kind !== "windows");
    const told = deeper.length > 0 ? deeper : all;
    return { kinds: told.map(([kind]) => kind), apps: [...new Set(told.flatMap(([, apps]) => [...apps]))] };
  }
}

export interface Veiling {
  readonly policy: Policy;
  readonly looks: Looks;
  /** Time allowed to find what must not be seen in a picture. */
  readonly timeoutMs: number;
  /** Why nothing may be looked at any more. */
  findStop(): Failure | undefined;
}

/** Every look at an application; each may be the first after a stop. */
const looking: ReadonlySet<PropertyKey> = new Set<keyof Platform>([
  "listWindows",
  "findWindowAt",
  "readWindows",
  "readText",
  "captureScreen",
  "captureWindow",
]);

/** All there is behind a veil: what else a platform has, such as itself without one, stays before it. */
const parts: Readonly<Record<keyof Platform, true>> = {
  name: true,
  lacks: true,
  listWindows: true,
  listSurfaces: true,
  findWindowAt: true,
  listPopups: true,
  findPointer: true,
  findPressPause: true,
  covers: true,
  readWindows: true,
  readText: true,
  glimpse: true,
  askWhatIsAt: true,
  watch: true,
  captureScreen: true,
  captureWindow: true,
  findOpener: true,
  isRunning: true,
  prepareRead: true,
  close: true,
};

/** The desktop without what must not be looked at: nobody behind this has ever seen it. */
export function veil(platform: Platform, { policy, looks, timeoutMs, findStop }: Veiling): Platform {
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
      looks.add("windows", windows);
      return succeed({ ...list.value, windows, withheld: hidden.map((one) => withhold(policy, one)) });
    },
    listSurfaces: async () => {
      const surfaces = await platform.listSurfaces();
      return surfaces.ok ? succeed(surfaces.value.filter(({ names }) => !covering.isBlind(names))) : surfaces;
    },
    findWindowAt: async (point) => {
      const [window, lock] = await Promise.all([platform.findWindowAt(point), findLockAt(platform, policy, point)]);
      if (!window.ok) return window;
      if (window.value !== undefined && isBlind(window.value)) return refuseBlind(policy, window.value);
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
      if (!Object.hasOwn(parts, name)) return undefined;
      const value = Reflect.get(veiled, name) ?? Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (!looking.has(name)) return value.bind(target);
      return (...given: unknown[]) => {
        const stopped = findStop();
        return stopped === undefined ? value.apply(target, given) : Promise.resolve(fail(stopped));
      };
    },
  });
}

/** A lock screen, or a menu of a blind application, over all windows. */
async function findLockAt(platform: Platform, policy: Policy, point: Point): Promise<Result<undefined>> {
  if (policy.standings.size === 0) return succeed(undefined);
  const popups = await platform.listPopups();
  if (!popups.ok) return popups;
  const isLock = (one: Window): boolean => findPopupStanding(policy, one) === "blind" && coversPoint(point)(one);
  const lock = popups.value.find(isLock);
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
