import { existsSync, readdirSync } from "node:fs";
import { relative, resolve } from "node:path";
import { inRoot, ROOT } from "../root.mjs";

// The order in which suites run: what is quick and points straight at its cause comes first.
const ORDER = ["model", "platform", "map", "find", "show", "tools", "cli", "checks"];
const ON_A_DESKTOP = ["conformance", "sandbox", "desktop"];

const UNIT_LIMIT_MS = 3 * 60_000;
const DESKTOP_LIMIT_MS = 20 * 60_000;

// Every folder under tests/ that is in the order or holds a test: a new folder is never passed over in silence.
export function findSuites() {
  if (!existsSync(inRoot("tests"))) return [];
  const there = readdirSync(inRoot("tests"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = there.map((entry) => entry.name);
  const others = names.filter(
    (name) => ![...ORDER, ...ON_A_DESKTOP].includes(name) && listTestFiles(`tests/${name}`).length > 0,
  );
  return [...ORDER, ...others.sort(), ...ON_A_DESKTOP]
    .filter((name) => names.includes(name))
    .map((name) => toSuite(`tests/${name}`));
}

export function toSuite(path) {
  const folder = relative(ROOT, resolve(ROOT, path));
  const isOnDesktop = ON_A_DESKTOP.some((name) => `${folder}/`.startsWith(`tests/${name}/`));
  return {
    folder,
    files: listTestFiles(folder),
    isOnDesktop,
    // The tests of sandboxes look at all that are open; those of desktops each have one of their own.
    mayShare: `${folder}/`.startsWith("tests/desktop/"),
    limitMs: isOnDesktop ? DESKTOP_LIMIT_MS : UNIT_LIMIT_MS,
  };
}

function listTestFiles(path) {
  if (path.endsWith(".test.ts")) return existsSync(inRoot(path)) ? [path] : [];
  if (!existsSync(inRoot(path))) return [];
  const names = readdirSync(inRoot(path), { recursive: true }).map((name) => `${path}/${name.replaceAll("\\", "/")}`);
  return names.filter((name) => name.endsWith(".test.ts")).sort();
}
