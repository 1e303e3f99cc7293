import { existsSync } from "node:fs";
import type { ActingDesktop, Desktop } from "./desktop.ts";
import type { Ground } from "./ground.ts";
import { FileRecords } from "./guard/audit/file-records.ts";
import { clientOf } from "./guard/gate.ts";
import type { Guard } from "./guard/guard.ts";
import { noteRefusal } from "./guard/note-refusal.ts";
import { findPlaces } from "./guard/places.ts";
import { LivePolicy } from "./guard/policy/live.ts";
import { findStanding, findWindowStanding, type Policy } from "./guard/policy/policy.ts";
import { findReadOnly } from "./guard/policy/read-only.ts";
import { forbidWhenStopped } from "./guard/rules.ts";
import type { Holder } from "./guard/turn.ts";
import { Looks, veil } from "./guard/veil/veil.ts";
import { mapPath } from "./map/store/places.ts";
import type { MapStore } from "./map/store/port.ts";
import { broken, type Check, ok } from "./model/check.ts";
import type { Selection } from "./model/clipboard.ts";
import { type Failure, fail, type Result, succeed } from "./model/failure.ts";
import type { Window } from "./model/window.ts";
import type { Platform } from "./platform/port.ts";
import { isInsideSandbox } from "./sandbox/inside.ts";
import type { VisionProvider } from "./vision/port.ts";

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
  /** Several calls that no other client's actions may come between: what acts goes through the given session. */
  hold<T>(tool: string, work: (held: Session) => Promise<Result<T>>): Promise<Result<T>>;
  /** The platform alone, for what needs no map. */
  openPlatform(): Promise<Result<Platform>>;
  /** What reads pictures; undefined where nothing does. */
  openVision(): Promise<Result<VisionProvider | undefined>>;
  /** What works here and what does not, the map included; `fix` switches on what can be. */
  diagnose(fix: boolean): Promise<readonly Check[]>;
  /** Writes down what was looked at, before it is given away. */
  recordLooks(tool: string): Result<void>;
  /** Writes down what was refused, where the guard has not done so; what comes back is to be told. */
  recordRefusal(tool: string, failure: Failure): Failure;
  /** Why nothing may be done here, in words; undefined where something may. */
  findReadOnly(): Promise<string | undefined>;
  readonly timeoutMs: number;
  /** What whoever reads the answer must know beyond it, such as that marks do not last. */
  readonly warnings: readonly string[];
  /** Tells whoever asked how far a long call is. */
  tellProgress(done: number, total: number | undefined, words: string): void;
  /** A person has stopped everything, and what is under way does not end by itself: this process is to end. */
  readonly interrupted: Promise<Failure>;
  /** Tells those who share the map what was learned; returns what a person should know. */
  settle(): Promise<string | undefined>;
  close(): void;
}

/** Typing and dragging end by themselves at the next key or step; what has not by then is left as it is. */
const endingMs = 150;

/** How whoever asked goes along with a call. */
export interface Company {
  /** Ends it: nothing more is looked at, and nothing that has not been delivered yet is. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number | undefined, words: string) => void) | undefined;
}

/**
 * Opens the desktop's parts when they are first needed, and closes what was opened; what it was given as its ground stays
 * open.
 */
export function openSession(
  env: Readonly<Record<string, string | undefined>>,
  timeoutMs: number,
  ground?: Ground,
  company: Company = {},
): Session {
  const closers: (() => void)[] = [];
  const places = findPlaces(env);
  const records = new FileRecords(places);
  const client = clientOf(env);
  const rules = new LivePolicy(env, places, client, isInsideSandbox(env));
  const looks = new Looks();
  const findCancel = (): Failure | undefined => (company.signal?.aborted === true ? cancelled : undefined);
  const findStop = (): Failure | undefined => findCancel() ?? forbidWhenStopped({ records });

  const stopping = new AbortController();
  const ending = company.signal === undefined ? stopping.signal : AbortSignal.any([stopping.signal, company.signal]);
  const interruption = Promise.withResolvers<Failure>();

  interface Opened {
    /** As it is: for the guard alone. */
    readonly bare: Platform;
    /** Without what must not be looked at: for everybody else. */
    readonly platform: Platform;
    /** The same, read anew each time: for whoever acts. */
    readonly fresh: Platform;
    readonly policy: Policy;
  }
  let opened: Promise<Result<Opened>> | undefined;
  const openBoth = async (): Promise<Result<Opened>> => {
    const stopped = findStop();
    if (stopped !== undefined) return fail(stopped);
    // Every time: a person may have changed it since.
    const policy = await rules.refresh();
    if (!policy.ok) return policy;
    opened ??= openFirst(policy.value);
    return opened;
  };

  const openFirst = async (policy: Policy): Promise<Result<Opened>> => {
    const over = (platform: Platform): Platform => veil(platform, { policy, looks, timeoutMs, findStop });
    if (ground !== undefined) {
      const live = await ground.openPlatform();
      if (!live.ok) return live;
      const { fresh: bare } = live.value;
      return succeed({ bare, platform: over(live.value), fresh: over(bare), policy });
    }
    const { openPlatform: open } = await import("./platform/pick.ts");
    const bare = await open({ env, timeoutMs, signal: ending });
    if (!bare.ok) return bare;
    closers.push(() => bare.value.close());
    const platform = over(bare.value);
    return succeed({ bare: bare.value, platform, fresh: platform, policy });
  };

  const openPlatform = async (): Promise<Result<Platform>> => {
    const both = await openBoth();
    return both.ok ? succeed(both.value.platform) : both;
  };

  let desktop: Result<Desktop> | undefined;
  const openDesktop = async (): Promise<Result<Desktop>> => {
    const both = await openBoth();
    if (!both.ok) return both;
    desktop ??= await openMap(both.value.platform);
    if (!desktop.ok) return desktop;
    const clean = await forgetBlind(both.value.policy);
    return clean.ok ? desktop : clean;
  };

  /** What is never looked at is not remembered either, whenever the policy came to say so. */
  let forgotten: Policy["standings"] | undefined;
  const forgetBlind = async ({ standings }: Policy): Promise<Result<unknown>> => {
    if (forgotten === standings || standings.size === 0) return succeed(undefined);
    const isBlind = (names: ReadonlySet<string>): boolean => findStanding({ standings }, [...names]) === "blind";
    const apps = [...(map?.listNames() ?? [])].filter(([, names]) => isBlind(names)).map(([app]) => app);
    const done = apps.length === 0 ? succeed(0) : await forget(apps);
    if (done.ok) forgotten = standings;
    return done;
  };

  const forget = async (apps: readonly string[]): Promise<Result<number>> =>
    (await import("./map/store/forget.ts")).forgetApplications(mapPath(env), apps, "here");

  let map: MapStore | undefined;
  const warnings: string[] = [];
  const openMap = async (platform: Platform): Promise<Result<Desktop>> => {
    // The map is opened while the first answers are on their way.
    platform.prepareRead();
    const marks = await (ground?.openMap ?? openOwnMap)((why) => warnings.push(why));
    if (!marks.ok) return marks;
    map = marks.value;
    return succeed({ platform, marks: marks.value });
  };

  const openOwnMap = async (onTrouble: (why: string) => void): Promise<Result<MapStore>> => {
    const { openMapStore } = await import("./map/store/open.ts");
    const marks = await openMapStore(env, onTrouble);
    if (marks.ok) closers.push(() => marks.value.close());
    return marks;
  };

  let guard: Guard | undefined;
  const openGuard = async (): Promise<Result<Guard>> => {
    if (guard !== undefined) return succeed(guard);
    const both = await openBoth();
    if (!both.ok) return both;
    // Whoever only looks does not pay for it.
    const { openGuard: open } = await import("./guard/open.ts");
    const { bare: platform, policy } = both.value;
    const openHands = async () => (await import("./platform/pick.ts")).openHands(platform, ending);
    const onStop = (holder: Holder): void => {
      stopping.abort();
      const timer = setTimeout(() => interruption.resolve(describeInterruption(holder)), endingMs);
      closers.push(() => clearTimeout(timer));
    };
    const made = open({ env, places, platform, policy, records, client, openHands, findCancel, onStop });
    // Hands let go of everything before the connections that they share are closed.
    closers.unshift(() => made.close());
    guard = made;
    return succeed(made);
  };

  const openToAct = async (): Promise<Result<ActingDesktop>> => {
    const seen = await openDesktop();
    if (!seen.ok) return seen;
    const acting = await openPlatformToAct();
    return acting.ok ? succeed({ ...seen.value, ...acting.value }) : acting;
  };

  const openPlatformToAct = async (): Promise<Result<ActingPlatform>> => {
    const both = await openBoth();
    if (!both.ok) return both;
    const gate = await openGuard();
    return gate.ok ? succeed({ platform: both.value.fresh, guard: gate.value }) : gate;
  };

  const hold = async <T>(tool: string, work: (held: Session) => Promise<Result<T>>): Promise<Result<T>> => {
    const gate = await openGuard();
    if (!gate.ok) return gate;
    return gate.value.hold({ tool, isDryRun: false, timeoutMs }, (held) => {
      const open = async <Part>(opening: Promise<Result<Part>>): Promise<Result<Part & { readonly guard: Guard }>> => {
        const part = await opening;
        return part.ok ? succeed({ ...part.value, guard: held }) : part;
      };
      return work({
        ...session,
        openToAct: () => open(openToAct()),
        openPlatformToAct: () => open(openPlatformToAct()),
      });
    });
  };

  const recordLooks = (tool: string): Result<void> => {
    const { kinds, apps } = looks.take();
    if (kinds.length === 0) return succeed(undefined);
    // What was done is told all the same; what was only looked at is not given away any more.
    const stopped = guard === undefined ? findStop() : undefined;
    if (stopped !== undefined) return fail(stopped);
    const written = records.write({ what: "look", client: client.name, tool, apps, way: kinds.join(" ") });
    return written.ok ? succeed(undefined) : written;
  };

  const openVision = async (): Promise<Result<VisionProvider | undefined>> =>
    (await import("./vision/pick.ts")).pickVision(env);

  const diagnose = async (fix: boolean): Promise<readonly Check[]> => {
    const [{ diagnosePlatform }, { examinePolicy, examineStop }] = await Promise.all([
      import("./platform/pick.ts"),
      import("./guard/examine.ts"),
    ]);
    const policy = await rules.refresh();
    // Where nobody knows what may be looked at, nothing is.
    const isShown = (window: Window): boolean => policy.ok && findWindowStanding(policy.value, window) !== "blind";
    const canFix = fix && policy.ok && !policy.value.isReadOnly && findStop() === undefined;
    return [
      ...(await diagnosePlatform({ env, timeoutMs, fix: canFix, isShown })),
      await examineMap(env),
      examinePolicy(places, policy, fix),
      examineStop(records.findStop()),
    ];
  };

  const close = (): void => {
    for (const closeOne of closers) closeOne();
  };

  const session: Session = {
    openPlatform,
    openDesktop,
    openToAct,
    openPlatformToAct,
    hold,
    openVision,
    diagnose,
    recordLooks,
    recordRefusal: (tool, failure) => noteRefusal(records, { client: client.name, tool }, failure),
    findReadOnly: () => findReadOnly(env, places, client),
    timeoutMs,
    warnings,
    tellProgress: (...told) => company.onProgress?.(...told),
    interrupted: interruption.promise,
    settle: async () => map?.settle(),
    close,
  };
  return session;
}

const cancelled: Failure = {
  code: "CANCELLED",
  message: "whoever asked for it has cancelled it",
  suggestion: "read shows what has been done.",
  done: "nothing more was done.",
};

function describeInterruption({ tool }: Holder): Failure {
  return {
    code: "REFUSED",
    reason: "stopped",
    message: "a person has stopped everything",
    suggestion: "a person runs deskmap resume in a terminal.",
    done: `${tool} was under way, and a part of it may have been done.`,
  };
}

/** Calls back when a person presses the keys that stop everything: for the process that does nothing else. */
export async function listenForPanic(env: Readonly<Record<string, string | undefined>>, onPanic: () => void) {
  const { listenForPanic: listen } = await import("./platform/pick.ts");
  return listen(env, onPanic);
}

/** What was copied is served by a process that does nothing else; the copying itself has passed the guard. */
export async function serveSelection(selection: Selection, text: string): Promise<void> {
  const { serveSelection: serve } = await import("./platform/pick.ts");
  await serve(process.env, selection, text);
}

/** What a killed process held is let go of by its watchdog, which comes in here; it can do nothing else. */
export async function releaseInput(undo: string): Promise<void> {
  const { releaseInput: release } = await import("./platform/pick.ts");
  await release(undo, process.env);
}

/** What the map remembers of applications, for the person to see and to take away. */
export interface Memory {
  readonly apps: readonly { readonly app: string; readonly names: readonly string[]; readonly markCount: number }[];
  /** Forgets them wholly, for all who share the map or in this copy alone; returns how many marks there were. */
  forget(apps: readonly string[], scope: "everywhere" | "here"): Result<number>;
}

export async function openMemory(env: Readonly<Record<string, string | undefined>>): Promise<Result<Memory>> {
  const path = mapPath(env);
  if (!existsSync(path)) return succeed({ apps: [], forget: () => succeed(0) });
  const [{ SqliteStore: Store }, { forgetApplications }] = await Promise.all([
    import("./map/store/sqlite.ts"),
    import("./map/store/forget.ts"),
  ]);
  const store = Store.open(path);
  if (!store.ok) return store;
  const [names, counts] = [store.value.listNames(), store.value.countByApplication()];
  store.value.close();
  const apps = [...new Set([...names.keys(), ...counts.keys()])].map((app) => {
    return { app, names: [...new Set([app, ...(names.get(app) ?? [])])], markCount: counts.get(app) ?? 0 };
  });
  return succeed({ apps, forget: (wanted, scope) => forgetApplications(path, wanted, scope) });
}

async function examineMap(env: Readonly<Record<string, string | undefined>>): Promise<Check> {
  const { openMapStore } = await import("./map/store/open.ts");
  const troubles: string[] = [];
  const store = await openMapStore(env, (why) => troubles.push(why));
  if (!store.ok) return broken("map", store.failure.message, store.failure.suggestion ?? "");
  const [count, remark] = [store.value.countMarks(), await store.value.settle()];
  store.value.close();
  const [trouble] = troubles;
  if (trouble !== undefined) return broken("map", trouble, "make its folder writable, and room on the disk.");
  if (remark !== undefined) return broken("map", remark, "start the server that keeps it, or correct DESKMAP_MAP.");
  const path = mapPath(env);
  return ok("map", `${path}, ${count} ${count === 1 ? "mark" : "marks"}`);
}
