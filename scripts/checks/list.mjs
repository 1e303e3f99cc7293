import { existsSync } from "node:fs";
import { BUN, inRoot } from "../root.mjs";
import { checkFences } from "./fences.mjs";
import { checkLockFile } from "./lock-file.mjs";
import { runTool } from "./run-tool.mjs";
import { checkSource } from "./source.mjs";

const bin = (name) => inRoot("node_modules/.bin", name);

// All checks, in the order in which `npm run check` runs them. A check returns { passed, report, note }.
export const CHECKS = [
  {
    name: "format",
    says: "format, lint, order of imports",
    run: () => runTool(bin("biome"), ["ci", "--error-on-warnings", "--max-diagnostics=200", "--colors=off", "."]),
  },
  { name: "types", says: "types", run: checkTypes },
  { name: "fences", says: "who may import whom", run: checkFences },
  {
    name: "dead",
    says: "dead code, unused packages",
    run: () => runTool(bin("knip"), ["--no-progress", "--no-config-hints"]),
  },
  { name: "source", says: "file sizes, where the system is queried", run: checkSource },
  { name: "lock", says: "npm ci works on a new machine", run: checkLockFile },
  { name: "generated", says: "generated files are up to date", run: checkGenerated },
];

// The page is checked with the browser's types and without Bun's; everything else the other way round.
async function checkTypes() {
  const own = await runTool(bin("tsc"), ["--noEmit", "--pretty", "false"]);
  if (!own.passed || !existsSync(inRoot("web/tsconfig.json"))) return own;
  return runTool(bin("tsc"), ["--noEmit", "--pretty", "false", "-p", "web"]);
}

function checkGenerated() {
  if (!existsSync(inRoot("scripts/generate.ts"))) {
    return {
      passed: false,
      report: "scripts/generate.ts is not there, so it is unknown whether docs/tools.md is up to date.",
    };
  }
  return runTool(BUN, ["scripts/generate.ts", "--check"]);
}
