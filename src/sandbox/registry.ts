import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../model/caught.ts";
import { type Result, succeed } from "../model/failure.ts";
import { folders, processes, user } from "../os/index.ts";
import { refuseStart } from "./options.ts";
import { type SandboxRecord, sandboxRecord } from "./record.ts";

const DRAFT_PATTERN = /^\..*\.(\d+)\.draft$/;
const CLAIM_ATTEMPTS = 5;

/** The directory of records. It is the same inside a sandbox: the sandbox's environment names it. */
export function locateRegistry(env: NodeJS.ProcessEnv = process.env): string {
  if (env.DESKMAP_SANDBOX_DIR) return env.DESKMAP_SANDBOX_DIR;
  const runtime = folders.runtime(env);
  if (runtime !== undefined && isOurs(runtime)) return join(runtime, "deskmap", "sandboxes");
  return join(folders.temporary(), `deskmap-${user.id() ?? 0}`, "sandboxes");
}

/** In a directory writable by others they could make us kill processes and delete files. */
export function checkRegistry(directory: string): Result<string> {
  if (existsSync(directory) && !isWritable(directory))
    return refuseStart(
      "UNAVAILABLE",
      `sandbox records cannot be written to ${directory}: this is the inside of a sandbox with a boundary`,
      "open the sandbox from outside.",
    );
  const unsafe = [dirname(directory), directory].find((folder) => existsSync(folder) && !isPrivate(folder));
  if (unsafe === undefined) return succeed(directory);
  return refuseStart(
    "UNAVAILABLE",
    `${unsafe} is not a safe place for sandbox records: it belongs to another user, is a link, or others may write to it`,
    "remove it, or set XDG_RUNTIME_DIR to a directory of your own with mode 700.",
  );
}

/** The records of running and dead sandboxes; none if the registry is missing or not private. */
export function readRecords(directory: string): SandboxRecord[] {
  if (!isPrivate(dirname(directory)) || !isPrivate(directory)) return [];
  return listFiles(directory)
    .filter((file) => file.endsWith(".json"))
    .map((file) => readRecordFile(join(directory, file)))
    .filter((record) => record !== null);
}

/** Claims the name atomically; false if it is taken. */
export function claimRecord(directory: string, record: SandboxRecord): boolean {
  for (let attempt = 1; ; attempt++) {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const draft = writeDraft(directory, record);
      try {
        linkSync(draft, locateRecord(directory, record.name));
      } finally {
        rmSync(draft, { force: true });
      }
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      // The last sandbox to close just removed the empty directory.
      if (codeOf(error) !== "ENOENT" || attempt === CLAIM_ATTEMPTS) throw error;
    }
  }
}

export function updateRecord(directory: string, record: SandboxRecord): void {
  renameSync(writeDraft(directory, record), locateRecord(directory, record.name));
}

/** Removes this sandbox's record, but not that of a later one of the same name, and empty directories. */
export function removeRecord(directory: string, record: SandboxRecord): void {
  const path = locateRecord(directory, record.name);
  if (readRecordFile(path)?.root === record.root) rmSync(path, { force: true });
  removeEmptyRegistry(directory);
}

export function removeEmptyRegistry(directory: string): void {
  for (const file of listFiles(directory)) {
    const writerPid = DRAFT_PATTERN.exec(file)?.[1];
    if (writerPid !== undefined && processes.read(Number(writerPid)) === undefined)
      rmSync(join(directory, file), { force: true });
  }
  for (const folder of [directory, dirname(directory)]) {
    try {
      rmdirSync(folder);
    } catch {
      // Not empty, or already gone.
    }
  }
}

function locateRecord(directory: string, name: string): string {
  return join(directory, `${name}.json`);
}

function writeDraft(directory: string, record: SandboxRecord): string {
  const draft = join(directory, `.${record.name}.${process.pid}.draft`);
  writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
  return draft;
}

function readRecordFile(path: string): SandboxRecord | null {
  try {
    // Compiling the schema takes longer than reading a few records with it.
    return sandboxRecord.parse(JSON.parse(readFileSync(path, "utf8")), { jitless: true });
  } catch {
    return null;
  }
}

function listFiles(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function isOurs(folder: string): boolean {
  try {
    const stat = lstatSync(folder);
    return stat.isDirectory() && user.owns(stat);
  } catch {
    return false;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isPrivate(folder: string): boolean {
  return isOurs(folder) && (lstatSync(folder).mode & 0o022) === 0;
}
