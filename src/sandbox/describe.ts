import { constants } from "node:os";
import { formatShellLines, type Variables } from "./environment.ts";
import type { AppEnd } from "./protocol.ts";
import type { SandboxRecord } from "./record.ts";

export type Described = {
  name: string;
  /** ":5" */
  display: string;
  width: number;
  height: number;
  /** The supervisor's, which owns all other processes. */
  pid: number;
  /** The difference between its environment and the one outside. */
  variables: Variables;
};

export function describeRecord(record: SandboxRecord): Described {
  const { name, display, width, height, supervisor, variables } = record;
  return { name, display, width, height, pid: supervisor.pid, variables };
}

/** For `eval` in a POSIX shell; the first line is for people. */
export function formatAsText(sandbox: Described): string {
  const { name, display, width, height } = sandbox;
  return `# sandbox ${name} on display ${display}, ${width}x${height}\n${formatShellLines(sandbox.variables)}\n`;
}

export function formatAsJson(sandbox: Described): string {
  const { name, display, width, height, pid, variables } = sandbox;
  return `${JSON.stringify({ name, display, width, height, pid, env: variables.set, unset: variables.unset })}\n`;
}

export function formatListAsText(records: readonly SandboxRecord[]): string {
  if (records.length === 0) return "no sandbox is running\n";
  const rows = records.map((record) => [
    record.name,
    record.display || "starting",
    `${record.width}x${record.height}`,
    String(record.supervisor.pid),
    record.openedAt.slice(0, 19).replace("T", " "),
    record.app.join(" ").replaceAll(/\s+/g, " "),
  ]);
  const table = [["NAME", "DISPLAY", "SIZE", "PID", "SINCE (UTC)", "APP"], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

export function formatListAsJson(records: readonly SandboxRecord[]): string {
  const items = records.map(({ name, display, width, height, supervisor, state, openedAt, app }) => {
    return { name, display, width, height, pid: supervisor.pid, state, openedAt, app };
  });
  return `${JSON.stringify(items)}\n`;
}

/** As in shells: 128 plus the signal number for a killed program. */
export function toExitCode(end: AppEnd): number {
  const signalNumber = Object.entries(constants.signals).find(([signal]) => signal === end.signal)?.[1];
  return end.exitCode ?? (signalNumber === undefined ? 1 : 128 + signalNumber);
}
