import { broken, type Check } from "../model/check.ts";
import type { Selection } from "../model/clipboard.ts";
import type { Env } from "../model/env.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import type { Hands } from "./hands.ts";
import type { PlatformModule, StopKeys } from "./module.ts";
import type { DiagnoseOptions, LivePlatform, OpenOptions, Platform } from "./port.ts";

/** One line per platform; only the present one is loaded. */
const modules: Readonly<Partial<Record<NodeJS.Platform, () => Promise<PlatformModule>>>> = {
  linux: async () => (await import("./linux/module.ts")).linux,
};

const supported = "run it on Linux with X11";

function loadModule(): Promise<PlatformModule | undefined> {
  return modules[process.platform]?.() ?? Promise.resolve(undefined);
}

function describeUnsupported(): Failure {
  return makeFailure(
    "UNAVAILABLE",
    `Deskmap does not support the desktop of "${process.platform}" yet`,
    `${supported}.`,
  );
}

export async function openPlatform(options: OpenOptions): Promise<Result<Platform>> {
  return (await loadModule())?.open(options) ?? fail(describeUnsupported());
}

/** The same, kept up to date by events, for long-lived processes. */
export async function openLivePlatform(options: OpenOptions): Promise<Result<LivePlatform>> {
  const module = await loadModule();
  if (module?.openLive !== undefined) return module.openLive(options);
  const platform = await openPlatform(options);
  if (!platform.ok) return platform;
  const { attend } = await import("./attentive.ts");
  return succeed(attend(platform.value));
}

/** The hands of an open platform. Only a guard may hold them. */
export async function openHands(platform: Platform): Promise<Result<Hands>> {
  return (await loadModule())?.openHands(platform) ?? fail(describeUnsupported());
}

export async function diagnosePlatform(options: DiagnoseOptions): Promise<readonly Check[]> {
  const checks = (await loadModule())?.diagnose(options);
  return checks ?? [broken("system", describeUnsupported().message, supported)];
}

export async function listenForStopKeys(env: Env, onPressed: () => void): Promise<StopKeys | string> {
  return (await loadModule())?.listenForStopKeys(env, onPressed) ?? describeUnsupported().message;
}

export async function serveSelection(env: Env, selection: Selection, text: string): Promise<void> {
  await (await loadModule())?.serveSelection(env, selection, text);
}

export async function releaseInput(undo: string, env: Env): Promise<void> {
  await (await loadModule())?.releaseInput(undo, env);
}
