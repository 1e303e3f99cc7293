/** A range of a text, in UTF-16 units; `end` is exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Between two digits of one number: spaces and dashes of any kind. */
const gap = "[ \\-\\t\\u00a0\\u2007\\u2009\\u2010-\\u2015\\u202f]{1,2}";
/**
 * Groups of digits that may be one number. Next to a letter they are part of an id or hash. A plus sign starts an E.164
 * telephone number of at most 15 digits.
 */
const runs = new RegExp(`(?<![0-9A-Za-z_])\\d+(?:${gap}\\d+)*(?![0-9A-Za-z_])`, "g");
const groups = /\d+/g;
const [leastDigits, mostDigits, mostPhoneDigits] = [13, 19, 15];

/** Card number prefixes and lengths (ISO/IEC 7812, issuers' pages). */
const issuers: readonly { readonly name: string; readonly first: RegExp; readonly lengths: readonly number[] }[] = [
  { name: "Visa", first: /^4/, lengths: [13, 16, 18, 19] },
  { name: "Mastercard", first: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { name: "American Express", first: /^3[47]/, lengths: [15] },
  { name: "Discover", first: /^(6011|64[4-9]|65)/, lengths: [16, 17, 18, 19] },
  { name: "Diners Club", first: /^(30[0-5]|3095|36|38|39)/, lengths: [14, 16, 17, 18, 19] },
  { name: "JCB", first: /^35(2[89]|[3-8])/, lengths: [16, 17, 18, 19] },
  { name: "UnionPay", first: /^(62|81)/, lengths: [16, 17, 18, 19] },
  { name: "Maestro", first: /^(50(18|20|38)|5[678]|6304|67)/, lengths: [13, 14, 15, 16, 17, 18, 19] },
  { name: "Mir", first: /^220[0-4]/, lengths: [16, 17, 18, 19] },
  { name: "RuPay", first: /^(60|82|508)/, lengths: [16] },
];

export function findCardNumbers(text: string): Stretch[] {
  const found: Stretch[] = [];
  for (const run of text.matchAll(runs)) {
    const parts = [...run[0].matchAll(groups)].map((part) => ({ digits: part[0], at: run.index + part.index }));
    const isCalled = text[run.index - 1] === "+";
    for (let first = 0; first < parts.length; ) {
      const last = findLast(parts, first, isCalled && first === 0);
      const [begin, end] = [parts[first], last === undefined ? undefined : parts[last]];
      if (begin !== undefined && end !== undefined) found.push({ start: begin.at, end: end.at + end.digits.length });
      first = (last ?? first) + 1;
    }
  }
  return found;
}

interface Part {
  readonly digits: string;
  readonly at: number;
}

/** The last group of a card number that starts here; the longest match. */
function findLast(parts: readonly Part[], first: number, isCalled: boolean): number | undefined {
  let digits = "";
  let found: number | undefined;
  for (let last = first; last < parts.length; last += 1) {
    digits += parts[last]?.digits ?? "";
    if (digits.length > mostDigits) break;
    const isPhone = isCalled && digits.length <= mostPhoneDigits;
    const sizes = (): number[] => parts.slice(first, last + 1).map((part) => part.digits.length);
    if (!isPhone && isCardNumber(digits) && isUsualGrouping(sizes())) found = last;
  }
  return found;
}

function isCardNumber(digits: string): boolean {
  if (digits.length < leastDigits) return false;
  const isGivenOut = issuers.some(({ first, lengths }) => lengths.includes(digits.length) && first.test(digits));
  return isGivenOut && passesLuhn(digits);
}

/** As printed and typed on cards; other groupings are tables of numbers. */
function isUsualGrouping(sizes: readonly number[]): boolean {
  const [size = 0] = sizes;
  const last = sizes.at(-1) ?? 0;
  const isEven = sizes.slice(0, -1).every((one) => one === size) && last <= size;
  const isOther = ["4,6,5", "4,6,4", "4,4,5", "6,13", "4,4,4,5", "4,4,4,6", "4,4,4,7"].includes(sizes.join());
  return isEven || isOther;
}

/** ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    const weighed = at % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}
