import { readdirSync } from "node:fs";
import { prepare } from "../install/prepare.mjs";
import { BUN, inRoot } from "../root.mjs";
import { handOver } from "./hand-over.mjs";
import { withoutDesktop } from "./isolate.mjs";

const ENDING = ".bench.ts";

// Each file bench/<name>.bench.ts is a program that prints its results; `npm run bench -- <name>` runs only that one.
// Options, such as --quick for fewer trials, go to every program.
export async function run(args) {
  const options = args.filter((arg) => arg.startsWith("-"));
  const wanted = args.filter((arg) => !arg.startsWith("-"));
  const known = readdirSync(inRoot("bench"))
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length));
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0 || known.length === 0) {
    console.error(`No benchmark named ${unknown.join(", ") || "anything"}. There are: ${known.join(", ") || "none"}.`);
    return 1;
  }
  if (!(await prepare("test"))) return 1;
  let worst = 0;
  for (const name of wanted.length === 0 ? known : wanted) {
    console.log(`\n── bench/${name}${ENDING}`);
    worst = Math.max(worst, await handOver(BUN, [`bench/${name}${ENDING}`, ...options], withoutDesktop(process.env)));
  }
  return worst;
}
