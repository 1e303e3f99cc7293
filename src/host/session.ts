import type { ActingDesktop, Desktop } from "../desktop/index.ts";
import type { LiveDesktop } from "../find/read.ts";
import { FileRecords } from "../guard/audit/file-records.ts";
import { LookLog, Looks } from "../guard/audit/looks.ts";
import { type Client, clientOf } from "../guard/gate.ts";
import type { Guard, OpenGuardOptions } from "../guard/guard.ts";
import { DrawingPermit } from "../guard/permit-drawing.ts";
import { findPlaces } from "../guard/places.ts";
import { findReadOnly, LivePolicy } from "../guard/policy/live.ts";
import { findStand, findWindowStanding, type Policy } from "../guard/policy/policy.ts";
import { logRefusal } from "../guard/refusals.ts";
import { forbidWhenStopped } from "../guard/rules.ts";
import type { Holder } from "../guard/turn.ts";
import { createRedactedView } from "../guard/view/redacted-view.ts";
import type { MapStore } from "../map/store/port.ts";
import type { CallContext } from "../model/call-context.ts";
import type { Check } from "../model/check.ts";
import type { Selection } from "../model/clipboard.ts";
import { type Env, isMemoryOff } from "../model/env.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { describeCancelled, describeInterruption, describeUnfollowed } from "../model/unfinished.ts";
import type { Window } from "../model/window.ts";
import { folders, processes } from "../os/index.ts";
import { extendMirror } from "../platform/attentive.ts";
import { withElementActor, withElements } from "../platform/lack.ts";
import type { LivePlatform, Mirror, OpenOptions, Platform } from "../platform/port.ts";
import { isInsideSandbox } from "../sandbox/inside.ts";
import { composeActors, composePictures, composeTrees, lookThrough } from "../sources/compose.ts";
import { openSources } from "../sources/open.ts";
import { noteUntold } from "../sources/untold.ts";
import type { ActingPlatform, Session } from "../tools/session.ts";
import { Recorder } from "./recorder.ts";
import type { Runtime } from "./runtime.ts";
import { ActionCamera } from "./step-camera.ts";

/** Time for typing and dragging to end at the next key or step; then they are abandoned. */
const endingMs = 150;
/** The client's name of what a model reads and proposes. */
const modelClient = "assistant";
/** Reading a picture takes up to two seconds of a core. */
const pictureRestMs = 2000;

/** One call's access to the desktop. Opens its parts on first use; `close` closes them, but not the runtime. */
export function openSession(
  env: Env,
  timeoutMs: number,
  runtime?: Runtime,
  { signal, onProgress, gone, caller, isTyped = false, reach, foretold, recipient, onRead }: CallContext = {},
): Session {
  const closers: (() => void)[] = [];
  const added = runtime?.sources ?? openSources(env);
  if (runtime === undefined) closers.push(...added.map((source) => () => source.close()));
  const places = findPlaces(env);
  const client: { -readonly [Part in keyof Client]: Client[Part] } = clientOf(env, caller);
  // A model is nobody's command line, whoever asked it.
  if (recipient !== undefined) client.name = modelClient;
  const records = new FileRecords(places, undefined, client);
  const rules = new LivePolicy(env, places, client, isInsideSandbox(env), recipient);
  const looks = new Looks(onRead);
  const record = new LookLog(looks, records, client, runtime?.tally);
  const recorder = new Recorder(places, client.name, runtime?.journal);
  const findCancel = (): Failure | undefined => (signal?.aborted === true ? describeCancelled() : undefined);
  const findStop = (): Failure | undefined => forbidWhenStopped({ records }) ?? findCancel();

  const stopping = new AbortController();
  const cancel = (): void => stopping.abort(describeCancelled());
  signal?.addEventListener("abort", cancel, { once: true });
  const interruption = Promise.withResolvers<Failure>();

  interface Opened {
    /** Unredacted, and always read afresh: for the guard only. */
    readonly bare: Platform;
    readonly openHands: OpenGuardOptions["openHands"];
    /** The redacted view, for everybody else. */
    readonly platform: Platform;
    readonly policy: Policy;
  }
  let opened: Promise<Result<Opened>> | undefined;
  const openBoth = async (): Promise<Result<Opened>> => {
    const stopped = findStop();
    if (stopped !== undefined) return fail(stopped);
    // Each time: a person may have changed it.
    const policy = await rules.refresh();
    if (!policy.ok) return policy;
    opened ??= openFirst(policy.value);
    return opened;
  };

  const openFirst = async (policy: Policy): Promise<Result<Opened>> => {
    const options = { env, timeoutMs, signal: stopping.signal, callerPid: caller?.pid };
    const live = await runtime?.openPlatform();
    if (live?.ok === false) return live;
    const own = live === undefined ? await openOwn(options) : succeed(live.value.forCall(options));
    if (!own.ok) return own;
    closers.push(() => own.value.close());
    const mirrored = live?.value ?? own.value;
    const platform = addPictures(
      cover(withElements(mirrored, noteUntold(composeTrees(mirrored, added), mirrored)), policy),
    );
    const bare = withElements(own.value, lookThrough(composeTrees(own.value, added), platform));
    return succeed({ bare, platform, policy, openHands: () => openHands(own.value) });
  };

  const cover = (platform: Platform, policy: Policy): Platform =>
    createRedactedView(platform, { policy, looks, timeoutMs, findStop });

  const addPictures = (view: Platform): Platform =>
    composePictures(view, async () => (await import("../sources/vision/pick.ts")).pickVision(env));

  const openHands = async (platform: Platform) => {
    const hands = await (await import("../platform/pick.ts")).openHands(platform);
    return hands.ok ? succeed(withElementActor(hands.value, composeActors(hands.value, added))) : hands;
  };

  const openOwn = async (options: OpenOptions): Promise<Result<Platform>> =>
    (await import("../platform/pick.ts")).openPlatform(options);

  const openPlatform = async (): Promise<Result<Platform>> => {
    const both = await openBoth();
    return both.ok ? succeed(both.value.platform) : both;
  };

  let desktop: Result<Desktop> | undefined;
  const openDesktop = async (): Promise<Result<Desktop>> => {
    const both = await openBoth();
    if (!both.ok) return both;
    desktop ??= await openMap(both.value.platform, both.value.policy);
    if (!desktop.ok) return desktop;
    const clean = await forgetBlind(both.value.policy);
    return clean.ok ? desktop : clean;
  };

  /** Blind applications are removed from the map, also if the policy changed later. */
  let forgotten: Policy["standings"] | undefined;
  const forgetBlind = async ({ standings }: Policy): Promise<Result<unknown>> => {
    // What a recipient must not see is remembered all the same.
    if (map === undefined || recipient !== undefined) return succeed(undefined);
    if (forgotten === standings || standings.size === 0 || isMemoryOff(env)) {
      return succeed(undefined);
    }
    const { forgetWhere } = await import("../desktop/memory.ts");
    const done = await forgetWhere(env, map, (names) => findStand({ standings }, names).standing === "blind");
    if (done.ok) forgotten = standings;
    return done;
  };

  let map: MapStore | undefined;
  const warnings: string[] = [];
  const openMap = async (platform: Platform, policy: Policy): Promise<Result<Desktop>> => {
    // The map is opened while the first answers arrive.
    platform.prepareRead();
    const marks = await (runtime?.openMap ?? openOwnMap)((why) => warnings.push(why), !isMemoryOff(env));
    if (!marks.ok) return marks;
    map = marks.value;
    return succeed({ platform, marks: await hideWithheld(marks.value, policy) });
  };

  const hideWithheld = async (store: MapStore, policy: Policy): Promise<MapStore> => {
    const { recipient: view, localOnly } = policy;
    if (view === undefined || (view.apps === undefined && localOnly.length === 0)) return store;
    const { hideApplications } = await import("../map/hide.ts");
    return hideApplications(store, (names) => findStand(policy, names).isWithheld === true);
  };

  const openOwnMap: Runtime["openMap"] = async (onTrouble, isWritten = true) => {
    const { openMapStore, openUnwritten } = await import("../map/store/open.ts");
    const marks = await (isWritten ? openMapStore(env, onTrouble) : openUnwritten(env));
    if (marks.ok) closers.push(() => marks.value.close());
    return marks;
  };

  const openLive = async (): Promise<Result<LiveDesktop>> => {
    const seen = await openDesktop();
    if (!seen.ok) return seen;
    const live = runtime === undefined ? fail<never>(describeUnfollowed()) : await runtime.openPlatform();
    if (!live.ok) return live;
    if (mirror?.of !== live.value) mirror = { of: live.value, whole: followAll(live.value) };
    return succeed({ desktop: seen.value, mirror: mirror.whole });
  };

  let mirror: { readonly of: LivePlatform; readonly whole: Mirror } | undefined;
  /** Windows without a tree are followed by what they draw. */
  const followAll = (live: LivePlatform): Mirror => {
    const covers: LivePlatform["covers"] = async (windows) => {
      const covered = await live.covers(windows);
      const ids = windows.map(({ id }) => id).filter((id) => !covered.ok || !covered.value.has(id));
      return succeed(new Set(ids));
    };
    const fresh = live.forCall({ env, timeoutMs });
    closers.push(() => fresh.close());
    // Not the live platform's own watch, which takes what happens for the effect of an action.
    const watch: LivePlatform["watch"] = (...given) => fresh.watch(...given);
    const treeless = { covers, watch, restMs: pictureRestMs };
    return extendMirror(live.mirror, [treeless, ...added.map(({ elements }) => elements)]);
  };

  let guard: Guard | undefined;
  let camera: ActionCamera | undefined;
  const openGuard = async (): Promise<Result<Guard>> => {
    if (guard !== undefined) return succeed(guard);
    const both = await openBoth();
    if (!both.ok) return both;
    // Loaded lazily: reading commands never need it.
    const { openGuard: open } = await import("../guard/guard.ts");
    const { bare: platform, policy, openHands } = both.value;
    const onStop = (holder: Holder): void => {
      const failure = describeInterruption(holder);
      stopping.abort(failure);
      const timer = setTimeout(() => interruption.resolve(failure), endingMs);
      closers.push(() => clearTimeout(timer));
    };
    const terminal = runtime === undefined ? ("own" as const) : isTyped ? caller : undefined;
    camera = new ActionCamera(recorder, openPlatform, runtime?.observer);
    const sharing = { terminal, observer: camera, refreshPolicy: () => rules.refresh() };
    const made = open({ env, places, platform, policy, records, client, openHands, findCancel, onStop, ...sharing });
    // The hands release keys and buttons before their connections are closed.
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
    if (!gate.ok) return gate;
    return succeed({ platform: both.value.platform, guard: gate.value });
  };

  const hold: Session["hold"] = async (tool, work, untilMs) => {
    const gate = await openGuard();
    if (!gate.ok) return gate;
    return gate.value.hold({ tool, isDryRun: false, timeoutMs, untilMs }, (held) => {
      const open = async <Part>(opening: Promise<Result<Part>>): Promise<Result<Part & { readonly guard: Guard }>> => {
        const part = await opening;
        return part.ok ? succeed({ ...part.value, guard: held }) : part;
      };
      const inside: Session = {
        ...session,
        openToAct: () => open(openToAct()),
        openPlatformToAct: () => open(openPlatformToAct()),
        // The turn is held already.
        hold: (_tool, more) => more(inside),
      };
      return work(inside);
    });
  };

  const diagnose = async (fix: boolean): Promise<readonly Check[]> => {
    const [{ diagnosePlatform }, { examinePolicy, examineStop }, { examineMap }, { examineSandbox }] =
      await Promise.all([
        import("../platform/pick.ts"),
        import("../guard/examine.ts"),
        import("../desktop/memory.ts"),
        import("../sandbox/examine.ts"),
      ]);
    const policy = await rules.refresh();
    // Without a valid policy nothing may be read.
    const isShown = (window: Window): boolean => policy.ok && findWindowStanding(policy.value, window) !== "blind";
    const canFix = fix && policy.ok && !policy.value.isReadOnly && findStop() === undefined;
    return [
      ...(await diagnosePlatform({ env, timeoutMs, fix: canFix, isShown })),
      await examineMap(env),
      await examineSandbox(env),
      examinePolicy(places, policy, fix),
      examineStop(records.findStop()),
    ];
  };

  const close = (): void => {
    signal?.removeEventListener("abort", cancel);
    for (const closeOne of closers.splice(0)) closeOne();
  };

  const session: Session = {
    openPlatform,
    openDesktop,
    openLive,
    openToAct,
    openPlatformToAct,
    hold,
    diagnose,
    // After a stop, an action's answer is still returned, but what was only read is not.
    recordLooks: (tool) => record.write(tool, () => (guard === undefined ? findStop() : undefined)),
    recordLasting: (...told) => record.writeLasting(...told),
    recordRefusal: (tool, failure) => logRefusal(records, { client: client.name, tool }, failure),
    recordAction: (done) => {
      const trouble = recorder.record(done, () => camera?.develop());
      if (trouble !== undefined) warnings.push(trouble);
    },
    beginWriting: async (...file) =>
      (await import("../guard/permit-writing.ts")).beginWriting({ records, rules, client }, ...file),
    findReadOnly: () => findReadOnly(env, places, client),
    setCaller: (process, own) => {
      client.process = process ?? processes.own();
      rules.follow(own);
    },
    timeoutMs,
    clientName: client.name,
    folder: env.DESKMAP_CWD ?? folders.working(),
    hasInput: runtime === undefined,
    reach,
    foretold,
    memory: runtime?.memory,
    overlay: runtime && {
      controller: runtime.overlay,
      openSession: () => openSession(env, timeoutMs, runtime, { caller }),
      rights: new DrawingPermit({ env, places, records, rules, client, timeoutMs }),
      signal,
      gone,
    },
    warnings,
    tellProgress: (...told) => onProgress?.(...told),
    interrupted: interruption.promise,
    settle: async () => map?.settle(),
    close,
  };
  return session;
}

/** Calls back when a person presses the stop keys: for the process that only listens for them. */
export async function listenForStopKeys(env: Env, onPressed: () => void) {
  return (await import("../platform/pick.ts")).listenForStopKeys(env, onPressed);
}

/** Serves the clipboard in a process of its own; the write itself has passed the guard. */
export async function serveSelection(selection: Selection, text: string): Promise<void> {
  await (await import("../platform/pick.ts")).serveSelection(process.env, selection, text);
}

/** For the watchdog: releases the keys and buttons of a killed process. */
export async function releaseInput(undo: string): Promise<void> {
  await (await import("../platform/pick.ts")).releaseInput(undo, process.env);
}
