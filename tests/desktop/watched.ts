import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Scene, waitFor } from "./scene.ts";

export const launcher = join(import.meta.dir, "../../deskmap");

/** One line of JSON Lines, as any client would parse it. */
export interface WatchLine {
  readonly kind: string;
  readonly what?: string;
  readonly i?: number;
  readonly r?: string;
  readonly t?: string;
  readonly v?: string;
  readonly x?: readonly string[];
  readonly w?: number;
  readonly in?: number;
  readonly app?: string;
  readonly title?: string;
  readonly reason?: string;
  readonly token?: string;
  readonly code?: string;
  readonly was?: Readonly<Record<string, string>>;
}

/** A `deskmap watch` that runs in a scene. */
export interface Watching {
  readonly child: ChildProcess;
  /** Every line so far. */
  readonly lines: readonly WatchLine[];
  /** The raw output. */
  output(): string;
  errors(): string;
  /** Waits for a matching line among those not yet consumed, and returns it. */
  expectLine(what: string, isMeant: (line: WatchLine) => boolean): Promise<WatchLine>;
  /** The exit code, once it has ended. */
  ended(): Promise<number | null>;
}

export function startWatch(scene: Scene, ...args: string[]): Watching {
  const child = scene.sandbox.spawn([launcher, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const lines: WatchLine[] = [];
  let [output, errors, passed] = ["", "", 0];
  if (child.stdout === null || child.stderr === null) throw new Error("it has no output");
  createInterface({ input: child.stdout }).on("line", (line) => {
    output += `${line}\n`;
    if (line.startsWith("{")) lines.push(JSON.parse(line));
  });
  child.stderr.on("data", (chunk) => {
    errors += String(chunk);
  });
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return {
    child,
    lines,
    output: () => output,
    errors: () => errors,
    async expectLine(what, isMeant) {
      let found: WatchLine | undefined;
      const search = (): boolean => {
        const at = lines.findIndex((line, index) => index >= passed && isMeant(line));
        if (at < 0) return false;
        found = lines[at];
        passed = at + 1;
        return true;
      };
      await waitFor(what, search).catch((error: unknown) => {
        const rest = lines.slice(passed).map((line) => JSON.stringify(line));
        throw new Error(
          `${error instanceof Error ? error.message : error}; told instead:\n${rest.join("\n")}\n${errors}`,
        );
      });
      if (found === undefined) throw new Error(what);
      return found;
    },
    ended: () => exit,
  };
}
