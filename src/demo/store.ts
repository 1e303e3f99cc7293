import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { codeOf, messageOf } from "../model/caught.ts";
import { describeUsage, type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { type Demo, namePattern, printDemo } from "./file.ts";
import { readDemoFile } from "./read.ts";

const ending = ".demo.json";

/** The demos of a user: one file each in a folder of Deskmap's data, or a file anywhere that is named by its path. */
export class DemoStore {
  constructor(readonly folder: string) {}

  /** The file of a stored demo. A name is no path, so it leads nowhere else. */
  fileOf(name: string): Result<string> {
    if (namePattern.test(name) && !name.includes("..")) return succeed(join(this.folder, `${name}${ending}`));
    const message = `${JSON.stringify(name.slice(0, 80))} is no name of a demo`;
    return fail(describeUsage(message, "letters, digits, spaces, dots and dashes, beginning with a letter or digit."));
  }

  /** A demo by its name, or by the path of its file. */
  find(nameOrPath: string, working: string): Result<string> {
    const isPath = nameOrPath.includes("/") || nameOrPath.endsWith(".json");
    return isPath ? succeed(resolve(working, nameOrPath)) : this.fileOf(nameOrPath);
  }

  read(nameOrPath: string, working: string): Result<Demo> {
    const file = this.find(nameOrPath, working);
    if (!file.ok) return file;
    const demo = readDemoFile(file.value);
    if (demo.ok || demo.failure.code !== "NOT_FOUND" || file.value === resolve(working, nameOrPath)) return demo;
    const failure = makeFailure("NOT_FOUND", `no demo is called ${JSON.stringify(nameOrPath)}`, "deskmap demo list");
    return fail({ ...failure, nearest: this.listNames().slice(0, 8) });
  }

  listNames(): readonly string[] {
    try {
      const files = readdirSync(this.folder).filter((file) => file.endsWith(ending));
      return files.map((file) => file.slice(0, -ending.length)).toSorted();
    } catch (error) {
      if (codeOf(error) === "ENOENT") return [];
      throw error;
    }
  }

  has(name: string): boolean {
    return this.listNames().includes(name);
  }

  /** Writes a demo under its own name; returns its file. */
  save(demo: Demo, { isReplacing = false } = {}): Result<string> {
    const file = this.fileOf(demo.name);
    if (!file.ok) return file;
    if (!isReplacing && this.has(demo.name)) return fail(describeTaken(demo.name));
    return writePrivate(file.value, printDemo(demo), this.folder);
  }

  delete(name: string): Result<string> {
    const file = this.fileOf(name);
    if (!file.ok) return file;
    if (!this.has(name)) return fail(makeFailure("NOT_FOUND", `no demo is called ${JSON.stringify(name)}`));
    rmSync(file.value);
    return file;
  }
}

export function describeTaken(name: string): Failure {
  return makeFailure("USAGE", `a demo called ${JSON.stringify(name)} exists`, "take another name, or add --replace.");
}

/** A link that leads nowhere is there, too. */
export function refuseExisting(file: string): Failure | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  return makeFailure("USAGE", `${file} exists`, "name another file, or add --force to replace it.");
}

/** Replaces a file whole or not at all; only its user can read it. */
export function writePrivate(file: string, text: string | Uint8Array, folder?: string): Result<string> {
  const draft = `${file}.${process.pid}.part`;
  try {
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      chmodSync(folder, 0o700);
    }
    rmSync(draft, { force: true });
    const descriptor = openSync(draft, "wx", 0o600);
    try {
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
    return succeed(file);
  } catch (error) {
    rmSync(draft, { force: true });
    const message = `${file} could not be written: ${messageOf(error)}`;
    const suggestion = "name a file in a folder that can be written, with room for it.";
    return fail(makeFailure("FAILED", message, suggestion, { done: "nothing was written." }));
  }
}
