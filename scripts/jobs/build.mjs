import { prepare } from "../install/prepare.mjs";
import { BUN } from "../root.mjs";
import { handOver } from "./hand-over.mjs";

// Without --target the running Bun is the base of the executable, so nothing is downloaded. The format is explicit because
// --bytecode alone implies CommonJS, where a top-level await is an error. Bytecode halves the start-up time; with splitting, a
// command loads only what it needs. The .env and bunfig.toml of the current folder are not read: they could name another
// policy, or run code. The launcher compiles with the same options.
export const COMPILE = [
  "--compile",
  "--minify",
  "--bytecode",
  "--format=esm",
  "--splitting",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
];

export async function run(args) {
  if (!(await prepare("none"))) return 1;
  return handOver(BUN, ["build", "src/cli/main.ts", ...COMPILE, "--outfile", "dist/deskmap", ...args]);
}
