/**
 * Makes texts that look alike alike: letters of other scripts, accents, case, invisible characters, marks for keys. Both
 * the label and the word that is looked for go through it, so what it does to a text need not be pretty.
 */

/** A label is not a book; what is longer is cut. */
const maxLength = 20_000;

/** Characters that pass for a letter of ours (after Unicode's own folding), upper case where the shapes differ. */
const lookAlikes = new Map(
  [
    // Cyrillic
    ["авекмнорстухіјѕԁһԛԝӏѵєүԍѡ", "abekmhopctyxijsdhqwlveygw"],
    ["АВЕКМНОРСТУХІЈЅԀҺԚԜӀѴЄҮԌѠ", "abekmhopctyxijsdhqwlveygw"],
    // Greek
    ["αειικνοτυχργϲϳω", "aeiikvotuxpycjw"],
    ["ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "abezhikmnoptyxc"],
    // Armenian, Cherokee, Lisu, Coptic
    ["օսոհցԁ", "ounhgd"],
    ["ᎠᎬᏞᎢᏚᏟᎪᏢᎳᎷᎻᏦᏙᏃᎫᏴᎡᎥᎪᏒᏀ", "deltscapwmhkvzjbriarg"],
    ["ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "bpdtgkjczfmnlsrvhwxyaeiou"],
    ["ⲁⲃⲉⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭⲇ", "abehikmnopctyxd"],
    // Small capitals and other Latin letters without an accent that could be taken off
    ["ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdeghijklmnoprstuvwyz"],
    ["ɑɡıɩøłđħØŁĐĦ", "agiioldholdh"],
    ["ÐðɖƉɗƊƌƒɛƐɠŋƞɲŧƫʈƭʋƴʐƶʂƨɨɫƚǀȼɇɍɏʉɵ", "dddddddfeegnnnttttvyzzssilllceryuo"],
  ].flatMap(([from = "", to = ""]) => [...from].map((letter, index) => [letter, to[index] ?? letter] as const)),
);
const alike = new RegExp(`[${[...lookAlikes.keys()].join("")}]`, "g");
/** Nearly every label: the costly half of the work is for the others. */
const ascii = /^[\t\n\x20-\x7e]*$/;

/** The ways in which a label may be read: words in small letters, one space between them. */
export function foldLabel(text: string): readonly string[] {
  const plain = strip(text.slice(0, maxLength));
  const readings = [
    plain,
    // A mark for a key stands within a word, or it parts two: "De_lete", "delete_file"; and so does a capital letter.
    plain.replace(/[_&]/g, ""),
    plain.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"),
    // So do these, in "log-out" and in "de-lete".
    plain.replace(/(?<=\p{L})[-.·•'’‑](?=\p{L})/gu, ""),
  ];
  return [...new Set([...new Set(readings)].map((reading) => joinSpaced(toWords(reading))))];
}

const signs: Readonly<Record<string, string>> = { "@": "a", "€": "e", "3": "e", $: "s" };

/** One reading of a text of many lines, line by line. */
export function foldLines(text: string): string {
  return toWords(strip(text));
}

function strip(text: string): string {
  const seen = ascii.test(text)
    ? text
    : text
        .replaceAll("\u{1f5d1}", " trash ")
        .replace(boxedLetters, (letter) => nameBoxed(letter))
        .normalize("NFKD")
        .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, "")
        .normalize("NFC");
  return seen.replace(/n['’ʼ]t\b/gi, "nt");
}

/** Letters in black rings and boxes, and those that flags are made of; Unicode itself takes the others for letters. */
const boxedLetters = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;
const firstBoxed = [0x1f1e6, 0x1f170, 0x1f150];

function nameBoxed(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  const first = firstBoxed.find((one) => code >= one) ?? code;
  return String.fromCharCode(0x61 + code - first);
}

/** Line breaks stay. */
function toWords(text: string): string {
  return (
    text
      .replace(alike, (letter) => lookAlikes.get(letter) ?? letter)
      .toLowerCase()
      .replaceAll("ß", "ss")
      .replaceAll("æ", "ae")
      .replaceAll("œ", "oe")
      .replace(/(?<=\p{L})\|(?=\p{L})/gu, "l")
      .replace(/(?<=\p{L})[@€3$](?=\p{L})|^[$](?=\p{L}{2})/gmu, (sign) => signs[sign] ?? sign)
      .replace(/[^\p{L}\p{N}\n]+/gu, " ")
      .replace(/^ | $/gm, "")
      // In most typefaces I, l and 1 are one stroke, and O and 0 one ring.
      .replaceAll("i", "l")
      .replace(/(?<=\p{L})[01]|[01](?=\p{L})/gu, (digit) => (digit === "1" ? "l" : "o"))
  );
}

/** "D e l e t e" */
function joinSpaced(words: string): string {
  const tokens = words.replaceAll("\n", " ").split(" ");
  return tokens.join(tokens.length > 2 && tokens.every((token) => [...token].length === 1) ? "" : " ");
}
