import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { programs } from "./index.ts";

// Bun's path of files inside a compiled executable; no process can be started from there.
const compiledPrefix = "/$bunfs/";

/** By the location of this file: from inside an executable, relative paths to the source lead out of it. */
export function isCompiled(): boolean {
  return new URL(import.meta.url).pathname.startsWith(compiledPrefix);
}

/** The command that starts this program again. */
export function findOwnProgram(): readonly [string, ...string[]] {
  return isCompiled() ? [programs.own()] : [programs.own(), ...plainly, findEntry()];
}

// Bun would otherwise read .env and bunfig.toml of the working folder.
const plainly = ["--no-env-file", "--config=/dev/null"];

function findEntry(): string {
  const source = fileURLToPath(new URL("../cli/main.ts", import.meta.url));
  // Run from a bundle if there is one: it starts in half the time.
  return Bun.main.endsWith(".ts") && existsSync(source) ? source : Bun.main;
}
