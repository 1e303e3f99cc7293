import { cleanText } from "../../../model/plain-text.ts";
import { isSecretLabel } from "../../../model/secrets.ts";
import { hiddenWord } from "../../../model/secrets-in-text.ts";
import { holdsField, isWritable, type RawNode } from "./nodes.ts";

const maxLabelLength = 60;

/**
 * Marks fields as secret by the words before them: of the previous sibling, else of the container, else of what
 * precedes that. Pages often place the word beside a field without a relation. Runs before elements are built, so that
 * these texts can be removed from all others.
 */
export function hideSecretsInSight(node: RawNode, isKept: (child: RawNode) => boolean, wordsBefore = ""): void {
  const kept = node.children.filter(isKept);
  kept.forEach((child, index) => {
    const before = kept[index - 1];
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
    hideSecretsInSight(child, isKept, words);
  });
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
