import { closeSync, existsSync, fstatSync, ftruncateSync, readSync, renameSync, statSync, writeSync } from "node:fs";
import * as z from "zod/mini";
import { fail, type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { quote } from "../approval/approver.ts";
import { listPageTitles } from "../approval/pages.ts";
import type { Client } from "../gate.ts";
import { describeNaming, findCaller, judgeName } from "../identity.ts";
import { loadLogKey } from "../keys.ts";
import { whileLocked } from "../lock.ts";
import {
  makeStateFolder,
  openRecordFile,
  type Places,
  readIfThere,
  readStored,
  replaceFile,
  replaceFileSoon,
} from "../places.ts";
import type { Records, Stop, Update } from "../records.ts";
import { describeUnwritable } from "../refusals.ts";
import {
  chainLine,
  type Doubt,
  type Entry,
  emptyHead,
  type Head,
  hashWithKey,
  isUnchanged,
  type LoggedText,
  parseLine,
} from "./chain.ts";
import { type Grant, type Ledger, readGrants, readLedger, showLedger } from "./ledger.ts";
import { cutLines, listLogFiles, longestLogBytes, nameOldLog, readHead } from "./log-files.ts";

/** An ever growing ledger would slow every action down. */
const keptActions = 1000;

const storedStop = z.object({ atMs: z.int(), by: z.string() });
const unreadableStop: Stop = { atMs: 0, by: "an unreadable file" };

/** The records in the user's state directory, shared by all processes of Deskmap. */
export class FileRecords implements Records {
  ignoredGrants = 0;

  constructor(
    private readonly places: Places,
    private readonly maxBytes = longestLogBytes,
    /** Whose lines these are; lines of others, such as surfaces, are written as they are. */
    readonly client?: Client,
  ) {}

  write(told: Entry): Result<number> {
    const entry = this.client?.name === told.client ? { ...told, ...this.describeClient(this.client) } : told;
    return this.lock(() => {
      const key = loadLogKey(this.places);
      const { descriptor, head, doubt } = this.openLog(key);
      try {
        const atMs = Date.now();
        const { text, hash } = chainLine(key, head, atMs, doubt === undefined ? entry : { ...entry, doubt });
        const bytes = Buffer.from(`${text}\n`);
        appendWhole(descriptor, bytes);
        const next: Head = { n: head.n + 1, hash, bytes: head.bytes + bytes.length, atMs };
        replaceFileSoon(this.places.head, JSON.stringify(next));
        return next.n;
      } finally {
        closeSync(descriptor);
      }
    });
  }

  private describeClient(client: Client): Pick<Entry, "named" | "process"> {
    const named = judgeName(client, () => readGrants(this.places));
    const caller = findCaller(client);
    if (caller === undefined) return { named };
    const { pid, startTicks, program } = caller;
    return { named, process: { pid, startTicks, program } };
  }

  describeCaller(): string {
    if (this.client === undefined) return describeNaming("claimed");
    const { named = "claimed", process } = this.describeClient(this.client);
    return describeNaming(named, process);
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
    // The stop is in force whatever the file contains.
    return text === undefined ? undefined : (readStored(storedStop, text) ?? unreadableStop);
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

/** The longest time between a line's timestamp and the change of its file. */
const writingMs = 5000;
/** The longest time between the creation of the key and the first line. */
const firstLineMs = 60_000;

interface Tail {
  readonly head: Head;
  readonly doubt?: Doubt;
}

/**
 * Where the next line goes. A process that was killed before it wrote the head has left a valid line after it, which is
 * kept, or a part of one, which is cut off. If lines are missing, numbering continues after the head, so the gap stays visible.
 */
function findTail(places: Places, descriptor: number, key: Uint8Array): Tail {
  const { size, ctimeMs } = fstatSync(descriptor);
  const noted = readHead(places);
  if (noted === undefined) return findHeadless(places, descriptor, key, size);
  // A process that was killed just after it began a new file has left the head of the old one.
  const isNew = size < noted.bytes && existsSync(nameOldLog(places.audit, noted.n));
  const known = isNew ? { ...noted, bytes: 0 } : noted;
  if (size < known.bytes) return { head: { ...known, bytes: size } };
  const head = adoptLines(descriptor, key, known, size);
  // ctime cannot be set: it shows that an older log and head were copied back.
  const isTouched = size === noted.bytes && ctimeMs > noted.atMs + writingMs;
  return isTouched ? { head, doubt: "touched" } : { head };
}

/** Without its head the log may have been cut anywhere: it continues after its last line, with a doubt. */
function findHeadless(places: Places, descriptor: number, key: Uint8Array, size: number): Tail {
  const head = adoptLines(descriptor, key, emptyHead, size);
  // A process may have been killed between the very first line and its head.
  const isFirst = head.n <= 1 && head.bytes === size && listLogFiles(places).length <= 1;
  const isYoung = size > 0 || Date.now() - statSync(places.key).mtimeMs < firstLineMs;
  if (isFirst && isYoung) return { head };
  return { head: head.n > 0 ? head : findLastLine(descriptor, size), doubt: "headless" };
}

function adoptLines(descriptor: number, key: Uint8Array, known: Head, size: number): Head {
  if (size === known.bytes) return known;
  const tail = readPart(descriptor, known.bytes, size);
  let head = known;
  const { lines, rest } = cutLines(tail);
  for (const bytes of lines) {
    const line = isUnchanged(key, bytes) ? parseLine(bytes.toString()) : undefined;
    if (line === undefined || line.prev !== head.hash || line.n !== head.n + 1) return { ...head, bytes: size };
    head = { n: line.n, hash: line.hash, bytes: head.bytes + bytes.length + 1, atMs: Date.parse(line.at) };
  }
  if (rest.length > 0) ftruncateSync(descriptor, head.bytes);
  return head;
}

function findLastLine(descriptor: number, size: number): Head {
  const last = cutLines(readPart(descriptor, 0, size)).lines.at(-1);
  const line = last && parseLine(last.toString());
  const known = line === undefined ? emptyHead : { n: line.n, hash: line.hash, atMs: Date.parse(line.at) };
  return { ...emptyHead, ...known, bytes: size };
}

function readPart(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  readSync(descriptor, bytes, 0, bytes.length, from);
  return bytes;
}

export const defaultMinutes = 10;
export const longestMinutes = 480;
const surface = "a person at a terminal";

/** Logged first: a grant that cannot be logged is not given. */
export function giveGrant(records: Records, grant: Grant): Result<Grant> {
  const written = records.write({ what: "allow", client: surface, words: describeGrant(grant) });
  if (!written.ok) return written;
  return records.update((ledger) => ({ ledger: { ...ledger, grants: [...ledger.grants, grant] }, result: grant }));
}

export function listGrants(records: Records, nowMs: number): Result<readonly Grant[]> {
  return records.update((ledger) => ({ ledger, result: ledger.grants.filter(({ untilMs }) => untilMs > nowMs) }));
}

/** Ends all grants, and returns those that were still valid. */
export function endGrants(records: Records, nowMs: number): Result<readonly Grant[]> {
  const ended = records.update((ledger) => ({ ledger: { ...ledger, grants: [] }, result: ledger.grants }));
  if (!ended.ok) return ended;
  const live = ended.value.filter(({ untilMs }) => untilMs > nowMs);
  const words = `ended: ${live.map(describeGrant).join("; ") || "nothing"}`;
  const written = records.write({ what: "allow", client: surface, words });
  return written.ok ? succeed(live) : written;
}

export function describeGrant({ app, client, process, isNameOnly, untilMs, isSensitive }: Grant): string {
  const whose = process === undefined ? "" : ` (process ${process.pid}, ${quote(process.program)})`;
  const who = client === undefined ? "every program" : `the program ${quote(client)}${whose}`;
  if (isNameOnly === true) return `${who} what the policy says of that name, until ${showLocalTime(untilMs)}`;
  const what = isSensitive ? "everything, sensitive actions included," : "as many actions as it likes";
  const where = app === undefined ? "in every application" : `in ${quote(app)}`;
  return `${who} ${what} ${where}, until ${showLocalTime(untilMs)}`;
}
