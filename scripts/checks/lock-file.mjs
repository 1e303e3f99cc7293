import { readFileSync } from "node:fs";
import { inRoot } from "../root.mjs";

// Finds what makes `npm ci` fail on a new machine although `npm install` works on this one.
export function checkLockFile() {
  const text = readFileSync(inRoot("package-lock.json"), "utf8");
  const { packages } = JSON.parse(text);
  const problems = [...findRegistry(text), ...findUnlocked(packages), ...findLacking(packages)];
  return {
    passed: problems.length === 0,
    report: problems.join("\n"),
    note: `${Object.keys(packages).length} packages`,
  };
}

// Everyone installs from their own configured registry; a host in the lock file would override it.
function findRegistry(text) {
  if (!/"resolved": "https?:/.test(text)) return [];
  return ["package-lock.json names a registry host. Run: npm install --omit-lockfile-registry-resolved"];
}

function findUnlocked(packages) {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version)
    .map(([name, version]) => `package.json asks for ${name} ${version}, package-lock.json does not. Run: npm install`);
}

// npm silently leaves out an optional package for another system if the registry lacks it when the lock file is written.
function findLacking(packages) {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !isLocked(packages, path, name))
      .map(
        (name) => `package-lock.json lacks ${name}, a part of ${path}. Take a version whose parts are all published.`,
      ),
  );
}

// Resolves like Node: in the package's own node_modules, then in each one above.
function isLocked(packages, path, name) {
  if (packages[path === "" ? `node_modules/${name}` : `${path}/node_modules/${name}`] !== undefined) return true;
  if (path === "") return false;
  const cut = path.lastIndexOf("/node_modules/");
  return isLocked(packages, cut === -1 ? "" : path.slice(0, cut), name);
}
