import { broken, type Check } from "../model/check.ts";
import type { Selection } from "../model/clipboard.ts";
import type { Env } from "../model/env.ts";
import { fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import type { Hands } from "./hands.ts";
import type { DiagnoseOptions, LivePlatform, OpenOptions, Platform } from "./port.ts";

type Opener = (options: OpenOptions) => Promise<Result<Platform>>;

/** Each system's folder is loaded only where it runs. */
const openers: Readonly<Partial<Record<NodeJS.Platform, Opener>>> = {
  linux: async (options) => (await import("./linux/open.ts")).openLinux(options),
};

/** Systems that have a mirror of their own. */
const liveOpeners: Readonly<Partial<Record<NodeJS.Platform, (options: OpenOptions) => Promise<Result<LivePlatform>>>>> =
  {
    linux: async (options) => (await import("./linux/open.ts")).openLinuxLive(options),
  };

const handOpeners: Readonly<Record<string, ((platform: Platform) => Promise<Result<Hands>>) | undefined>> = {
  linux: async (platform) => (await import("./linux/open.ts")).openLinuxHands(platform),
};

const examiners: Readonly<Partial<Record<NodeJS.Platform, (options: DiagnoseOptions) => Promise<readonly Check[]>>>> = {
  linux: async (options) => (await import("./linux/doctor/examine.ts")).examineLinux(options),
};

const releasers: Readonly<Partial<Record<NodeJS.Platform, (undo: string, env: Env) => Promise<void>>>> = {
  linux: async (undo, env) => (await import("./linux/open.ts")).releaseLinuxInput(undo, env),
};

type Server = (env: Env, selection: Selection, text: string) => Promise<void>;
const servers: Readonly<Partial<Record<NodeJS.Platform, Server>>> = {
  linux: async (...given) => (await import("./linux/open.ts")).serveLinuxSelection(...given),
};

const panicListeners: Readonly<
  Partial<Record<NodeJS.Platform, (env: Env, onPanic: () => void) => Promise<PanicKeys | string>>>
> = {
  linux: async (env, onPanic) => (await import("./linux/x11/panic-keys.ts")).listenForPanic(env, onPanic),
};

/** Attention to the keys with which a person stops everything. */
export interface PanicKeys {
  /** Resolves when the display is gone. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Calls back when a person presses them; in words, why that cannot be listened for. */
export async function listenForPanic(env: Env, onPanic: () => void): Promise<PanicKeys | string> {
  const listen = panicListeners[process.platform];
  return listen === undefined ? "not on this system yet" : listen(env, onPanic);
}

/** What works on this desktop, also where it cannot be opened at all. */
export async function diagnosePlatform(options: DiagnoseOptions): Promise<readonly Check[]> {
  const examine = examiners[process.platform];
  if (examine !== undefined) return examine(options);
  return [broken("system", `Deskmap cannot read the desktop of "${process.platform}" yet`, "run it on Linux with X11")];
}

export async function openPlatform(options: OpenOptions): Promise<Result<Platform>> {
  const open = openers[process.platform];
  if (open !== undefined) return open(options);
  return fail({
    code: "UNAVAILABLE",
    message: `Deskmap cannot read the desktop of "${process.platform}" yet`,
    suggestion: "run it on Linux with X11.",
    done: nothingDone,
  });
}

/** The same, kept up to date by what applications tell, for a process that lives longer than one question. */
export async function openLivePlatform(options: OpenOptions): Promise<Result<LivePlatform>> {
  const open = liveOpeners[process.platform];
  if (open !== undefined) return open(options);
  const platform = await openPlatform(options);
  if (!platform.ok) return platform;
  const { attend } = await import("./attentive.ts");
  return succeed(attend(platform.value));
}

/** The hands that belong to an open platform. Only a guard may be given them. */
export async function openHands(platform: Platform): Promise<Result<Hands>> {
  const open = handOpeners[platform.name];
  if (open !== undefined) return open(platform);
  return fail({
    code: "UNAVAILABLE",
    message: `Deskmap cannot act on the desktop of "${platform.name}" yet`,
    suggestion: "run it on Linux with X11.",
    done: nothingDone,
  });
}

/** Serves a text that was copied until somebody else copies another. */
export async function serveSelection(...given: Parameters<Server>): Promise<void> {
  await servers[process.platform]?.(...given);
}

/** Lets go of what a process that was killed left held or changed; `undo` is what it had told its watchdog. */
export async function releaseInput(undo: string, env: Env): Promise<void> {
  await releasers[process.platform]?.(undo, env);
}
