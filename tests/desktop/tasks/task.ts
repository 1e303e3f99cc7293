import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMcpScene } from "../mcp-scene.ts";
import { openScene, type Scene } from "../scene.ts";
import { readShown, type Shown } from "../shown.ts";

/** DESKMAP_TASKS_BY=mcp runs all tasks through MCP alone. Every run does one form this way (tests/desktop/mcp-tasks). */
export const openTaskScene = process.env.DESKMAP_TASKS_BY === "mcp" ? openMcpScene : openScene;

/** The output and exit code of an acting command. */
export interface Outcome {
  readonly status: number;
  readonly effect: string;
  readonly way: string;
  readonly delivered: boolean;
  /** The error code of a refusal. */
  readonly code: string;
  /** The full output, for failure messages. */
  readonly said: string;
}

/** Runs one acting command as a user would. */
export function act(scene: Scene, ...args: string[]): Outcome {
  const { status, stdout, stderr } = scene.deskmap(...args);
  const said = `deskmap ${args.join(" ")}\n→ ${status}\n${stdout}${stderr}`;
  const { effect = "", way = "", delivered = false, error } = parse(stdout) ?? parse(stderr) ?? {};
  return { status, effect, way, delivered, code: error?.code ?? "", said };
}

interface Said {
  readonly effect?: string;
  readonly way?: string;
  readonly delivered?: boolean;
  readonly error?: { readonly code: string };
}

function parse(text: string): Said | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Runs an acting command whose effect must be confirmed. */
export function confirm(scene: Scene, ...args: string[]): Outcome {
  const outcome = act(scene, ...args);
  if (outcome.effect !== "confirmed" || outcome.status !== 0) throw new Error(`not confirmed: ${outcome.said}`);
  return outcome;
}

/** Runs an acting command that must not count as done: refused with nothing delivered, or delivered and not confirmed. */
export function doubt(scene: Scene, ...args: string[]): Outcome {
  const outcome = act(scene, ...args);
  const isRefused = outcome.status === 1 && outcome.code !== "";
  const isUnconfirmed = outcome.status === 4 && outcome.delivered && outcome.effect !== "confirmed";
  if (!isRefused && !isUnconfirmed) throw new Error(`neither refused nor unconfirmed: ${outcome.said}`);
  return outcome;
}

/** The mark of the only element with this role and name in the selected windows. */
export function markOf(scene: Scene, selection: readonly string[], role: string, name: string): string {
  const found = readShown(scene, ...selection).filter(({ r, t = "" }) => r === role && t === name);
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`${found.length} of ${role} "${name}"`);
  return String(only.i);
}

export function listShown(scene: Scene, ...selection: string[]): readonly Shown[] {
  return readShown(scene, ...selection);
}

/** A folder for the files that a task creates. */
export function makeFolder(): { readonly path: string; in(name: string): string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "deskmap-task-"));
  return {
    path,
    in: (name) => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
