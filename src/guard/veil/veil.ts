import type { Point } from "../../model/bounds.ts";
import { type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import type { Window, Withheld } from "../../model/window.ts";
import type { Platform } from "../../platform/port.ts";
import { redactSource } from "../../sources/redact.ts";
import { findStand, findStanding, findWindowStanding, namesOf, type Policy } from "../policy/policy.ts";
import { coversPoint, findPopupStanding } from "../policy/popups.ts";
import { describeStanding } from "../rules.ts";
import type { CoverOptions } from "./look.ts";

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

/**
 * The desktop without what must not be looked at, for everybody but the guard. It is a list of what may be asked, not a
 * filter: what a platform has beyond it, such as itself unredacted, cannot be reached through it.
 */
export function veil(platform: Platform, { policy, looks, timeoutMs, findStop }: Veiling): Platform {
  const isBlind = (window: Window): boolean => findWindowStanding(policy, window) === "blind";
  const elements = redactSource(platform, isBlind);
  const covering: CoverOptions = {
    platform: {
      listWindows: () => platform.listWindows(),
      listSurfaces: () => platform.listSurfaces(),
      // What a picture must not show is found in what was redacted.
      readWindows: (request) => elements.readWindows(request),
      glimpse: (...given) => platform.glimpse(...given),
      askWhatIsAt: (...given) => platform.askWhatIsAt(...given),
      captureScreen: (part) => platform.captureScreen(part),
      captureWindow: (...given) => platform.captureWindow(...given),
    },
    isBlind: (names) => findStanding(policy, names) === "blind",
    timeoutMs,
    onShown: (windows) => looks.add("picture", windows),
  };
  /** Each look may be the first after a stop. */
  const unlessStopped = async <T>(look: () => Promise<Result<T>>): Promise<Result<T>> => {
    const stopped = findStop();
    return stopped === undefined ? look() : fail(stopped);
  };
  const view: Platform = {
    name: platform.name,
    lacks: platform.lacks,
    listWindows: () =>
      unlessStopped(async () => {
        const list = await platform.listWindows();
        if (!list.ok) return list;
        const { windows: all, monitors, screen } = list.value;
        const windows = all.filter((one) => !isBlind(one));
        looks.add("windows", windows);
        const withheld = all.filter(isBlind).map((one) => withhold(policy, one));
        return succeed({ windows, monitors, screen, withheld });
      }),
    listSurfaces: async () => {
      const surfaces = await platform.listSurfaces();
      return surfaces.ok ? succeed(surfaces.value.filter(({ names }) => !covering.isBlind(names))) : surfaces;
    },
    findWindowAt: (point) =>
      unlessStopped(async () => {
        const [window, lock] = await Promise.all([platform.findWindowAt(point), findLockAt(platform, policy, point)]);
        if (!window.ok) return window;
        if (window.value !== undefined && isBlind(window.value)) return refuseBlind(policy, window.value);
        return lock.ok ? window : lock;
      }),
    listPopups: () => platform.listPopups(),
    findPointer: () => platform.findPointer(),
    findPressPause: (...given) => platform.findPressPause(...given),
    covers: (windows) => elements.covers(windows),
    readWindows: (request) =>
      unlessStopped(() => {
        looks.add("tree", request.windows);
        return elements.readWindows(request);
      }),
    readText: (request) =>
      unlessStopped(() => {
        looks.add("text", []);
        return elements.readText(request);
      }),
    glimpse: (...given) => elements.glimpse(...given),
    askWhatIsAt: (...given) => elements.askWhatIsAt(...given),
    watch: (...given) => elements.watch(...given),
    captureScreen: (part) =>
      unlessStopped(async () => {
        looks.add("picture", []);
        const { captureScreenCovered } = await import("./cover.ts");
        return captureScreenCovered(covering, part);
      }),
    captureWindow: (window, part) =>
      unlessStopped(async () => {
        if (isBlind(window)) return refuseBlind(policy, window);
        looks.add("picture", [window]);
        const { captureWindowCovered } = await import("./cover.ts");
        return captureWindowCovered(covering, window, part);
      }),
    findOpener: (...given) => platform.findOpener(...given),
    isRunning: (pid) => platform.isRunning(pid),
    prepareRead: () => platform.prepareRead(),
    close: () => platform.close(),
  };
  return Object.setPrototypeOf(view, null);
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
