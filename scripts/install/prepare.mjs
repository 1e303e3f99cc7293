import { GROUPS, listPackages } from "../packages.mjs";
import { inRoot } from "../root.mjs";
import { findMissing, installMissing } from "./apt.mjs";
import { withLock } from "./lock.mjs";
import { explainMissingPackages, installPackages, isBunWorking, repairBun } from "./npm.mjs";

// Installs what a job needs; returns whether it is there. The names of the groups are in packages.mjs.
export async function prepare(group) {
  const packages = listPackages(GROUPS[group]);
  if (isReady(packages)) return true;
  return withLock(inRoot(".cache/install.lock"), () => installAll(packages));
}

function isReady(packages) {
  return findMissing(packages).length === 0 && explainMissingPackages() === undefined && isBunWorking();
}

// Checks again inside the lock: the run that held it before may have installed everything. System packages come first,
// because only they can be refused, and a refused run should not change anything.
async function installAll(packages) {
  const missing = findMissing(packages);
  if (missing.length > 0 && !(await installMissing(missing))) return false;
  const reason = explainMissingPackages();
  if (reason !== undefined && !(await installPackages(reason))) return false;
  return isBunWorking() || repairBun();
}
