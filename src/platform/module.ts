import type { Check } from "../model/check.ts";
import type { Selection } from "../model/clipboard.ts";
import type { Env } from "../model/env.ts";
import type { Result } from "../model/failure.ts";
import type { Hands } from "./hands.ts";
import type { DiagnoseOptions, LivePlatform, OpenOptions, Platform } from "./port.ts";

/** What a platform folder exports, from its module.ts. */
export interface PlatformModule {
  open(options: OpenOptions): Promise<Result<Platform>>;
  /** A platform with a mirror of its own; without one, every look reads anew (attentive.ts). */
  openLive?(options: OpenOptions): Promise<Result<LivePlatform>>;
  /** For a platform that `open`, or `forCall` of a live one, has returned. Only a guard may be given them. */
  openHands(platform: Platform): Promise<Result<Hands>>;
  /** What works on this desktop, also where it cannot be opened at all. */
  diagnose(options: DiagnoseOptions): Promise<readonly Check[]>;
  /** Calls back when a person presses the keys that stop everything; in words, why that cannot be listened for. */
  listenForStopKeys(env: Env, onPressed: () => void): Promise<StopKeys | string>;
  /** Serves a text that was copied until another application copies one: for a process that does nothing else. */
  serveSelection(env: Env, selection: Selection, text: string): Promise<void>;
  /** Releases what a killed process left held or changed; `undo` is what it had told its watchdog. */
  releaseInput(undo: string, env: Env): Promise<void>;
}

/** Attention to the keys with which a person stops everything. */
export interface StopKeys {
  /** Resolves when the display is gone. */
  readonly ended: Promise<void>;
  close(): void;
}
