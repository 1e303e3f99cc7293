import { type Bounds, centreOf, intersect } from "../model/bounds.ts";
import type { Detection } from "../model/detection.ts";
import type { Picture } from "../model/frame.ts";
import { cleanText } from "../model/plain-text.ts";
import { maskPart } from "../model/secrets-in-text.ts";
import type { Box } from "./boxes.ts";
import { compareReading, describeLine, joinWords, type Line, type Word } from "./words.ts";

/** What was read in a picture, in its pixels. */
export interface Reading {
  /** What stands in no box. */
  readonly page: readonly Word[];
  /** For each box what stands in it. */
  readonly boxes: readonly { readonly box: Box; readonly words: readonly Word[] }[];
}

const maxLabelLength = 200;
const leastSure = { page: 0.5, box: 0.6 } as const;
/** What is not told from a border, an icon or dirt by a letter or a digit. */
const lettersOnPage = 2;
const letters = /[\p{L}\p{N}]/gu;
const hasLetter = /[\p{L}\p{N}]/u;
/** What borders, arrows and handles are read as, after a text. */
const handle = /^[|_~=\-—–[\]{}<>\\]+$/;

/** What was read, as things with a place on the screen. No label holds a secret that is known by its looks. */
export function describeReading(reading: Reading, picture: Picture, scale: number): Detection[] {
  const found = [
    ...joinWords(reading.page).flatMap(describeText),
    ...reading.boxes.flatMap(({ box, words }) => describeBox(box, words, scale)),
  ];
  const { x, y } = picture.bounds;
  const placed = found
    .map((one) => ({ ...one, bounds: { ...one.bounds, x: one.bounds.x + x, y: one.bounds.y + y } }))
    // A cut word is no word, and what is left of a covered secret is nobody's to know.
    .filter(({ bounds }) => !(picture.covered ?? []).some((part) => intersect(part.bounds, bounds) !== undefined))
    .sort((a, b) => compareReading(a.bounds, b.bounds));
  return maskLabels(placed).filter(({ label }) => label !== "");
}

function describeText(line: Line): Detection[] {
  const first = line.words.findIndex(({ text }) => hasLetter.test(text));
  const last = line.words.findLastIndex(({ text }) => !handle.test(text));
  if (first === -1 || last < first) return [];
  const { text: label, confidence, bounds } = describeLine(line.words.slice(first, last + 1));
  const isText = confidence >= leastSure.page && (label.match(letters)?.length ?? 0) >= lettersOnPage;
  return isText ? [{ role: "text", label, bounds, confidence }] : [];
}

function describeBox({ bounds }: Box, words: readonly Word[], scale: number): Detection[] {
  const lines = joinWords(words).filter(({ confidence }) => confidence >= leastSure.box);
  const [line] = lines;
  if (line === undefined || lines.length > 1 || !isButton(bounds, line.bounds, scale))
    return lines.flatMap(describeText);
  return [{ role: "button", label: line.text, bounds, confidence: line.confidence }];
}

/** One line in the middle of an area that is not much larger than it. */
function isButton(box: Bounds, text: Bounds, scale: number): boolean {
  const [middle, textMiddle] = [centreOf(box), centreOf(text)];
  const isInMiddle =
    Math.abs(middle.x - textMiddle.x) <= Math.max(4 * scale, box.width / 8) &&
    Math.abs(middle.y - textMiddle.y) <= Math.max(4 * scale, box.height / 5);
  // A title in the middle of a bar looks the same, only that the bar is far wider.
  const isFilled = box.width <= 4 * box.height || text.width >= box.width / 4;
  return isInMiddle && isFilled && box.height <= 4.5 * text.height;
}

/** A secret may stand in several labels, or go on in the next line: each is masked with all others around it. */
function maskLabels(detections: readonly Detection[]): Detection[] {
  const ends: number[] = [];
  let whole = "";
  for (const [at, { label, bounds }] of detections.entries()) {
    const before = detections[at - 1]?.bounds;
    const isSameLine = before !== undefined && Math.abs(before.y - bounds.y) * 2 < before.height;
    whole += `${at === 0 ? "" : isSameLine ? " " : "\n"}${label}`;
    ends.push(whole.length);
  }
  return detections.map((one, at) => {
    const end = ends[at] ?? 0;
    const start = end - one.label.length;
    return { ...one, label: cleanText(maskPart(whole.slice(0, start), one.label, whole.slice(end)), maxLabelLength) };
  });
}
