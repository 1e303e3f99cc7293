import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { ActingDesktop, Desktop } from "./desktop.ts";
import { nobody } from "./guard/approver.ts";
import { FileRecords } from "./guard/file-records.ts";
import type { Client } from "./guard/gate.ts";
import { Guard } from "./guard/guard.ts";
import { findPlaces } from "./guard/places.ts";
import type { Policy } from "./guard/policy.ts";
import { loadPolicy } from "./guard/policy-file.ts";
import { forbidWhenStopped } from "./guard/rules.ts";
import { FileTurns } from "./guard/turn.ts";
import { Looks, veil } from "./guard/veil.ts";
import { broken, type Check, ok } from "./model/check.ts";
import { fail, type Result, succeed } from "./model/failure.ts";
import type { Platform } from "./platform/port.ts";
import { isInsideSandbox } from "./sandbox/inside.ts";

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
  /** Writes down what was looked at, before it is given away. */
  recordLooks(tool: string): Result<void>;
  readonly timeoutMs: number;
  close(): void;
}

/** A name that a client gives itself. */
const clientVariable = "DESKMAP_CLIENT";

/** Opens the desktop's parts when they are first needed, and closes what was opened. */
export function openSession(env: Readonly<Record<string, string | undefined>>, timeoutMs: number): Session {
  const closers: (() => void)[] = [];
  const places = findPlaces(env);
  const records = new FileRecords(places);
  const client: Client = { name: env[clientVariable] || "cli" };
  const looks = new Looks();

  interface Opened {
    /** As it is: for the guard alone. */
    readonly bare: Platform;
    /** Without what must not be looked at: for everybody else. */
    readonly platform: Platform;
    readonly policy: Policy;
  }
  let opened: Promise<Result<Opened>> | undefined;
  const openBoth = (): Promise<Result<Opened>> => {
    opened ??= openFirst();
    return opened;
  };

  const openFirst = async (): Promise<Result<Opened>> => {
    const stopped = forbidWhenStopped({ records });
    if (stopped !== undefined) return fail(stopped);
    const policy = loadPolicy(places, isInsideSandbox(env));
    if (!policy.ok) return policy;
    const { openPlatform: open } = await import("./platform/pick.ts");
    const bare = await open({ env, timeoutMs });
    if (!bare.ok) return bare;
    closers.push(() => bare.value.close());
    return succeed({
      bare: bare.value,
      platform: veil(bare.value, policy.value, looks, timeoutMs),
      policy: policy.value,
    });
  };

  const openPlatform = async (): Promise<Result<Platform>> => {
    const both = await openBoth();
    return both.ok ? succeed(both.value.platform) : both;
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
  const openGuard = async (): Promise<Result<Guard>> => {
    if (guard !== undefined) return succeed(guard);
    const both = await openBoth();
    if (!both.ok) return both;
    const { bare, policy } = both.value;
    const openHands = async () => (await import("./platform/pick.ts")).openHands(bare);
    const made = new Guard(
      { platform: bare, policy, records, approver: nobody, client, openHands },
      new FileTurns(places),
    );
    // Hands let go of everything before the connections that they share are closed.
    closers.unshift(() => made.close());
    guard = made;
    return succeed(made);
  };

  const openToAct = async (): Promise<Result<ActingDesktop>> => {
    const seen = await openDesktop();
    if (!seen.ok) return seen;
    const gate = await openGuard();
    return gate.ok ? succeed({ ...seen.value, guard: gate.value }) : gate;
  };

  const openPlatformToAct = async (): Promise<Result<ActingPlatform>> => {
    const seen = await openPlatform();
    if (!seen.ok) return seen;
    const gate = await openGuard();
    return gate.ok ? succeed({ platform: seen.value, guard: gate.value }) : gate;
  };

  const recordLooks = (tool: string): Result<void> => {
    if (looks.kinds.size === 0) return succeed(undefined);
    const [apps, kinds] = [[...looks.apps], [...looks.kinds]];
    looks.apps.clear();
    looks.kinds.clear();
    const written = records.write({ what: "look", client: client.name, tool, apps, way: kinds.join(" ") });
    return written.ok ? succeed(undefined) : written;
  };

  const diagnose = async (fix: boolean): Promise<readonly Check[]> => {
    const { diagnosePlatform } = await import("./platform/pick.ts");
    return [...(await diagnosePlatform({ env, timeoutMs, fix })), await examineMap(mapPath(env))];
  };

  const close = (): void => {
    for (const closeOne of closers) closeOne();
  };

  return { openPlatform, openDesktop, openToAct, openPlatformToAct, diagnose, recordLooks, timeoutMs, close };
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
