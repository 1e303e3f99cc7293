import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { BUN, inRoot, ROOT } from "../root.mjs";
import { runShowing } from "./progress.mjs";

// Returns undefined if node_modules matches package-lock.json, else the reason why not. Compares contents, not dates: a
// fresh clone and a switched branch both give files new dates.
export function explainMissingPackages() {
  const installed = readPackages(inRoot("node_modules/.package-lock.json"));
  if (installed === undefined) return "node_modules is not there yet";
  const wanted = readPackages(inRoot("package-lock.json"));
  if (wanted === undefined) return "package-lock.json is not there";
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === "" || (entry.optional === true && installed[path] === undefined)) continue;
    if (installed[path]?.version !== entry.version) return `${nameOf(path)} ${entry.version} is not installed`;
  }
  const extra = Object.keys(installed).find((path) => wanted[path] === undefined);
  return extra === undefined ? undefined : `${nameOf(extra)} is installed but no longer asked for`;
}

export function isBunWorking() {
  return spawnSync(BUN, ["--version"], { stdio: "ignore" }).status === 0;
}

export async function installPackages(reason) {
  if (isLink(inRoot("node_modules"))) {
    // npm ci would empty the folder at the other end of the link, which belongs to another copy of Deskmap.
    console.error(`node_modules is a link, and ${reason}. Install where the link leads, or remove it.`);
    return false;
  }
  console.error(`Installing the npm packages of package-lock.json (${reason}):`);
  const { command, args } = findNpm();
  let fetched = 0;
  return runShowing({
    title: "npm ci",
    command,
    args: [...args, "ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=http"],
    shown: "npm ci",
    cwd: ROOT,
    env: process.env,
    describe(line) {
      if (!/^npm http fetch GET 200/.test(line)) return undefined;
      fetched += 1;
      return { text: `${fetched} files fetched`, isOnlyProgress: true };
    },
  });
}

// The install script of the npm package `bun` puts its binary in place; npm may be configured to block such scripts.
// Tries the binaries that npm has already fetched first, because Bun's own script may use the network.
export function repairBun() {
  console.error("Putting Bun's binary in place (npm did not run its install script) …");
  mkdirSync(dirname(BUN), { recursive: true });
  for (const binary of listBunBinaries()) {
    copyFileSync(binary, BUN);
    if (isBunWorking()) return true;
  }
  spawnSync(process.execPath, ["install.js"], { cwd: inRoot("node_modules/bun"), stdio: "ignore" });
  if (isBunWorking()) return true;
  console.error(
    "Bun does not run on this machine. See what it says:\n  node node_modules/bun/install.js; node_modules/bun/bin/bun.exe --version",
  );
  return false;
}

function listBunBinaries() {
  const folder = inRoot("node_modules/@oven");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => `${folder}/${name}/bin/bun`)
    .filter((path) => existsSync(path));
}

function findNpm() {
  const script = process.env.npm_execpath;
  if (script?.endsWith(".js") && existsSync(script)) return { command: process.execPath, args: [script] };
  return { command: "npm", args: [] };
}

function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function readPackages(path) {
  if (!existsSync(path)) return undefined;
  return JSON.parse(readFileSync(path, "utf8")).packages;
}

function nameOf(path) {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}
