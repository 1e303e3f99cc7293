import { basename } from "node:path";
import { isInterpreter } from "../../model/interpreter.ts";
import { readLinkTarget, readText } from "./read-file.ts";

/**
 * The names of a process's program from the kernel, the most telling last: a script's own, not its interpreter's. What
 * the process reports itself does not count.
 */
export function readProgramNames(pid: number): readonly string[] {
  if (pid === 0) return [];
  const program = readProgram(pid);
  if (program === "") return [];
  return isInterpreter(program) ? [program, ...readScript(pid)] : [program];
}

function readProgram(pid: number): string {
  // Another user's process hides its executable, but not its name.
  return basename(readLinkTarget(`/proc/${pid}/exe`)) || readText(`/proc/${pid}/comm`).trim();
}

/** The first argument that is no option; also after -jar and -m. */
function readScript(pid: number): readonly string[] {
  const words = readText(`/proc/${pid}/cmdline`).split("\0").slice(1);
  const at = words.findIndex((word) => word !== "" && !word.startsWith("-"));
  const script = words[at];
  // The argument of these options is code, not a name.
  if (script === undefined || ["-c", "-e", "--eval"].includes(words[at - 1] ?? "")) return [];
  const name = basename(script);
  const bare = name.replace(/\.(py|pl|rb|js|mjs|cjs|ts|jar|exe|lua|tcl)$/, "");
  return bare === name ? [name] : [name, bare];
}
