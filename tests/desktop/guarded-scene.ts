import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findPlaces, type Places } from "../../src/guard/places.ts";
import type { Scene } from "./scene.ts";

const launcher = join(import.meta.dir, "../../deskmap");

interface Ended {
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** A Deskmap command that keeps running while the test continues. */
export interface Call {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** A private desktop under the rules of a person's own. */
export interface GuardedScene {
  readonly places: Places;
  begin(args: readonly string[], client?: string): Call;
  /** Does what `deskmap resume` does, without asking a person. */
  resume(): void;
}

/** Writes a policy into a scene; everything it omits is as on a person's own desktop. */
export function guardScene({ sandbox }: Scene, policy: Readonly<Record<string, unknown>>): GuardedScene {
  const places = findPlaces(sandbox.env);
  mkdirSync(dirname(places.policy), { recursive: true, mode: 0o700 });
  writeFileSync(places.policy, JSON.stringify(policy), { mode: 0o600 });
  return {
    places,
    begin(args, client = "test") {
      const env = { ...sandbox.env, DESKMAP_CLIENT: client };
      const child = spawn(launcher, args, { env, stdio: ["ignore", "pipe", "pipe"] });
      const [out, err]: [string[], string[]] = [[], []];
      child.stdout.on("data", (text) => out.push(String(text)));
      child.stderr.on("data", (text) => err.push(String(text)));
      const ended = once(child, "close").then(([code, signal]) => ({
        status: code ?? signal,
        stdout: out.join(""),
        stderr: err.join(""),
      }));
      return { child, ended };
    },
    resume: () => rmSync(places.stopped, { force: true }),
  };
}
