import type { ProcessKey } from "../os/index.ts";
import type { Variables } from "./environment.ts";

/** The stored description of a sandbox: enough to use it from elsewhere and to clean up after a crash. */
export type SandboxRecord = {
  version: 1;
  name: string;
  /** "starting" until every part is ready. */
  state: "starting" | "ready";
  openedAt: string;
  width: number;
  height: number;
  app: string[];
  /** The directory that holds all its files. */
  root: string;
  supervisor: ProcessKey;
  /** Where the pids are valid; see `describePidScope`. */
  pidOrigin: string;
  parts: Part[];
  /** ":5", or "" until the X server reports it. */
  display: string;
  /** Distinguishes our X socket from that of a later server with the same number. */
  xSocketInode: number;
  variables: Variables;
};

type Part = ProcessKey & { part: string };

export function parseRecord(text: string): SandboxRecord | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

export function isRecord(value: unknown): value is SandboxRecord {
  if (!isObject(value) || value.version !== 1) return false;
  const texts = [value.name, value.root, value.pidOrigin, value.display, value.openedAt, value.state];
  const numbers = [value.width, value.height, value.xSocketInode];
  return (
    texts.every((field) => typeof field === "string") &&
    numbers.every((field) => typeof field === "number") &&
    isProcessKey(value.supervisor) &&
    Array.isArray(value.parts) &&
    value.parts.every(isProcessKey) &&
    isTextList(value.app) &&
    isVariables(value.variables)
  );
}

function isVariables(value: unknown): value is Variables {
  return isObject(value) && isTextMap(value.set) && isTextList(value.unset);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

export function isTextMap(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((item) => typeof item === "string");
}

function isProcessKey(value: unknown): value is ProcessKey {
  return isObject(value) && typeof value.pid === "number" && typeof value.startTicks === "number";
}
