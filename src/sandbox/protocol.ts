import type { Failure } from "../model/failure.ts";
import { isFailure } from "./errors.ts";
import { isMonitorPlan, type MonitorPlan } from "./monitors.ts";
import { MANAGER_KINDS, type ManagerKind } from "./options.ts";
import type { Programs } from "./programs.ts";
import { isObject, isRecord, isTextList, isTextMap, type SandboxRecord } from "./record.ts";
import { SESSION_KINDS, type SessionKind } from "./sessions.ts";

// Parent and supervisor exchange JSON lines over the supervisor's stdin and stdout. End of stdin means that the parent
// closed the sandbox or died.

export type OpenRequest = {
  kind: "open";
  name: string;
  width: number;
  height: number;
  monitors: MonitorPlan[];
  manager: ManagerKind;
  /** A whole session instead of that window manager. */
  session?: SessionKind;
  /** For opening; parts not ready by then are ended. */
  timeoutMs: number;
  app: string[];
  appPath: string;
  appCwd: string;
  /** Whether file descriptors 3, 4 and 5 are the application's stdin, stdout and stderr. */
  hasAppStdio: boolean;
  closeWhenAppEnds: boolean;
  extraEnv: Record<string, string>;
  /** Files written to its home before anything runs, by relative path. */
  homeFiles: Record<string, string>;
  registryDirectory: string;
  programs: Programs;
};

/** Sent after "ready": keep running when the parent exits. */
export type KeepRequest = { kind: "keep" };

export type AppEnd = { exitCode: number | null; signal: string | null };

const CLOSE_REASONS = ["asked", "app-ended", "x-server-ended", "session-bus-ended", "session-ended", "failed"] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

export type Report =
  | { kind: "progress"; text: string }
  | { kind: "ready"; record: SandboxRecord }
  | { kind: "failed"; failure: Failure }
  | { kind: "app-ended"; end: AppEnd }
  | { kind: "closing"; reason: CloseReason };

export function parseRequest(line: string): OpenRequest | KeepRequest | null {
  const value = parseLine(line);
  if (isKeepRequest(value) || isOpenRequest(value)) return value;
  return null;
}

export function parseReport(line: string): Report | null {
  const value = parseLine(line);
  return isReport(value) ? value : null;
}

/** Splits a stream into lines. */
export function makeLineSplitter(onLine: (line: string) => void): (chunk: Buffer | string) => void {
  let pending = "";
  return (chunk) => {
    const lines = (pending + chunk).split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isKeepRequest(value: unknown): value is KeepRequest {
  return isObject(value) && value.kind === "keep";
}

function isOpenRequest(value: unknown): value is OpenRequest {
  if (!isObject(value) || value.kind !== "open") return false;
  const texts = [value.name, value.appPath, value.appCwd, value.registryDirectory];
  return (
    texts.every((field) => typeof field === "string") &&
    [value.width, value.height, value.timeoutMs].every((field) => typeof field === "number") &&
    [value.hasAppStdio, value.closeWhenAppEnds].every((field) => typeof field === "boolean") &&
    isTextList(value.app) &&
    Array.isArray(value.monitors) &&
    value.monitors.every(isMonitorPlan) &&
    MANAGER_KINDS.some((kind) => kind === value.manager) &&
    (value.session === undefined || SESSION_KINDS.some((kind) => kind === value.session)) &&
    isTextMap(value.extraEnv) &&
    isTextMap(value.homeFiles) &&
    isTextMap(value.programs)
  );
}

function isReport(value: unknown): value is Report {
  if (!isObject(value)) return false;
  if (value.kind === "progress") return typeof value.text === "string";
  if (value.kind === "ready") return isRecord(value.record);
  if (value.kind === "failed") return isFailure(value.failure);
  if (value.kind === "app-ended") return isAppEnd(value.end);
  return value.kind === "closing" && CLOSE_REASONS.some((reason) => reason === value.reason);
}

function isAppEnd(value: unknown): value is AppEnd {
  if (!isObject(value)) return false;
  const { exitCode, signal } = value;
  return (exitCode === null || typeof exitCode === "number") && (signal === null || typeof signal === "string");
}
