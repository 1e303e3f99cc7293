import { closeSync, fstatSync, ftruncateSync, renameSync, writeSync } from "node:fs";
import { fail, type Result, succeed } from "../../model/failure.ts";
import { listPageTitles } from "../approval/pages.ts";
import { readIfThere, replaceFile } from "../files.ts";
import { loadLogKey } from "../keys.ts";
import { whileLocked } from "../lock.ts";
import { makeStateFolder, openRecordFile, type Places } from "../places.ts";
import type { Ledger, Records, Stop, Update } from "../records.ts";
import { describeUnwritable } from "../refusals.ts";
import { chainLine, type Entry, type Head, hashWithKey, type LoggedText } from "./chain.ts";
import { readLedger, showLedger } from "./ledger.ts";
import { longestLogBytes, nameOldLog } from "./log-files.ts";
import { findTail, type Tail } from "./tail.ts";

/** An ever growing ledger would slow every action down. */
const keptActions = 1000;

const unreadableStop: Stop = { atMs: 0, by: "an unreadable file" };

/** The records in the user's state directory, shared by all processes of Deskmap. */
export class FileRecords implements Records {
  /** Number of forged grants found. */
  ignoredGrants = 0;

  constructor(
    private readonly places: Places,
    private readonly maxBytes = longestLogBytes,
  ) {}

  write(entry: Entry): Result<number> {
    return this.lock(() => {
      const key = loadLogKey(this.places);
      const { descriptor, head, doubt } = this.openLog(key);
      try {
        const atMs = Date.now();
        const { text, hash } = chainLine(key, head, atMs, doubt === undefined ? entry : { ...entry, doubt });
        const bytes = Buffer.from(`${text}\n`);
        appendWhole(descriptor, bytes);
        const next: Head = { n: head.n + 1, hash, bytes: head.bytes + bytes.length, atMs };
        replaceFile(this.places.head, JSON.stringify(next));
        return next.n;
      } finally {
        closeSync(descriptor);
      }
    });
  }

  describeText(text: string): LoggedText {
    return { length: [...text].length, hash: this.hashText(text) };
  }

  listPageTitles(): readonly string[] {
    return listPageTitles(this.places);
  }

  /** Without a key the line cannot be written either, and `write` says why. */
  private hashText(text: string): string {
    try {
      return hashWithKey(loadLogKey(this.places), text).slice(0, 16);
    } catch {
      return "";
    }
  }

  update<T>(change: (ledger: Ledger) => Update<T>): Result<T> {
    let ignored: readonly string[] = [];
    const updated = this.lock(() => {
      const found = readLedger(this.places);
      ignored = found.ignored;
      const { ledger, result } = change(found.ledger);
      const kept = { ...ledger, actions: ledger.actions.slice(-keptActions) };
      replaceFile(this.places.ledger, showLedger(this.places, kept));
      return result;
    });
    if (!updated.ok || ignored.length === 0) return updated;
    this.ignoredGrants += ignored.length;
    const noted = this.write({
      what: "refused",
      client: "unknown",
      tool: "allow",
      effect: "forged",
      words: ignored.join("; "),
    });
    return noted.ok ? updated : noted;
  }

  findStop(): Stop | undefined {
    const text = readIfThere(this.places.stopped);
    if (text === undefined) return undefined;
    try {
      const { atMs, by } = JSON.parse(text);
      if (!Number.isSafeInteger(atMs) || typeof by !== "string") return unreadableStop;
      return { atMs, by };
    } catch {
      // The stop is in force whatever the file contains.
      return unreadableStop;
    }
  }

  /** The file for the next line: a new one if the last is full. */
  private openLog(key: Uint8Array): Tail & { readonly descriptor: number } {
    const { places } = this;
    const descriptor = openRecordFile(places.audit);
    const tail = findTail(places, descriptor, key);
    if (tail.head.bytes < this.maxBytes) return { ...tail, descriptor };
    closeSync(descriptor);
    renameSync(places.audit, nameOldLog(places.audit, tail.head.n));
    return { ...tail, head: { ...tail.head, bytes: 0 }, descriptor: openRecordFile(places.audit) };
  }

  private lock<T>(work: () => T): Result<T> {
    try {
      // Each time: a person may remove the state directory while a daemon runs.
      makeStateFolder(this.places);
      return succeed(whileLocked(this.places.lock, work));
    } catch (error) {
      return fail(describeUnwritable(this.places.state, error));
    }
  }
}

/** Removes the part of a line that a full disk has taken. */
function appendWhole(descriptor: number, bytes: Buffer): void {
  const { size } = fstatSync(descriptor);
  try {
    const written = writeSync(descriptor, bytes);
    if (written === bytes.length) return;
  } catch (error) {
    ftruncateSync(descriptor, size);
    throw error;
  }
  ftruncateSync(descriptor, size);
  throw new Error("the disk is full");
}
