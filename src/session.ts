import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { ActingDesktop, Desktop } from "./desktop.ts";
import { Guard } from "./guard/guard.ts";
import { broken, type Check, ok } from "./model/check.ts";
import { type Result, succeed } from "./model/failure.ts";
import type { Platform } from "./platform/port.ts";

export const defaultTimeoutMs = 5000;

interface ActingPlatform {
  readonly platform: Platform;
  readonly guard: Guard;
}

/** One client's hold on the desktop. */
export interface Session {
  /** The desktop with its map. */
  openDesktop(): Promise<Result<Desktop>>;
  /** The same, to be acted on. */
  openToAct(): Promise<Result<ActingDesktop>>;
  /** The platform to be acted on, for what needs no map: windows, programs, the clipboard. */
  openPlatformToAct(): Promise<Result<ActingPlatform>>;
  /** The platform alone, for what needs no map. */
  openPlatform(): Promise<Result<Platform>>;
  /** What works here and what does not, the map included; `fix` switches on what can be. */
  diagnose(fix: boolean): Promise<readonly Check[]>;
  readonly timeoutMs: number;
  close(): void;
}

/** Opens the desktop's parts when they are first needed, and closes what was opened. */
export function openSession(env: Readonly<Record<string, string | undefined>>, timeoutMs: number): Session {
  const closers: (() => void)[] = [];
  let platform: Result<Platform> | undefined;

  const openPlatform = async (): Promise<Result<Platform>> => {
    if (platform === undefined) {
      const { openPlatform: open } = await import("./platform/pick.ts");
      platform = await open({ env, timeoutMs });
      if (platform.ok) closers.push(platform.value.close.bind(platform.value));
    }
    return platform;
  };

  let desktop: Result<Desktop> | undefined;
  const openDesktop = async (): Promise<Result<Desktop>> => {
    desktop ??= await openMap();
    return desktop;
  };

  const openMap = async (): Promise<Result<Desktop>> => {
    const opened = await openPlatform();
    if (!opened.ok) return opened;
    // The map is opened while the first answers are on their way.
    opened.value.prepareRead();
    const { SqliteStore } = await import("./map/store/sqlite.ts");
    const marks = SqliteStore.open(mapPath(env));
    if (!marks.ok) return marks;
    closers.push(() => marks.value.close());
    return succeed({ platform: opened.value, marks: marks.value });
  };

  let guard: Guard | undefined;
  const openToAct = async (): Promise<Result<ActingDesktop>> => {
    const opened = await openDesktop();
    if (!opened.ok) return opened;
    return succeed({ ...opened.value, guard: openGuard(opened.value.platform) });
  };

  const openPlatformToAct = async (): Promise<Result<ActingPlatform>> => {
    const opened = await openPlatform();
    return opened.ok ? succeed({ platform: opened.value, guard: openGuard(opened.value) }) : opened;
  };

  const openGuard = (seen: Platform): Guard => {
    guard ??= new Guard(async () => (await import("./platform/pick.ts")).openHands(seen));
    // Hands let go of everything before the connections that they share are closed.
    closers.unshift(() => guard?.close());
    return guard;
  };

  const diagnose = async (fix: boolean): Promise<readonly Check[]> => {
    const { diagnosePlatform } = await import("./platform/pick.ts");
    return [...(await diagnosePlatform({ env, timeoutMs, fix })), await examineMap(mapPath(env))];
  };

  const close = (): void => {
    for (const closeOne of closers) closeOne();
  };

  return { openPlatform, openDesktop, openToAct, openPlatformToAct, diagnose, timeoutMs, close };
}

/** What a killed process held is let go of by its watchdog, which comes in here; it can do nothing else. */
export async function releaseInput(undo: string): Promise<void> {
  const { releaseInput: release } = await import("./platform/pick.ts");
  await release(undo, process.env);
}

async function examineMap(path: string): Promise<Check> {
  const { SqliteStore } = await import("./map/store/sqlite.ts");
  const store = SqliteStore.open(path);
  if (!store.ok) return broken("map", store.failure.message, store.failure.suggestion ?? "");
  const count = store.value.countMarks();
  store.value.close();
  return ok("map", `${path}, ${count} ${count === 1 ? "mark" : "marks"}`);
}

function mapPath(env: Readonly<Record<string, string | undefined>>): string {
  // The XDG specification: a path that is not absolute is to be ignored.
  const isGiven = env.XDG_DATA_HOME !== undefined && isAbsolute(env.XDG_DATA_HOME);
  const data = isGiven ? env.XDG_DATA_HOME : join(env.HOME || homedir(), ".local", "share");
  return join(data ?? "", "deskmap", "map.db");
}
