import { fileURLToPath } from "node:url";

const ENTRY_URL = new URL("./supervisor-main.ts", import.meta.url);

// Bun's name for the files inside a compiled executable; a child process cannot be started from there.
const COMPILED_PREFIX = "/$bunfs/";

/** How to run a piece of this library in a process of its own: from source, or through the compiled executable. */
export function chooseEntry(piece: "supervise" | "sweep"): { command: string; args: string[] } {
  if (ENTRY_URL.pathname.startsWith(COMPILED_PREFIX)) return { command: process.execPath, args: ["sandbox", piece] };
  return { command: process.execPath, args: [fileURLToPath(ENTRY_URL), piece] };
}
