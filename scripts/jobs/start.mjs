import { hasRunningDesktop } from "../install/desktop.mjs";
import { prepare } from "../install/prepare.mjs";
import { BUN } from "../root.mjs";
import { handOver } from "./hand-over.mjs";

export async function run(args) {
  const group = (await hasRunningDesktop()) ? "none" : "start";
  if (!(await prepare(group))) return 1;
  return handOver(BUN, ["src/cli/main.ts", "tour", ...args]);
}
