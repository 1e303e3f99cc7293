import { prepare } from "../install/prepare.mjs";
import { BUN } from "../root.mjs";
import { handOver } from "./hand-over.mjs";

// Without --target the running Bun itself becomes the base of the executable, so that nothing is downloaded. The format is
// named because --bytecode alone means CommonJS, where a top-level await is an error. Bytecode halves the start-up time; with
// splitting, what a command does not need is not loaded either. Neither .env nor bunfig.toml of the folder where it is called
// is read: they could name another policy, or run code. The launcher compiles with the same words.
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
