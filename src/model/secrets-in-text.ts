import { findCardNumbers, type Stretch } from "./card-numbers.ts";

/** Replacements for secrets; they reveal nothing, not even the length. */
const cardWord = "[card number]";
export const keyWord = "[key]";
const passwordWord = "[password]";
/** Replaces a secret field's text where it appears elsewhere. */
export const hiddenWord = "•••";
const words = /\[(?:card number|key|password)\]|•••/;
const allWords = new RegExp(words, "g");

export function removeMasks(text: string): string {
  return text.includes("[") ? text.replace(allWords, "") : text;
}

interface Secret extends Stretch {
  readonly word: string;
}

/** Key formats with recognisable prefixes, as defined by their issuers. */
const keyShapes: readonly RegExp[] = [
  // PEM (RFC 7468), OpenSSH and OpenPGP; truncated keys too.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----BEGIN )[\s\S])*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /^(?:(?!-----BEGIN )[\s\S])*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g,
  /PuTTY-User-Key-File-\d(?:(?!PuTTY-User-Key-File-)[\s\S])*?(?:Private-MAC: ?[0-9a-f]*|$)/g,
  /(?:AGE-SECRET-KEY-|age-secret-key-)[0-9A-Za-z]{20,}/g,
  // OpenAI, Anthropic and others; a digit distinguishes them from hyphenated words.
  /(?<![A-Za-z0-9])sk-(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{20,}/g,
  // Stripe.
  /(?<![A-Za-z0-9])[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}/g,
  /(?<![A-Za-z0-9])whsec_[A-Za-z0-9+/=]{16,}/g,
  // GitHub, GitLab.
  /gh[pousr]_[A-Za-z0-9]{20,}/g,
  /github_pat_[A-Za-z0-9_]{20,}/g,
  /gl(?:pat|oas|dt|rt|cbt|ptt|ft|soat|imt|agent)-[A-Za-z0-9_.-]{16,}/g,
  // Amazon key ids.
  /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  // Slack.
  /xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}/g,
  /xapp-\d-[A-Za-z0-9-]{10,}/g,
  // Google.
  /AIza[A-Za-z0-9_-]{30,}/g,
  /(?<![A-Za-z0-9])GOCSPX-[A-Za-z0-9_-]{20,}/g,
  // JSON web tokens: the first part encodes a JSON object.
  /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)*/g,
  // npm, PyPI, Hugging Face, DigitalOcean, SendGrid.
  /npm_[A-Za-z0-9]{30,}/g,
  /pypi-[A-Za-z0-9_-]{30,}/g,
  /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}/g,
  /do[opr]_v1_[0-9a-f]{32,}/g,
  /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  // Set-up URLs of authenticator apps.
  /otpauth(?:-migration)?:\/\/\S+/gi,
];

/** User name and password in a URL (RFC 3986, userinfo). */
const credentials = /(?<=[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/:@?#[\]]*:[^\s/?#]+(?=@)/gi;

/** Quick check: nearly every text contains no secret. */
const shortest = 13;
const maxRounds = 8;
const mayHoldSecret =
  /\d(?:[ \-\t\u00a0\u2007\u2009\u2010-\u2015\u202f]{0,2}\d){12}|-----(?:BEGIN|END) |PuTTY-User-Key-File-|AGE-SECRET-KEY-|age-secret-key-|[sr]k[-_][A-Za-z0-9_-]{10}|whsec_|gh[pousr]_|github_pat_|gl[a-z]{2,5}-|A[KSBC][IC]A[A-Z0-9]{16}|xox[a-z]|xapp-|AIza|GOCSPX-|eyJ|npm_|pypi-|hf_|do[opr]_v1_|SG\.|:\/\/[^\s/?#]*@|[oO][tT][pP][aA][uU][tT][hH]/;
/** Invisible characters that could be hidden inside a number. */
const invisible = /\p{Cf}/gu;

/** Replaces secrets with a recognisable form: card numbers, keys, passwords in URLs. */
export function maskSecrets(text: string): string {
  if (text.length < shortest) return text;
  return maskUnseen(mayHoldSecret.test(text) ? replaceSecrets(text) : text);
}

export function isMasked(text: string): boolean {
  return text.length >= hiddenWord.length && words.test(text);
}

const isAscii = /^[\0-\x7f]*$/;

/** Invisible characters inside a number do not hide it. */
function maskUnseen(text: string): string {
  if (isAscii.test(text)) return text;
  const seen = text.replace(invisible, "");
  if (seen.length === text.length || !mayHoldSecret.test(seen)) return text;
  const masked = replaceSecrets(seen);
  return masked === seen ? text : masked;
}

/** A replacement may create a word boundary that reveals an adjacent secret: repeat until stable. */
function replaceSecrets(text: string): string {
  let before = text;
  for (let round = 0; round < maxRounds; round += 1) {
    const after = joinPart(before, 0, before.length, findSecrets(before));
    if (after === before) break;
    before = after;
  }
  return before;
}

/** Masks part of a text in context: secrets that cross its edges are masked completely. */
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

/** In order and disjoint: overlapping secrets are merged. */
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
