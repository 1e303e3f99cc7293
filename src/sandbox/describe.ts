import { constants } from "node:os";
import { formatShellLines, type Variables } from "./environment.ts";
import type { AppEnd } from "./protocol.ts";
import type { Boundary, SandboxRecord } from "./record.ts";

export type Described = {
  name: string;
  /** ":5" */
  display: string;
  width: number;
  height: number;
  /** The supervisor's, which owns all other processes. */
  pid: number;
  /** What a program outside changes in its environment to use this desktop. */
  variables: Variables;
  boundary: Boundary;
};

export function describeRecord(record: SandboxRecord): Described {
  const { name, display, width, height, supervisor, variables, boundary } = record;
  return { name, display, width, height, pid: supervisor.pid, variables, boundary };
}

/** One line that says what programs inside can reach. */
export function describeBoundary(boundary: Boundary): string {
  if (boundary.kind === "trusted")
    return "trusted: programs inside run as you, with your files, environment and network";
  if (boundary.kind === "missing")
    return `NOT BOUNDED: ${boundary.reason}; programs inside run as you, with your files and network`;
  const files = ["the system and Deskmap, read-only", ...boundary.given].join(", ");
  const network = boundary.hasNetwork ? "the network of this machine" : "no network";
  return `bounded: programs inside have their own home and environment; they see ${files}; ${network}`;
}

/** For `eval` in a POSIX shell; the first lines are for people. */
export function formatAsText(sandbox: Described): string {
  const { name, display, width, height } = sandbox;
  const about = [`sandbox ${name} on display ${display}, ${width}x${height}`, describeBoundary(sandbox.boundary)];
  // A reason may have several lines, and a comment ends with its line.
  const comments = about.map((line) => `# ${line.replaceAll(/\s+/g, " ")}\n`).join("");
  return `${comments}${formatShellLines(sandbox.variables)}\n`;
}

export function formatAsJson(sandbox: Described): string {
  const { name, display, width, height, pid, variables } = sandbox;
  const boundary = summarise(sandbox.boundary);
  return `${JSON.stringify({ name, display, width, height, pid, boundary, env: variables.set, unset: variables.unset })}\n`;
}

export function formatListAsText(records: readonly SandboxRecord[]): string {
  if (records.length === 0) return "no sandbox is running\n";
  const rows = records.map((record) => [
    record.name,
    record.display || "starting",
    `${record.width}x${record.height}`,
    String(record.supervisor.pid),
    record.openedAt.slice(0, 19).replace("T", " "),
    summarise(record.boundary).kind,
    record.app.join(" ").replaceAll(/\s+/g, " "),
  ]);
  const table = [["NAME", "DISPLAY", "SIZE", "PID", "SINCE (UTC)", "BOUNDARY", "APP"], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

export function formatListAsJson(records: readonly SandboxRecord[]): string {
  const items = records.map(({ name, display, width, height, supervisor, state, openedAt, app, boundary }) => {
    const { kind } = summarise(boundary);
    return { name, display, width, height, pid: supervisor.pid, state, openedAt, boundary: kind, app };
  });
  return `${JSON.stringify(items)}\n`;
}

function summarise(boundary: Boundary): { kind: "bounded" | "trusted" | "missing"; text: string } {
  return { kind: boundary.kind === "within" ? "bounded" : boundary.kind, text: describeBoundary(boundary) };
}

/** As in shells: 128 plus the signal number for a killed program. */
export function toExitCode(end: AppEnd): number {
  const signalNumber = Object.entries(constants.signals).find(([signal]) => signal === end.signal)?.[1];
  return end.exitCode ?? (signalNumber === undefined ? 1 : 128 + signalNumber);
}
