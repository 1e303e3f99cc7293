import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { programs } from "../os/index.ts";

const ENTRY_URL = new URL("./supervisor-main.ts", import.meta.url);

// Bun's name for the files inside a compiled executable; a child process cannot be started from there.
const COMPILED_PREFIX = "/$bunfs/";

/** How to run a piece of this library in a process of its own: from source, from a bundle, or from the executable. */
export function chooseEntry(piece: "supervise" | "sweep"): { command: string; args: string[] } {
  const command = programs.own();
  if (ENTRY_URL.pathname.startsWith(COMPILED_PREFIX)) return { command, args: ["sandbox", piece] };
  const path = fileURLToPath(ENTRY_URL);
  return existsSync(path) ? { command, args: [path, piece] } : { command, args: [Bun.main, "sandbox", piece] };
}
