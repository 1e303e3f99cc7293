import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const POLL_MS = 500;
const REMIND_MS = 10_000;

// One install at a time. The lock names its owner by process id and start time, so that a lock left by a killed run,
// or by an id that now belongs to another process, is recognised and taken over.
export async function withLock(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  await takeLock(path);
  const release = () => rmSync(path, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

async function takeLock(path) {
  let remindedAt = 0;
  while (!tryLock(path)) {
    const owner = readOwner(path);
    if (owner === undefined) continue;
    if (isAlive(owner)) {
      if (Date.now() - remindedAt > REMIND_MS) {
        console.error(`  Another run (process ${owner.pid}) is installing; waiting for it …`);
        remindedAt = Date.now();
      }
      await wait(POLL_MS);
    } else {
      removeStale(path, owner);
    }
  }
}

// Linking a finished file, not creating an empty one: a lock never exists without its owner's name in it.
function tryLock(path) {
  const own = `${path}.own.${process.pid}`;
  writeFileSync(own, JSON.stringify({ pid: process.pid, startedAt: readStartTime(process.pid) }));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function readOwner(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return error.code === "ENOENT" ? undefined : {}; // released meanwhile, or unreadable and therefore without an owner
  }
}

function isAlive(owner) {
  if (!Number.isInteger(owner.pid)) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (error.code === "ESRCH") return false;
  }
  return readStartTime(owner.pid) === owner.startedAt;
}

// Two waiting runs may both find the lock stale; the second must not remove the lock that the first has just taken.
function removeStale(path, owner) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readOwner(aside);
  if (moved?.pid === owner.pid && moved.startedAt === owner.startedAt) rmSync(aside, { force: true });
  else renameSync(aside, path);
}

function readStartTime(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null; // no /proc on this system: the process id alone decides
  }
}
