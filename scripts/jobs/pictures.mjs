import { prepare } from "../install/prepare.mjs";
import { BUN } from "../root.mjs";
import { handOver } from "./hand-over.mjs";
import { withoutDesktop } from "./isolate.mjs";

export async function run(args) {
  if (!(await prepare("test"))) return 1;
  return handOver(BUN, ["tests/desktop/pictures.ts", ...args], withoutDesktop(process.env));
}
