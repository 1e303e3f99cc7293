import { existsSync } from "node:fs";
import { inRoot } from "../root.mjs";
import { readTool } from "./run-tool.mjs";

// A cruiser that cannot parse the code finds no modules, and so no violations. Fewer than these mean that it failed.
const FEWEST_MODULES = 20;
const FEWEST_IMPORTS = 20;
const FOLDERS = ["src", "web", "scripts", "tests", "bench"];
const CONFIG = ".dependency-cruiser.cjs";
const SWC_PATCH = new URL("./patch-swc.mjs", import.meta.url).href;
const CRUISER = "node_modules/dependency-cruiser/bin/dependency-cruise.mjs";

export async function checkFences() {
  const folders = FOLDERS.filter((folder) => existsSync(inRoot(folder)));
  const args = ["--import", SWC_PATCH, inRoot(CRUISER), ...folders, "--config", CONFIG, "--output-type", "json"];
  const { stdout, stderr } = await readTool(process.execPath, args);
  const result = parseResult(stdout);
  if (result === undefined) return { passed: false, report: `dependency-cruiser gave no result.\n${stderr}`.trim() };
  const modules = result.modules.filter((module) => module.source.startsWith("src/"));
  const imports = modules.flatMap((module) => module.dependencies);
  const seen = `${modules.length} modules, ${imports.length} imports`;
  if (modules.length < FEWEST_MODULES || imports.length < FEWEST_IMPORTS) {
    const expected = `${FEWEST_MODULES} modules and ${FEWEST_IMPORTS} imports or more`;
    return { passed: false, report: `In src only ${seen} were seen; expected ${expected}.` };
  }
  const problems = result.summary.violations.map(describeViolation);
  return { passed: problems.length === 0, report: problems.join("\n"), note: seen };
}

function parseResult(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeViolation({ rule, from, to, cycle, comment }) {
  const path = cycle === undefined ? to : cycle.map((step) => step.name).join(" → ");
  return `${rule.name}: ${from} → ${path}${comment === undefined ? "" : `\n  ${comment}`}`;
}
