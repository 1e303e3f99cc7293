import {
  closeSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import {
  chainLine,
  type Entry,
  emptyHead,
  type Head,
  hashWithKey,
  isWhole,
  type LoggedText,
  parseLine,
} from "./chain.ts";
import { lockBriefly } from "./lock.ts";
import { makeStateFolder, type Places } from "./places.ts";
import { emptyLedger, type Ledger, type Records, type Stop, type Update } from "./records.ts";

const lockTimeoutMs = 5000;
const keyBytes = 32;
/** A ledger that grew for ever would slow every action down. */
const keptActions = 1000;

/** The books in the user's state directory, shared by every process of Deskmap. */
export class FileRecords implements Records {
  private key: Uint8Array | undefined;

  constructor(private readonly places: Places) {}

  write(entry: Entry): Result<number> {
    return this.whileLocked(() => {
      const key = this.loadKey();
      const descriptor = openSync(this.places.audit, "a+", 0o600);
      try {
        const head = this.adoptTail(descriptor, key);
        const { text, hash } = chainLine(key, head, Date.now(), entry);
        const bytes = Buffer.from(`${text}\n`);
        writeSync(descriptor, bytes);
        this.saveHead({ n: head.n + 1, hash, bytes: head.bytes + bytes.length });
        return head.n + 1;
      } finally {
        closeSync(descriptor);
      }
    });
  }

  describeText(text: string): LoggedText {
    return { length: [...text].length, hash: hashWithKey(this.loadKey(), text).slice(0, 16) };
  }

  update<T>(change: (ledger: Ledger) => Update<T>): Result<T> {
    return this.whileLocked(() => {
      const { ledger, result } = change(this.readLedger());
      const kept = { ...ledger, actions: ledger.actions.slice(-keptActions) };
      this.replace(this.places.ledger, JSON.stringify(kept));
      return result;
    });
  }

  findStop(): Stop | undefined {
    const text = readIfThere(this.places.stopped);
    if (text === undefined) return undefined;
    try {
      const { atMs, by } = JSON.parse(text);
      return { atMs: Number(atMs), by: String(by) };
    } catch {
      // Whatever stands in it: that it is there is the sign.
      return { atMs: 0, by: "an unreadable note" };
    }
  }

  /**
   * The head as it is on the disk. A process that was killed between the line and the head has left a line more, which is
   * true, or a piece of one, which is cut off. Where lines are missing the head is believed: the gap shows for ever.
   */
  private adoptTail(descriptor: number, key: Uint8Array): Head {
    let head = this.readHead();
    const size = fstatSync(descriptor).size;
    if (size <= head.bytes) return { ...head, bytes: size };
    const tail = Buffer.alloc(size - head.bytes);
    readSync(descriptor, tail, 0, tail.length, head.bytes);
    for (const text of tail.toString("utf8").split("\n").slice(0, -1)) {
      const line = isWhole(key, text) ? parseLine(text) : undefined;
      if (line === undefined || line.prev !== head.hash || line.n !== head.n + 1) break;
      head = { n: line.n, hash: line.hash, bytes: head.bytes + Buffer.byteLength(text) + 1 };
    }
    const isTorn = size > head.bytes && !tail.subarray(head.bytes - (size - tail.length)).includes(10);
    if (isTorn) ftruncateSync(descriptor, head.bytes);
    return isTorn ? head : { ...head, bytes: size };
  }

  private readHead(): Head {
    const text = readIfThere(this.places.head);
    if (text === undefined) return emptyHead;
    const { n, hash, bytes } = JSON.parse(text);
    return { n: Number(n), hash: String(hash), bytes: Number(bytes) };
  }

  private saveHead(head: Head): void {
    this.replace(this.places.head, JSON.stringify(head));
  }

  private readLedger(): Ledger {
    const text = readIfThere(this.places.ledger);
    if (text === undefined) return emptyLedger;
    const { actions, grants } = JSON.parse(text);
    if (!Array.isArray(actions) || !Array.isArray(grants)) throw new Error(`${this.places.ledger} is damaged`);
    return { actions, grants };
  }

  private loadKey(): Uint8Array {
    if (this.key !== undefined) return this.key;
    makeStateFolder(this.places);
    const { key: path } = this.places;
    if (readIfThere(path) === undefined) {
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, Buffer.from(crypto.getRandomValues(new Uint8Array(keyBytes))).toString("hex"), {
        mode: 0o600,
      });
      try {
        linkSync(draft, path);
      } catch {
        // Another process has just made it.
      }
      rmSync(draft, { force: true });
    }
    this.key = Buffer.from(readFileSync(path, "utf8"), "hex");
    if (this.key.length !== keyBytes) throw new Error(`${path} is damaged`);
    return this.key;
  }

  /** Whole or not at all. */
  private replace(path: string, text: string): void {
    const draft = `${path}.new`;
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, path);
  }

  private whileLocked<T>(work: () => T): Result<T> {
    try {
      makeStateFolder(this.places);
      const lock = lockBriefly(this.places.lock, lockTimeoutMs);
      if (lock === undefined) return fail(this.describe("another process does not let go of it"));
      try {
        return succeed(work());
      } finally {
        lock.release();
      }
    } catch (error) {
      return fail(this.describe(error instanceof Error ? error.message : String(error)));
    }
  }

  private describe(why: string): Failure {
    return {
      code: "REFUSED",
      reason: "audit",
      message: `what is done cannot be written down in ${this.places.state}: ${why}`,
      suggestion: "make that directory writable, or free some space; nothing is done without a record.",
      done: nothingDone,
    };
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
