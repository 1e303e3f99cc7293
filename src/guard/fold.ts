/**
 * Makes texts that look alike alike: letters of other scripts, accents, case, invisible characters, marks for keys. Both
 * the label and the word that is looked for go through it, so what it does to a text need not be pretty.
 */

/** A label is not a book; what is longer is cut. */
const maxLength = 20_000;

/** Single characters that pass for a letter of ours (after Unicode's own folding), upper case where the shapes differ. */
const lookAlikes = toMap([
  // Cyrillic
  ["авекмнорстухіјѕԁһԛԝӏѵ", "abekmhopctyxijsdhqwlv"],
  ["АВЕКМНОРСТУХІЈЅԀҺԚԜӀѴ", "abekmhopctyxijsdhqwlv"],
  // Greek
  ["αειικνοτυχρ", "aeiikvotuxp"],
  ["ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "abezhikmnoptyx"],
  // Armenian, Cherokee
  ["օսոհ", "ounh"],
  ["ᎠᎬᏞᎢᏚᏟᎪᏢᎳᎷᎻᏦᏙᏃᎫᏴᎡᎥ", "deltscapwmhkvzjbri"],
  // Small capitals and other Latin letters without an accent that could be taken off
  ["ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdeghijklmnoprstuvwyz"],
  ["ɑɡıɩøłđħØŁĐĦ", "agiioldholdh"],
]);

function toMap(rows: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(
    rows.flatMap(([from, to]) => {
      const letters = [...to];
      return [...from].map((letter, index) => [letter, letters[index] ?? letter] as const);
    }),
  );
}

const invisible = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const basket = /[\u{1f5d1}]/gu;

/** The ways in which a label may be read: words in small letters, one space between them. */
export function foldLabel(text: string): readonly string[] {
  const plain = text
    .slice(0, maxLength)
    .replace(basket, " trash ")
    .normalize("NFKD")
    .replace(invisible, "")
    .normalize("NFC")
    .replace(/n['’ʼ]t\b/giu, "nt");
  // A mark for a key stands within a word, or it parts two: "De_lete", "delete_file"; and so does a capital letter.
  const readings = [plain, plain.replace(/[_&]/g, ""), plain.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")];
  return [...new Set(readings.map(toWords))];
}

/** One reading of a word that is looked for. */
export function foldWord(text: string): string {
  return foldLabel(text)[0] ?? "";
}

function toWords(text: string): string {
  const alike = [...text].map((letter) => lookAlikes.get(letter) ?? letter).join("");
  const words = alike.toLowerCase().replace(/(?<=\p{L})\|(?=\p{L})/gu, "l");
  const tokens = words.match(/[\p{L}\p{N}]+/gu) ?? [];
  const folded = tokens.map(foldToken);
  const isSpaced = folded.length > 2 && folded.every((token) => [...token].length === 1);
  return folded.join(isSpaced ? "" : " ");
}

/** In most typefaces I, l and 1 are one stroke, and O and 0 one ring. */
function foldToken(token: string): string {
  const letters = [...token].map((letter) => lookAlikes.get(letter) ?? letter).join("");
  if (/^\p{N}+$/u.test(letters)) return letters;
  return letters
    .replaceAll("ß", "ss")
    .replaceAll("æ", "ae")
    .replaceAll("œ", "oe")
    .replace(/[i1]/g, "l")
    .replaceAll("0", "o");
}
