import { parseJson } from "../model/caught.ts";
import type { Failure } from "../model/failure.ts";
import type { BoundaryRequest } from "./mounts.ts";
import type { ManagerKind, MonitorPlan } from "./options.ts";
import type { Programs } from "./programs.ts";
import type { SandboxRecord } from "./record.ts";
import type { SessionKind } from "./sessions.ts";

// Parent and supervisor exchange JSON lines over the supervisor's stdin and stdout. End of stdin means that the parent
// closed the sandbox or died.

export type OpenRequest = {
  kind: "open";
  name: string;
  width: number;
  height: number;
  /** With more than one, the X server has a real output for each. */
  monitors: MonitorPlan[];
  manager: ManagerKind;
  /** A whole session instead of that window manager. */
  session: SessionKind | undefined;
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
  boundary: BoundaryRequest;
  programs: Programs;
};

/** Sent after "ready": keep running when the parent exits. */
export type KeepRequest = { kind: "keep" };

export type AppEnd = { exitCode: number | null; signal: string | null };

export type CloseReason =
  | "asked"
  | "app-ended"
  | "x-server-ended"
  | "session-bus-ended"
  | "session-ended"
  | "boundary-ended"
  | "failed";

export type Report =
  | { kind: "progress"; text: string }
  | { kind: "ready"; record: SandboxRecord }
  | { kind: "failed"; failure: Failure }
  | { kind: "app-ended"; end: AppEnd }
  | { kind: "closing"; reason: CloseReason };

/** Both ends are of one build, so only the kind of a message is checked. */
export function parseRequest(line: string): OpenRequest | KeepRequest | undefined {
  const value = parseJson(line);
  return isOfKind<OpenRequest | KeepRequest>(value, ["open", "keep"]) ? value : undefined;
}

export function parseReport(line: string): Report | undefined {
  const value = parseJson(line);
  return isOfKind<Report>(value, ["progress", "ready", "failed", "app-ended", "closing"]) ? value : undefined;
}

function isOfKind<Message extends { kind: string }>(
  value: unknown,
  kinds: readonly Message["kind"][],
): value is Message {
  return typeof value === "object" && value !== null && "kind" in value && kinds.some((kind) => kind === value.kind);
}

export function makeLineSplitter(onLine: (line: string) => void): (chunk: Buffer | string) => void {
  let pending = "";
  return (chunk) => {
    const lines = (pending + chunk).split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  };
}
