import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runShowing } from "./progress.mjs";

const INSTALL = ["install", "--no-install-recommends", "-y"];

export function findMissing(packages) {
  if (findProgram("dpkg-query") === undefined) return packages.filter((entry) => !isProven(entry.proof));
  const installed = listInstalled(packages.map((entry) => entry.name));
  return packages.filter((entry) => !installed.has(entry.name));
}

// All or nothing: without administrator rights it prints the command and changes nothing.
export async function installMissing(missing) {
  const names = missing.map((entry) => entry.name);
  console.error("These system packages are missing:");
  for (const entry of missing) console.error(`  ${entry.name.padEnd(18)} ${entry.why}`);
  if (findProgram("apt-get") === undefined) {
    console.error(
      "This system has no apt-get. Install the same programs with its own package manager, then run this again.",
    );
    return false;
  }
  const prefix = findRights();
  if (prefix === undefined) {
    console.error(`Installing them needs administrator rights. Run this, then run the same command again:\n`);
    console.error(`  sudo apt-get update && sudo apt-get ${[...INSTALL, ...names].join(" ")}\n`);
    return false;
  }
  return (
    (await runApt(prefix, "apt-get update", ["update"])) &&
    (await runApt(prefix, `apt-get install (${names.length} packages and what they need)`, [...INSTALL, ...names])) &&
    confirmInstalled(missing)
  );
}

function confirmInstalled(packages) {
  const still = findMissing(packages);
  if (still.length === 0) return true;
  console.error(`apt-get reported success, but these are still missing: ${still.map((entry) => entry.name).join(" ")}`);
  return false;
}

// The command prefix that gives administrator rights, or undefined if that takes a password.
function findRights() {
  if (spawnSync("id", ["-u"], { encoding: "utf8" }).stdout?.trim() === "0") return [];
  if (spawnSync("sudo", ["-n", "true"], { stdio: "ignore" }).status === 0) return ["sudo", "-n"];
  return undefined;
}

// Status-Fd makes apt report its progress. Not on descriptor 1: apt would close it for the packages' own scripts ("printf:
// I/O error"). A shell opens it after sudo, because sudo closes inherited descriptors and drops the environment.
const APT = 'DEBIAN_FRONTEND=noninteractive exec apt-get -o APT::Status-Fd=3 -o Dpkg::Use-Pty=0 "$@" 3>&1';

function runApt(prefix, title, words) {
  const [command, ...args] = [...prefix, "sh", "-c", APT, "sh", "-q", "-o", "DPkg::Lock::Timeout=300", ...words];
  const shown = ["sudo", "apt-get", ...words].join(" ");
  return runShowing({ title, command, args, shown, env: process.env, describe: describeAptLine });
}

function describeAptLine(line) {
  const status = /^(dlstatus|pmstatus|pmerror):[^:]*:([\d.]+):(.*)$/.exec(line);
  if (status === null) return /^(Get|Hit|Reading|Building)/.test(line) ? { text: line.trim() } : undefined;
  const phase = status[1] === "dlstatus" ? "fetching" : "installing";
  return { text: `${phase} ${Math.round(Number(status[2]))} %: ${status[3]}`, isOnlyProgress: true };
}

function listInstalled(names) {
  // dpkg-query fails as a whole when one name is unknown, yet still lists the others: its exit code says nothing here.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholders are dpkg-query's, not JavaScript's
  const format = "${Package}\\t${Status}\\n";
  const { stdout } = spawnSync("dpkg-query", ["-W", "-f", format, ...names], { encoding: "utf8" });
  const lines = (stdout ?? "").split("\n").map((line) => line.split("\t"));
  return new Set(lines.filter(([, status]) => status === "install ok installed").map(([name]) => name));
}

function isProven(proof) {
  return proof.startsWith("/") ? existsSync(proof) : findProgram(proof) !== undefined;
}

function findProgram(name) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
