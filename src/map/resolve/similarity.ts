import type { Bounds } from "../../model/bounds.ts";

/** Similarity measures, from 0 (nothing in common) to 1 (equal). */

const maxComparedLength = 300;
const maxSteps = 200;

/** A label without the parts that change on the same control: case, whitespace, trailing dots and colons. */
export function normaliseText(text: string): string {
  const folded = text
    .slice(0, 4 * maxComparedLength)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s\u00a0]+/g, " ")
    .trim();
  // A button may be called just "…".
  const bare = folded.replace(/[.:*\s…]+$/, "");
  return (bare === "" ? folded : bare).slice(0, maxComparedLength);
}

export interface PreparedText {
  readonly text: string;
  /** Without numbers: a count in a label changes, as in "Inbox (3)". */
  readonly bare: string;
  readonly words: ReadonlySet<string>;
  readonly pairs: ReadonlyMap<string, number>;
}

export function makePreparedText(given: string): PreparedText {
  const text = normaliseText(given);
  return {
    text,
    bare: text.replace(/[\d.,()]+/g, "").trim(),
    words: new Set(splitWords(text)),
    pairs: listPairs(text),
  };
}

export function compareTexts(one: PreparedText, other: PreparedText): number {
  if (one.text === other.text) return 1;
  if (one.text === "" || other.text === "") return 0;
  if (one.bare === other.bare && one.bare !== "") return 0.9;
  return 0.95 * Math.max(compareSets(one.words, other.words), comparePairs(one.pairs, other.pairs));
}

export function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Jaccard index. */
export function compareSets(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 && other.size === 0) return 1;
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let common = 0;
  for (const member of small) if (large.has(member)) common += 1;
  return common / (one.size + other.size - common);
}

/** Dice coefficient over letter pairs: tolerates a changed letter or ending. */
function comparePairs(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  let total = 0;
  for (const [pair, count] of a) {
    common += Math.min(count, b.get(pair) ?? 0);
    total += count;
  }
  for (const count of b.values()) total += count;
  return (2 * common) / total;
}

function listPairs(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Longest common subsequence, relative to the longer sequence. */
export function compareSequences(all: readonly string[], others: readonly string[]): number {
  const [one, other] = [all.slice(-maxSteps), others.slice(-maxSteps)];
  if (one.length === 0 && other.length === 0) return 1;
  let row = new Array<number>(other.length + 1).fill(0);
  for (const step of one) {
    const next = [0];
    for (let at = 0; at < other.length; at += 1) {
      next.push(step === other[at] ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) / Math.max(one.length, other.length);
}

/** 1 at the same position, 0.5 at a distance of 100 pixels. */
export function comparePlaces(one: Bounds, other: Bounds): number {
  const dx = one.x + one.width / 2 - (other.x + other.width / 2);
  const dy = one.y + one.height / 2 - (other.y + other.height / 2);
  return 100 / (100 + Math.hypot(dx, dy));
}

/** Intersection over union of the two sizes, aligned at a corner. */
export function compareSizes(one: Bounds, other: Bounds): number {
  const common = Math.min(one.width, other.width) * Math.min(one.height, other.height);
  const larger = Math.max(one.width, other.width) * Math.max(one.height, other.height);
  return larger <= 0 ? 0 : common / larger;
}

/** URLs are compared without host; equal trailing folders give partial similarity. */
export function compareAddresses(one: string, other: string): number {
  if (one === other) return 1;
  const [a, b] = [one, other].map((address) => splitAddress(address));
  if (a === undefined || b === undefined) return 0;
  if (a.folders.join("/") === b.folders.join("/") && a.folders.length > 0) return a.rest === b.rest ? 0.97 : 0.85;
  return 0.9 * compareSequences(a.folders, b.folders);
}

function splitAddress(address: string): { readonly folders: readonly string[]; readonly rest: string } {
  const [, path = "", rest = ""] = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/[^/?#]*)?([^?#]*)(.*)$/i.exec(address) ?? [];
  return { folders: path.split("/").filter((folder) => folder !== "" && folder !== "."), rest };
}
