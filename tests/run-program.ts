import { type SpawnSyncReturns, spawnSync } from "node:child_process";

const mostTries = 20;

/**
 * Runs a program to its end. `xdotool search` fails with BadWindow if any window goes while it walks through all of them, which
 * says nothing of the window it looks for: it is run again.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): SpawnSyncReturns<string> {
  const isSearch = command === "xdotool" && args[0] === "search";
  for (let tries = 1; ; tries += 1) {
    const ended = spawnSync(command, args, { env, encoding: "utf8", maxBuffer: 64 << 20 });
    if (!isSearch || tries === mostTries || !ended.stderr.includes("BadWindow")) return ended;
  }
}
