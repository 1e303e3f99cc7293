import { readdirSync } from "node:fs";
import { prepare } from "../install/prepare.mjs";
import { BUN, inRoot } from "../root.mjs";
import { handOver } from "./hand-over.mjs";
import { withoutDesktop } from "./isolate.mjs";

// Each file bench/<name>.bench.ts is a program that prints its figures; `npm run bench -- <name>` runs only that one.
export async function run(names) {
  const files = readdirSync(inRoot("bench"))
    .filter((file) => file.endsWith(".bench.ts"))
    .filter((file) => names.length === 0 || names.some((name) => file === `${name}.bench.ts`));
  if (files.length === 0) {
    console.error(`No measurement named ${names.join(", ") || "anything"}: bench/ holds no such <name>.bench.ts.`);
    return 1;
  }
  if (!(await prepare("test"))) return 1;
  let worst = 0;
  for (const file of files) {
    console.log(`\n── bench/${file}`);
    worst = Math.max(worst, await handOver(BUN, [`bench/${file}`], withoutDesktop(process.env)));
  }
  return worst;
}
