import { existsSync, readdirSync } from "node:fs";
import { relative, resolve } from "node:path";
import { inRoot, ROOT } from "../root.mjs";

// The order in which suites run: quick ones, whose failures point straight at their cause, come first.
const ORDER = ["model", "platform", "map", "find", "show", "tools", "cli", "checks"];
const ON_A_DESKTOP = ["conformance", "sandbox", "security", "desktop"];
// Sandbox tests look at every open sandbox; these each have a sandbox of their own, if any.
const SHARING = ["security", "desktop"];

const UNIT_LIMIT_MS = 10 * 60_000;
const DESKTOP_LIMIT_MS = 20 * 60_000;

// The two tiers. "once" proves each feature once on real applications. "all" adds the matrix: every toolkit, scale, monitor
// layout and window manager, kills and long runs. Files named *.matrix.test.ts belong to "all" only; within a file,
// tests/tier.ts says which cases do.
const MATRIX_FILE = /\.matrix\.test\.ts$/;

// Every folder under tests/ that is in the order or holds a test, and every test file beside them: a new one is never
// silently skipped.
export function findSuites(tier) {
  if (!existsSync(inRoot("tests"))) return [];
  const entries = readdirSync(inRoot("tests"), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const loose = entries.map((entry) => entry.name).filter((name) => name.endsWith(".test.ts"));
  const others = names.filter(
    (name) => ![...ORDER, ...ON_A_DESKTOP].includes(name) && listTestFiles(`tests/${name}`).length > 0,
  );
  const folders = [...ORDER, ...others.sort(), ...ON_A_DESKTOP].filter((name) => names.includes(name));
  return [...loose.sort(), ...folders]
    .map((name) => toSuite(`tests/${name}`))
    .flatMap((suite) => (tier === "once" ? leaveOutMatrix(suite) : [suite]));
}

// Drops a folder that has only matrix files; an empty folder stays, and fails.
function leaveOutMatrix(suite) {
  const files = suite.files.filter((file) => !MATRIX_FILE.test(file));
  return files.length === 0 && suite.files.length > 0 ? [] : [{ ...suite, files }];
}

export function toSuite(path) {
  const folder = relative(ROOT, resolve(ROOT, path));
  const isIn = (name) => `${folder}/`.startsWith(`tests/${name}/`);
  const isOnDesktop = ON_A_DESKTOP.some(isIn);
  return {
    folder,
    files: listTestFiles(folder),
    isOnDesktop,
    mayShare: SHARING.some(isIn),
    limitMs: isOnDesktop ? DESKTOP_LIMIT_MS : UNIT_LIMIT_MS,
  };
}

function listTestFiles(path) {
  if (path.endsWith(".test.ts")) return existsSync(inRoot(path)) ? [path] : [];
  if (!existsSync(inRoot(path))) return [];
  const names = readdirSync(inRoot(path), { recursive: true }).map((name) => `${path}/${name.replaceAll("\\", "/")}`);
  return names.filter((name) => name.endsWith(".test.ts")).sort();
}
