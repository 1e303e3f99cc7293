import { closeSync, fstatSync, ftruncateSync, renameSync, writeSync } from "node:fs";
import { fail, type Result, succeed } from "../../model/failure.ts";
import { listPageTitles } from "../approval/pages.ts";
import { lockBriefly } from "../lock.ts";
import { makeStateFolder, openBook, type Places } from "../places.ts";
import type { Ledger, Records, Stop, Update } from "../records.ts";
import { describeUnwritten } from "../unwritten.ts";
import { chainLine, type Entry, type Head, hashWithKey, type LoggedText } from "./chain.ts";
import { longestLogBytes, nameOldLog, readIfThere, replaceFile } from "./files.ts";
import { makeKey, readKey } from "./key.ts";
import { readLedger, showLedger } from "./ledger.ts";
import { findTail, type Tail } from "./tail.ts";

const lockTimeoutMs = 5000;
/** A ledger that grew for ever would slow every action down. */
const keptActions = 1000;

const unreadableStop: Stop = { atMs: 0, by: "an unreadable note" };

/** The books in the user's state directory, shared by every process of Deskmap. */
export class FileRecords implements Records {
  /** How many grants were found that no person has given. */
  ignoredGrants = 0;

  constructor(
    private readonly places: Places,
    private readonly maxBytes = longestLogBytes,
  ) {}

  write(entry: Entry): Result<number> {
    return this.whileLocked(() => {
      const key = this.loadKey();
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

  /** Without a key there is no hash, and no line either: whoever writes it is told why. */
  private hashText(text: string): string {
    try {
      return hashWithKey(this.loadKey(), text).slice(0, 16);
    } catch {
      return "";
    }
  }

  update<T>(change: (ledger: Ledger) => Update<T>): Result<T> {
    let ignored: readonly string[] = [];
    const updated = this.whileLocked(() => {
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
      // Whatever stands in it: that it is there is the sign.
      return unreadableStop;
    }
  }

  /** The file that the next line goes to: a new one when the last is full. */
  private openLog(key: Uint8Array): Tail & { readonly descriptor: number } {
    const { places } = this;
    const descriptor = openBook(places.audit);
    const tail = findTail(places, descriptor, key);
    if (tail.head.bytes < this.maxBytes) return { ...tail, descriptor };
    closeSync(descriptor);
    renameSync(places.audit, nameOldLog(places.audit, tail.head.n));
    return { ...tail, head: { ...tail.head, bytes: 0 }, descriptor: openBook(places.audit) };
  }

  /** Read each time: a person may remove the state directory while a daemon runs. */
  private loadKey(): Uint8Array {
    makeStateFolder(this.places);
    return readKey(this.places) ?? makeKey(this.places);
  }

  private whileLocked<T>(work: () => T): Result<T> {
    try {
      makeStateFolder(this.places);
      const lock = lockBriefly(this.places.lock, lockTimeoutMs);
      if (lock === undefined)
        return fail(describeUnwritten(this.places.state, "another process does not let go of it"));
      try {
        return succeed(work());
      } finally {
        lock.release();
      }
    } catch (error) {
      return fail(describeUnwritten(this.places.state, error));
    }
  }
}

/** A full disk may take a part of a line: that is taken back. */
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
  throw new Error("the disk took only a part of it");
}
