import { readdirSync } from "node:fs";
import { prepare } from "../install/prepare.mjs";
import { BUN, inRoot } from "../root.mjs";
import { handOver } from "./hand-over.mjs";
import { withoutDesktop } from "./isolate.mjs";

const ENDING = ".bench.ts";

// Each file bench/<name>.bench.ts is a program that prints its figures; `npm run bench -- <name>` runs only that one.
// Options, such as --quick for fewer trials, go to every program.
export async function run(args) {
  const options = args.filter((arg) => arg.startsWith("-"));
  const wanted = args.filter((arg) => !arg.startsWith("-"));
  const there = readdirSync(inRoot("bench"))
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length));
  const unknown = wanted.filter((name) => !there.includes(name));
  if (unknown.length > 0 || there.length === 0) {
    console.error(
      `No measurement named ${unknown.join(", ") || "anything"}. There are: ${there.join(", ") || "none"}.`,
    );
    return 1;
  }
  if (!(await prepare("test"))) return 1;
  let worst = 0;
  for (const name of wanted.length === 0 ? there : wanted) {
    console.log(`\n── bench/${name}${ENDING}`);
    worst = Math.max(worst, await handOver(BUN, [`bench/${name}${ENDING}`, ...options], withoutDesktop(process.env)));
  }
  return worst;
}
