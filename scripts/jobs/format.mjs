import { prepare } from "../install/prepare.mjs";
import { inRoot } from "../root.mjs";
import { handOver } from "./hand-over.mjs";

export async function run(args) {
  if (!(await prepare("none"))) return 1;
  return handOver(inRoot("node_modules/.bin/biome"), ["check", "--write", ...args]);
}
