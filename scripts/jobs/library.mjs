import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { prepare } from "../install/prepare.mjs";
import { BUN, inRoot, ROOT } from "../root.mjs";
import { handOver } from "./hand-over.mjs";

// Builds what Node imports as "deskmap": one JavaScript file and its type declarations. Bun runs the source.
export async function run([folder = "dist/library"]) {
  if (!(await prepare("none"))) return 1;
  const out = resolve(ROOT, folder);
  rmSync(out, { recursive: true, force: true });
  const bundle = ["build", "src/library/index.ts", "--target", "node", "--outfile", join(out, "index.js")];
  const built = await handOver(BUN, [...bundle, "--external", "bun"]);
  if (built !== 0) return built;
  const types = join(out, "types");
  const declared = await handOver(inRoot("node_modules/.bin/tsc"), [
    ...["-p", "scripts/library.tsconfig.json", "--outDir", types],
  ]);
  if (declared === 0) pointAtDeclarations(types);
  return declared;
}

// TypeScript 7 keeps the .ts endings of imports in declarations, but there is no ./desk.ts beside ./desk.d.ts.
function pointAtDeclarations(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".d.ts")) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/(from "\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
  }
}
