import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { programs } from "../os/index.ts";

const ENTRY_URL = new URL("./supervisor-main.ts", import.meta.url);

// Bun's path prefix inside a compiled executable; a child process cannot be started from there.
const COMPILED_PREFIX = "/$bunfs/";

/** The command that runs part of this library in a separate process: from source, a bundle or the executable. */
export function chooseEntry(piece: "supervise" | "sweep"): { command: string; args: string[] } {
  const command = programs.own();
  if (ENTRY_URL.pathname.startsWith(COMPILED_PREFIX)) return { command, args: ["sandbox", piece] };
  const path = fileURLToPath(ENTRY_URL);
  return existsSync(path) ? { command, args: [path, piece] } : { command, args: [Bun.main, "sandbox", piece] };
}
