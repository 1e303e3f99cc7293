import { programs } from "../os/index.ts";

const ENTRY_URL = new URL("./supervisor-main.ts", import.meta.url);

/** The command that runs part of this library in a separate process: from source, a bundle or the executable. */
export function chooseEntry(piece: "supervise" | "sweep"): [string, ...string[]] {
  return programs.commandFor(ENTRY_URL, [piece], ["sandbox", piece]);
}
