import { cleanText } from "../../../model/plain-text.ts";
import { isSecretLabel } from "../../../model/secrets.ts";
import { hiddenWord } from "../../../model/secrets-in-text.ts";
import { holdsField, isLong, isWritable, type RawNode, roleNameOf } from "./nodes.ts";
import type { Extents } from "./peer.ts";

const maxLabelLength = 60;

/**
 * Marks fields as secret by the words at them: of the label beside, else of the previous sibling, else of the container,
 * else of what precedes that. Forms and pages often place the word beside a field without a relation. Runs before
 * elements are built, so that these texts can be removed from all others.
 */
export function hideSecretsInSight(
  node: RawNode,
  isKept: (child: RawNode) => boolean,
  wordsBefore = "",
  isInPage = false,
): void {
  const kept = node.children.filter(isKept);
  // A page is in reading order. Toolkits list children as they were added, GTK's grids the last one first.
  const isOrdered = isInPage || roleNameOf(node) === "document web";
  const labels = isOrdered || isLong(node) ? noLabels : findLabels(kept);
  const given = new Set(labels.values());
  kept.forEach((child, index) => {
    const previous = kept[index - 1];
    const before = labels.get(child) ?? (previous && given.has(previous) ? undefined : previous);
    const words = (before === undefined ? "" : wordsOf(before)) || wordsOf(node) || wordsBefore;
    const { details } = child;
    giveBack(child);
    const isNameless = child.name === "" && details.label === undefined;
    if (isNameless && isWritable(child) && isSecretLabel(words)) {
      details.isSecretInSight = true;
      if (details.text !== undefined) {
        details.secretText = details.text;
        details.isTextWithheld = true;
      }
      delete details.text;
    }
    hideSecretsInSight(child, isKept, words, isOrdered);
  });
}

const noLabels: ReadonlyMap<RawNode, RawNode> = new Map();
const maxGapAbove = 30;

/** The label at each field, or at what holds one, by their places: the next to the left on its line, else just above. */
function findLabels(sisters: readonly RawNode[]): ReadonlyMap<RawNode, RawNode> {
  const fields = sisters.filter((one) => isWritable(one) || holdsField(one));
  const found = new Map<RawNode, RawNode>();
  for (const field of fields) {
    const label = findBeside(field, sisters) ?? findAbove(field, sisters);
    if (label !== undefined && !fields.includes(label) && wordsOf(label) !== "") found.set(field, label);
  }
  return found;
}

function findBeside({ details }: RawNode, sisters: readonly RawNode[]): RawNode | undefined {
  const [x, y, , height] = details.extents ?? nowhere;
  const before = sisters.filter((one) => {
    const [left, top, width, high] = one.details.extents ?? nowhere;
    return width > 0 && left + width <= x && top < y + height && y < top + high;
  });
  return before.toSorted((a, b) => rightOf(b) - rightOf(a))[0];
}

function findAbove({ details }: RawNode, sisters: readonly RawNode[]): RawNode | undefined {
  const [x, y, width] = details.extents ?? nowhere;
  const above = sisters.filter((one) => {
    const [left, top, wide, high] = one.details.extents ?? nowhere;
    const gap = y - (top + high);
    return high > 0 && gap >= 0 && gap < maxGapAbove && left < x + width && x < left + wide;
  });
  return above.toSorted((a, b) => bottomOf(b) - bottomOf(a))[0];
}

const nowhere: Extents = [0, 0, 0, 0];

function rightOf({ details: { extents: [x, , width] = nowhere } }: RawNode): number {
  return x + width;
}

function bottomOf({ details: { extents: [, y, , height] = nowhere } }: RawNode): number {
  return y + height;
}

/** Recomputed each time: the words may have changed. */
function giveBack({ details }: RawNode): void {
  if (details.isSecretInSight === true) details.isSecretInSight = false;
  if (details.isTextWithheld !== true || details.secretText === undefined) return;
  details.text = details.secretText;
  details.isTextWithheld = false;
  delete details.secretText;
}

/** The element's own words; a long text is about something other than the field in it. */
function wordsOf(node: RawNode): string {
  const words = cleanText(
    holdsField(node) || node.name === "" ? (node.details.text ?? "") : node.name,
    maxLabelLength + 1,
  );
  return words.length > maxLabelLength ? "" : words;
}

/** Shorter secrets occur inside other words by chance, and removing those would garble labels. */
const minPartLength = 6;
/** A two-digit PIN is a number that occurs everywhere. */
const minWordLength = 3;
const maxSecretLength = 2000;

/** Removes the texts of secret fields from all others: browsers include a field's text in the names of its labels. */
export function makeScrubber(roots: readonly RawNode[]): (text: string) => string {
  const secrets = new Set<string>();
  const collect = (node: RawNode): void => {
    const secret = node.details.secretText === undefined ? "" : cleanText(node.details.secretText, maxSecretLength);
    if (secret.length >= minWordLength) secrets.add(secret);
    node.children.forEach(collect);
  };
  roots.forEach(collect);
  if (secrets.size === 0) return (text) => text;
  // Longest first: one may contain another.
  const sorted = [...secrets].sort((a, b) => b.length - a.length);
  return (text) => sorted.reduce(hide, text);
}

function hide(text: string, secret: string): string {
  if (secret.length >= minPartLength) return text.replaceAll(secret, hiddenWord);
  if (!text.includes(secret)) return text;
  const word = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(secret)}(?![\\p{L}\\p{N}])`, "gu");
  return text.replace(word, hiddenWord);
}
