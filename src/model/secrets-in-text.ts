import { findCardNumbers, type Stretch } from "./card-numbers.ts";

/** What stands in the place of a secret: nothing can be learned from it, not even how long it was. */
export const cardWord = "[card number]";
export const keyWord = "[key]";
export const passwordWord = "[password]";
/** Of a secret field's text, where it stands elsewhere. */
export const hiddenWord = "•••";
const words = /\[(?:card number|key|password)\]|•••/;
const allWords = new RegExp(words, "g");

/** The same without what stands for secrets. */
export function removeMasks(text: string): string {
  return text.includes("[") ? text.replace(allWords, "") : text;
}

interface Secret extends Stretch {
  readonly word: string;
}

/** The shapes by which those who give out keys let them be found. Each begins with letters of its own. */
const keyShapes: readonly RegExp[] = [
  // PEM (RFC 7468), OpenSSH and OpenPGP. Of one that is cut off, what is there.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----BEGIN )[\s\S])*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /^(?:(?!-----BEGIN )[\s\S])*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g,
  /PuTTY-User-Key-File-\d(?:(?!PuTTY-User-Key-File-)[\s\S])*?(?:Private-MAC: ?[0-9a-f]*|$)/g,
  /(?:AGE-SECRET-KEY-|age-secret-key-)[0-9A-Za-z]{20,}/g,
  // OpenAI, Anthropic and others; a digit tells it from words with dashes.
  /(?<![A-Za-z0-9])sk-(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{20,}/g,
  // Stripe.
  /(?<![A-Za-z0-9])[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}/g,
  /(?<![A-Za-z0-9])whsec_[A-Za-z0-9+/=]{16,}/g,
  // GitHub, GitLab.
  /gh[pousr]_[A-Za-z0-9]{20,}/g,
  /github_pat_[A-Za-z0-9_]{20,}/g,
  /gl(?:pat|oas|dt|rt|cbt|ptt|ft|soat|imt|agent)-[A-Za-z0-9_.-]{16,}/g,
  // Amazon's key ids.
  /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  // Slack.
  /xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}/g,
  /xapp-\d-[A-Za-z0-9-]{10,}/g,
  // Google.
  /AIza[A-Za-z0-9_-]{30,}/g,
  /(?<![A-Za-z0-9])GOCSPX-[A-Za-z0-9_-]{20,}/g,
  // JSON web tokens: the first part is a JSON object.
  /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*/g,
  // npm, PyPI, Hugging Face, DigitalOcean, SendGrid.
  /npm_[A-Za-z0-9]{30,}/g,
  /pypi-[A-Za-z0-9_-]{30,}/g,
  /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}/g,
  /do[opr]_v1_[0-9a-f]{32,}/g,
  /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  // What authenticator apps are set up with.
  /otpauth(?:-migration)?:\/\/\S+/gi,
];

/** The name and the password in an address (RFC 3986, userinfo). */
const credentials = /(?<=[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/:@?#[\]]*:[^\s/?#]+(?=@)/gi;

/** Nearly every text has nothing of this, and that must cost nearly nothing. */
const shortest = 13;
const maxRounds = 8;
const mayHoldSecret =
  /\d(?:[ \-\t\u00a0\u2007\u2009\u2010-\u2015\u202f]{0,2}\d){12}|-----(?:BEGIN|END) |PuTTY-User-Key-File-|AGE-SECRET-KEY-|age-secret-key-|[sr]k[-_][A-Za-z0-9_-]{10}|whsec_|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|A[KSBC][IC]A[A-Z0-9]{16}|xox[a-z]|xapp-|AIza|GOCSPX-|eyJ|npm_|pypi-|hf_|do[opr]_v1_|SG\.|:\/\/[^\s/?#]*@|[oO][tT][pP][aA][uU][tT][hH]/;
/** Characters that nobody sees, between which a number could hide. */
const invisible = /\p{Cf}/gu;

/** The text without the secrets that are known by their looks: card numbers, keys, passwords in addresses. */
export function maskSecrets(text: string): string {
  if (text.length < shortest) return text;
  return maskUnseen(mayHoldSecret.test(text) ? replaceSecrets(text) : text);
}

/** Whether something was taken out of a text. */
export function isMasked(text: string): boolean {
  return text.length >= hiddenWord.length && words.test(text);
}

const isAscii = /^[\0-\x7f]*$/;

/** A number with unseen characters in it reads as if it had none. */
function maskUnseen(text: string): string {
  if (isAscii.test(text)) return text;
  const seen = text.replace(invisible, "");
  if (seen.length === text.length || !mayHoldSecret.test(seen)) return text;
  const masked = replaceSecrets(seen);
  return masked === seen ? text : masked;
}

/** What is taken out may leave a border where there was none: then its neighbour is found the next time. */
function replaceSecrets(text: string): string {
  let before = text;
  for (let round = 0; round < maxRounds; round += 1) {
    const after = joinPart(before, 0, before.length, findSecrets(before));
    if (after === before) break;
    before = after;
  }
  return before;
}

/** A part of a text, with what stands around it: what lies across its borders is masked too, and whole. */
export function maskPart(before: string, part: string, after: string): string {
  const whole = `${before}${part}${after}`;
  if (whole.length < shortest || !mayHoldSecret.test(whole)) return maskUnseen(part);
  return maskSecrets(joinPart(whole, before.length, before.length + part.length, findSecrets(whole)));
}

function joinPart(text: string, start: number, end: number, secrets: readonly Secret[]): string {
  let result = "";
  let at = start;
  for (const secret of secrets) {
    if (secret.end <= at || secret.start >= end) continue;
    result += `${text.slice(at, Math.max(at, secret.start))}${secret.word}`;
    at = Math.min(end, secret.end);
  }
  return at >= end ? result : `${result}${text.slice(at, end)}`;
}

/** In order and apart: what lies within another, or across its border, goes with it. */
function findSecrets(text: string): Secret[] {
  const found: Secret[] = findCardNumbers(text).map((stretch) => ({ ...stretch, word: cardWord }));
  for (const shape of keyShapes) found.push(...findAll(text, shape, keyWord));
  found.push(...findAll(text, credentials, passwordWord));
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const apart: Secret[] = [];
  for (const secret of found) {
    const last = apart.at(-1);
    if (last === undefined || secret.start >= last.end) apart.push(secret);
    else if (secret.end > last.end) apart[apart.length - 1] = { ...last, end: secret.end };
  }
  return apart;
}

function findAll(text: string, shape: RegExp, word: string): Secret[] {
  return Array.from(text.matchAll(shape), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    word,
  }));
}
