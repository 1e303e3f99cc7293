import { type Bounds, centreOf, intersect } from "../../model/bounds.ts";
import type { Detection } from "../../model/detection.ts";
import type { Picture } from "../../model/frame.ts";
import { cleanText } from "../../model/plain-text.ts";
import { maskPart } from "../../model/secrets-in-text.ts";
import type { Box } from "./boxes.ts";
import { findIcons, type Icon } from "./icons.ts";
import { compareReading, describeLine, joinWords, type Line, type Word } from "./words.ts";

/** Recognised words, in picture pixels. */
export interface Reading {
  readonly page: readonly Word[];
  readonly boxes: readonly { readonly box: Box; readonly words: readonly Word[] }[];
}

const maxLabelLength = 200;
const leastSure = { page: 0.5, box: 0.6 } as const;
/** Fewer letters cannot be distinguished from borders, icons or noise. */
const lettersOnPage = 2;
const letters = /[\p{L}\p{N}]/gu;
const hasLetter = /[\p{L}\p{N}]/u;
/** Of both sides together, before scaling. */
const mostPaddingPx = 8;
/** How borders, arrows and handles are misread after a text. */
const handle = /^[|_~=\-—–[\]{}<>\\]+$/;

/** Converts words to detections in screen coordinates. Labels are masked like all other texts. */
export function describeReading(reading: Reading, picture: Picture, scale: number): Detection[] {
  const boxes = reading.boxes.map(({ box, words }) => ({ box, lines: listSure(words) }));
  const highlighted = boxes.flatMap(({ box, lines }) => listHighlighted(box, lines, scale));
  const { icons, texts } = findIcons([...joinWords(reading.page), ...highlighted], picture, scale);
  const isLabel = ({ bounds }: Box): boolean =>
    highlighted.some((line) => line.highlight === bounds && !texts.includes(line));
  const found = [
    ...texts.filter(({ highlight }) => highlight === undefined).flatMap(describeText),
    ...icons.flatMap(describeIcon),
    ...boxes.filter(({ box }) => !isLabel(box)).flatMap(({ box, lines }) => describeBox(box, lines, scale)),
  ];
  const { x, y } = picture.bounds;
  const placed = found
    .map((one) => ({ ...one, bounds: { ...one.bounds, x: one.bounds.x + x, y: one.bounds.y + y } }))
    // Clipped words are unreliable, and the rest of a covered secret must not leak.
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
  return isText ? [{ role: "text", source: "ocr", label, bounds, confidence }] : [];
}

function describeIcon({ label, bounds, confidence }: Icon): Detection[] {
  const isLabel = confidence >= leastSure.page && (label.match(letters)?.length ?? 0) >= lettersOnPage;
  return isLabel ? [{ role: "icon", source: "ocr", label, bounds, confidence }] : [];
}

function listSure(words: readonly Word[]): readonly Line[] {
  return joinWords(words).filter(({ confidence }) => confidence >= leastSure.box);
}

/** The lines of a box that may be the label of a selected icon: it ends where its text does, which a button never does. */
function listHighlighted({ bounds }: Box, lines: readonly Line[], scale: number): readonly Line[] {
  const widest = Math.max(0, ...lines.map((line) => line.bounds.width));
  return bounds.width - widest <= mostPaddingPx * scale ? lines.map((line) => ({ ...line, highlight: bounds })) : [];
}

function describeBox({ bounds }: Box, lines: readonly Line[], scale: number): Detection[] {
  const [line] = lines;
  if (line === undefined || lines.length > 1 || !isButton(bounds, line.bounds, scale))
    return lines.flatMap(describeText);
  return [{ role: "button", source: "ocr", label: line.text, bounds, confidence: line.confidence }];
}

/** One line centred in an area not much larger than it. */
function isButton(box: Bounds, text: Bounds, scale: number): boolean {
  const [middle, textMiddle] = [centreOf(box), centreOf(text)];
  const isInMiddle =
    Math.abs(middle.x - textMiddle.x) <= Math.max(4 * scale, box.width / 8) &&
    Math.abs(middle.y - textMiddle.y) <= Math.max(4 * scale, box.height / 5);
  // A centred title of a bar looks the same, but the bar is much wider.
  const isFilled = box.width <= 4 * box.height || text.width >= box.width / 4;
  return isInMiddle && isFilled && box.height <= 4.5 * text.height;
}

/** A secret may span several labels or lines: each is masked in the context of the others. */
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
