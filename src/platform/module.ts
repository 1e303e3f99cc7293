import type { Check } from "../model/check.ts";
import type { Selection } from "../model/clipboard.ts";
import type { Env } from "../model/env.ts";
import type { Result } from "../model/failure.ts";
import type { Hands } from "./hands.ts";
import type { DiagnoseOptions, LivePlatform, OpenOptions, Platform } from "./port.ts";

/** What a platform folder exports, from its module.ts. */
export interface PlatformModule {
  open(options: OpenOptions): Promise<Result<Platform>>;
  /** A platform with its own mirror; without one, every read is a full read (attentive.ts). */
  openLive?(options: OpenOptions): Promise<Result<LivePlatform>>;
  /** For a platform returned by `open`, or by `forCall` of a live one. Only a guard may hold them. */
  openHands(platform: Platform): Promise<Result<Hands>>;
  /** Checks what works on this desktop, even if it cannot be opened. */
  diagnose(options: DiagnoseOptions): Promise<readonly Check[]>;
  /** Calls back when a person presses the keys that stop everything. Returns the reason if it cannot listen. */
  listenForStopKeys(env: Env, onPressed: () => void): Promise<StopKeys | string>;
  /** Owns a selection until another application takes it. Meant for a separate process. */
  serveSelection(env: Env, selection: Selection, text: string): Promise<void>;
  /** Undoes what a killed process left pressed or changed; `undo` is what its watchdog recorded. */
  releaseInput(undo: string, env: Env): Promise<void>;
}

/** A listener for the keys with which a person stops everything. */
export interface StopKeys {
  /** Resolves when the display is gone. */
  readonly ended: Promise<void>;
  close(): void;
}
