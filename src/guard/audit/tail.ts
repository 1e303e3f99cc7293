import { existsSync, fstatSync, ftruncateSync, readSync, statSync } from "node:fs";
import type { Places } from "../places.ts";
import { type Doubt, emptyHead, type Head, isWhole, parseLine } from "./chain.ts";
import { listLogFiles, nameOldLog, readHead } from "./files.ts";

/** Between the time in a line and the last touch of its file. */
const writingMs = 5000;
/** Between the making of the key and the first line. */
const firstLineMs = 60_000;
const newLine = 10;

/** How far the log really goes, and what is amiss. */
export interface Tail {
  readonly head: Head;
  readonly doubt?: Doubt;
}

/**
 * Where the next line is to be written. A process that was killed between a line and the head has left a line more, which
 * is true, or a piece of one, which is cut off. Where lines are missing the head is believed: the gap shows for ever.
 */
export function findTail(places: Places, descriptor: number, key: Uint8Array): Tail {
  const { size, ctimeMs } = fstatSync(descriptor);
  const noted = readHead(places);
  if (noted === undefined) return findHeadless(places, descriptor, key, size);
  // One that was killed just after it began a new file has left the head of the old one.
  const isNew = size < noted.bytes && existsSync(nameOldLog(places.audit, noted.n));
  const known = isNew ? { ...noted, bytes: 0 } : noted;
  if (size < known.bytes) return { head: { ...known, bytes: size } };
  const head = adoptLines(descriptor, key, known, size);
  // The system's own time of the last change cannot be set back, as a copy of an older log and head would have to.
  const isTouched = size === noted.bytes && ctimeMs > noted.atMs + writingMs;
  return isTouched ? { head, doubt: "touched" } : { head };
}

/** Without its head a log could have been cut off anywhere: it goes on from its last line, with a doubt. */
function findHeadless(places: Places, descriptor: number, key: Uint8Array, size: number): Tail {
  const head = adoptLines(descriptor, key, emptyHead, size);
  // The first line of all may be that of a process that was killed before it wrote the head.
  const isFirst = head.n <= 1 && head.bytes === size && listLogFiles(places).length <= 1;
  const isYoung = size > 0 || Date.now() - statSync(places.key).mtimeMs < firstLineMs;
  if (isFirst && isYoung) return { head };
  return { head: head.n > 0 ? head : findLastLine(descriptor, size), doubt: "headless" };
}

function adoptLines(descriptor: number, key: Uint8Array, known: Head, size: number): Head {
  if (size === known.bytes) return known;
  const tail = readPart(descriptor, known.bytes, size);
  let head = known;
  let at = 0;
  for (let end = tail.indexOf(newLine); end >= 0; at = end + 1, end = tail.indexOf(newLine, at)) {
    const text = tail.subarray(at, end);
    const line = isWhole(key, text) ? parseLine(text.toString()) : undefined;
    if (line === undefined || line.prev !== head.hash || line.n !== head.n + 1) return { ...head, bytes: size };
    head = { n: line.n, hash: line.hash, bytes: known.bytes + end + 1, atMs: Date.parse(line.at) };
  }
  if (at < tail.length) ftruncateSync(descriptor, head.bytes);
  return head;
}

function findLastLine(descriptor: number, size: number): Head {
  const bytes = readPart(descriptor, 0, size);
  const end = bytes.lastIndexOf(newLine);
  const line = end < 0 ? undefined : parseLine(bytes.toString("utf8", bytes.lastIndexOf(newLine, end - 1) + 1, end));
  const known = line === undefined ? emptyHead : { n: line.n, hash: line.hash, atMs: Date.parse(line.at) };
  return { ...emptyHead, ...known, bytes: size };
}

function readPart(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  readSync(descriptor, bytes, 0, bytes.length, from);
  return bytes;
}
