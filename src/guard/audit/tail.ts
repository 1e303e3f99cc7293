import { existsSync, fstatSync, ftruncateSync, readSync, statSync } from "node:fs";
import type { Places } from "../places.ts";
import { type Doubt, emptyHead, type Head, isUnchanged, parseLine } from "./chain.ts";
import { cutLines, listLogFiles, nameOldLog, readHead } from "./log-files.ts";

/** The longest time between a line's timestamp and the change of its file. */
const writingMs = 5000;
/** The longest time between the creation of the key and the first line. */
const firstLineMs = 60_000;

/** The actual end of the log, and what is wrong with it. */
export interface Tail {
  readonly head: Head;
  readonly doubt?: Doubt;
}

/**
 * Where the next line goes. A process that was killed before it wrote the head has left a valid line after it, which is
 * kept, or a part of one, which is cut off. If lines are missing, numbering continues after the head, so the gap stays visible.
 */
export function findTail(places: Places, descriptor: number, key: Uint8Array): Tail {
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
