import { containsPoint, type Point } from "../../model/bounds.ts";
import { type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import type { Window, Withheld } from "../../model/window.ts";
import type { Platform } from "../../platform/port.ts";
import { redactSource } from "../../sources/redact.ts";
import type { Looks } from "../audit/looks.ts";
import { findPopupStanding, findStand, findWindowStanding, namesOf, type Policy } from "../policy/policy.ts";
import { describeStand } from "../rules.ts";
import type { CoverOptions } from "./scan.ts";
import { withheldBy } from "./withheld.ts";

export interface ViewOptions {
  readonly policy: Policy;
  readonly looks: Looks;
  /** Time allowed for finding what a picture must not show. */
  readonly timeoutMs: number;
  findStop(): Failure | undefined;
}

/**
 * The desktop as everybody but the guard sees it: without blind applications and secrets. It lists what may be asked
 * instead of filtering the platform, so that nothing else of the platform can be reached through it.
 */
export function createRedactedView(platform: Platform, { policy, looks, timeoutMs, findStop }: ViewOptions): Platform {
  const isBlind = (window: Window): boolean => findWindowStanding(policy, window) === "blind";
  const elements = redactSource(platform, isBlind, withheldBy(policy));
  const covering: CoverOptions = {
    platform: {
      listWindows: () => platform.listWindows(),
      listSurfaces: () => listNamed(platform, policy),
      // Secrets are located in the redacted tree, where they are marked.
      readWindows: (request) => elements.readWindows(request),
      glimpse: (...given) => platform.glimpse(...given),
      askWhatIsAt: (...given) => platform.askWhatIsAt(...given),
      captureScreen: (part) => platform.captureScreen(part),
      captureWindow: (...given) => platform.captureWindow(...given),
    },
    isBlind: (names) => findStand(policy, names).standing === "blind",
    timeoutMs,
    onShown: (windows) => looks.add("picture", windows),
  };
  const unlessStopped = async <T>(read: () => Promise<Result<T>>): Promise<Result<T>> => {
    const stopped = findStop();
    return stopped === undefined ? read() : fail(stopped);
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
        const withheld = all.filter(isBlind).map((one): Withheld => {
          return { id: one.id, pid: one.pid, names: namesOf(one), refusal: describeBlind(policy, one) };
        });
        return succeed({ windows, monitors, screen, withheld });
      }),
    listSurfaces: async () => {
      const surfaces = await listNamed(platform, policy);
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
        const { captureScreenCovered } = await import("./capture.ts");
        return captureScreenCovered(covering, part);
      }),
    captureWindow: (window, part) =>
      unlessStopped(async () => {
        if (isBlind(window)) return refuseBlind(policy, window);
        looks.add("picture", [window]);
        const { captureWindowCovered } = await import("./capture.ts");
        return captureWindowCovered(covering, window, part);
      }),
    findOpener: (...given) => platform.findOpener(...given),
    isRunning: (pid) => platform.isRunning(pid),
    findEnd: (pid) => platform.findEnd(pid),
    belongsTo: (pid, opened) => platform.belongsTo(pid, opened),
    prepareRead: () => platform.prepareRead(),
    close: () => platform.close(),
  };
  return Object.setPrototypeOf(view, null);
}

/** Surfaces with all names that their windows count as: a surface alone has no title. */
async function listNamed(platform: Platform, policy: Policy): ReturnType<Platform["listSurfaces"]> {
  if (policy.standings.size === 0) return platform.listSurfaces();
  const [surfaces, list] = await Promise.all([platform.listSurfaces(), platform.listWindows()]);
  if (!surfaces.ok) return surfaces;
  if (!list.ok) return list;
  const named = new Map(list.value.windows.map((window) => [window.id, namesOf(window)]));
  return succeed(surfaces.value.map((one) => ({ ...one, names: named.get(one.windowId ?? -1) ?? one.names })));
}

/** Refuses a point that a lock screen or a blind application's menu covers. */
async function findLockAt(platform: Platform, policy: Policy, point: Point): Promise<Result<undefined>> {
  if (policy.standings.size === 0) return succeed(undefined);
  const popups = await platform.listPopups();
  if (!popups.ok) return popups;
  const isLock = (one: Window): boolean =>
    findPopupStanding(policy, one) === "blind" && containsPoint(one.bounds, point);
  const lock = popups.value.find(isLock);
  return lock === undefined ? succeed(undefined) : refuseBlind(policy, lock);
}

function refuseBlind<T>(policy: Policy, window: Window): Result<T> {
  return fail(describeBlind(policy, window));
}

function describeBlind(policy: Policy, window: Window): Failure {
  return describeStand(window.app, findStand(policy, namesOf(window)));
}
