/**
 * Folds texts that look alike into one: letters of other scripts, accents, case, invisible characters, mnemonics. Labels
 * and phrases are folded alike, so the result need not be readable.
 */

const maxLength = 20_000;

/** Characters that look like a Latin letter (after NFKD), in both cases where they differ. */
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
    // Small capitals, and Latin letters whose accents NFKD does not remove
    ["ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdeghijklmnoprstuvwyz"],
    ["ɑɡıɩøłđħØŁĐĦ", "agiioldholdh"],
    ["ÐðɖƉɗƊƌƒɛƐɠŋƞɲŧƫʈƭʋƴʐƶʂƨɨɫƚǀȼɇɍɏʉɵ", "dddddddfeegnnnttttvyzzssilllceryuo"],
  ].flatMap(([from = "", to = ""]) => [...from].map((letter, index) => [letter, to[index] ?? letter] as const)),
);
const alike = new RegExp(`[${[...lookAlikes.keys()].join("")}]`, "g");
/** Nearly every label; only others need the costly part. */
const ascii = /^[\t\n\x20-\x7e]*$/;

/** The possible readings of a label: words in lower case, separated by one space. */
export function foldLabel(text: string): readonly string[] {
  const plain = strip(text.slice(0, maxLength));
  const readings = [
    plain,
    // A mnemonic marker is within a word or separates two: "De_lete", "delete_file"; likewise a capital letter.
    plain.replace(/[_&]/g, ""),
    plain.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2"),
    // So are these, in "log-out" and in "de-lete".
    plain.replace(/(?<=\p{L})[-.·•'’‑](?=\p{L})/gu, ""),
  ];
  return [...new Set([...new Set(readings)].map((reading) => joinSpaced(toWords(reading))))];
}

const signs: Readonly<Record<string, string>> = { "@": "a", "€": "e", "3": "e", $: "s" };

/** One reading of each line. */
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

/** Letters in black circles and boxes, and regional indicators; NFKD folds the other enclosed letters. */
const boxedLetters = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;
const firstBoxed = [0x1f1e6, 0x1f170, 0x1f150];

function nameBoxed(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  const first = firstBoxed.find((one) => code >= one) ?? code;
  return String.fromCharCode(0x61 + code - first);
}

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
      // In most typefaces I, l and 1 look alike, and so do O and 0.
      .replaceAll("i", "l")
      .replace(/(?<=\p{L})[01]|[01](?=\p{L})/gu, (digit) => (digit === "1" ? "l" : "o"))
  );
}

/** "D e l e t e" */
function joinSpaced(words: string): string {
  const tokens = words.replaceAll("\n", " ").split(" ");
  return tokens.join(tokens.length > 2 && tokens.every((token) => [...token].length === 1) ? "" : " ");
}
