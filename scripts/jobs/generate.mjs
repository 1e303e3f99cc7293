import { prepare } from "../install/prepare.mjs";
import { BUN } from "../root.mjs";
import { handOver } from "./hand-over.mjs";

export async function run(args) {
  if (!(await prepare("none"))) return 1;
  return handOver(BUN, ["scripts/generate.ts", ...args]);
}
