/**
 * Keysyms are X's names of key meanings (X11 protocol, "Keysym Encoding"). Latin 1 uses its code points, other
 * characters their code point plus 0x01000000; older layouts use blocks of their own for the scripts below.
 */
const unicodeOffset = 0x0100_0000;
const lastUnicode = unicodeOffset + 0x10_ffff;

/** First keysym of a block and its characters in order; a space for a gap. */
const blocks: readonly (readonly [number, string])[] = [
  [0x1a1, "Ą˘Ł ĽŚ  ŠŞŤŹ ŽŻ ą˛ł ľśˇ šşťź˝žżŔ  Ă ĹĆ Č Ę Ě  ĎĐŃŇ  Ő  ŘŮ Ű  Ţ ŕ  ă ĺć č ę ě  ďđńň  ő  řů ű  ţ˙"],
  [0x2a1, "Ħ    Ĥ  İ ĞĴ    ħ    ĥ  ı ğĵ        ĊĈ              Ġ  Ĝ    ŬŜ      ċĉ              ġ  ĝ    ŭŝ"],
  [0x3a2, "ĸŖ ĨĻ   ĒĢŦ      ŗ ĩļ   ēģŧŊ ŋĀ      Į    Ė  Ī ŅŌĶ     Ų   ŨŪ ā      į    ė  ī ņōķ     ų   ũū"],
  [
    0x4a1,
    "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜",
  ],
  [0x6a1, "ђѓёєѕіїјљњћќґўџ№ЂЃЁЄЅІЇЈЉЊЋЌҐЎЏюабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ"],
  [0x7a1, "ΆΈΉΊΪ ΌΎΫ Ώ  ΅― άέήίϊΐόύϋΰώ     ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣ ΤΥΦΧΨΩ       αβγδεζηθικλμνξοπρσςτυφχψω"],
  [0x8bc, "≤≠≥∫∴∝∞  ∇  ∼≃   ⇔⇒≡      √   ⊂⊃∩∪∧∨               ∂      ƒ    ←↑→↓"],
  [0xaa9, "—–   …‥⅓⅔⅕⅖⅗⅘⅙⅚℅  ‒       ⅛⅜⅝⅞  ™      ‘’“”℞‰′″ ✝                  ♣♦♥ ✠†‡✓✗♯♭♂♀☎⌕℗‸‚„"],
  [0x13bc, "ŒœŸ"],
];

/** First keysym, first code point and length of blocks in Unicode order: Arabic, Hebrew, Thai, currencies. */
const runs: readonly (readonly [number, number, number])[] = [
  [0x5c1, 0x0621, 26],
  [0x5e0, 0x0640, 19],
  [0xce0, 0x05d0, 27],
  [0xda1, 0x0e01, 58],
  [0xddf, 0x0e3f, 15],
  [0xdf0, 0x0e50, 10],
  [0x20a0, 0x20a0, 13],
];

const blockCharacters: ReadonlyMap<number, string> = new Map([
  ...blocks.flatMap(([first, text]) =>
    [...text].flatMap((character, index): [number, string][] =>
      character === " " ? [] : [[first + index, character]],
    ),
  ),
  ...runs.flatMap(([first, codePoint, count]) =>
    Array.from({ length: count }, (_, index): [number, string] => [
      first + index,
      String.fromCodePoint(codePoint + index),
    ]),
  ),
]);

/** The character a keysym types; undefined for keys such as Return or a dead accent. */
export function characterOf(keysym: number): string | undefined {
  if ((keysym >= 0x20 && keysym <= 0x7e) || (keysym >= 0xa0 && keysym <= 0xff)) return String.fromCodePoint(keysym);
  if (keysym >= unicodeOffset + 0x100 && keysym <= lastUnicode) return String.fromCodePoint(keysym - unicodeOffset);
  return blockCharacters.get(keysym);
}

/** The keysym of a character that every application knows. */
export function keysymOf(character: string): number {
  const named = keysymOfName(textKeys[character] ?? "");
  if (named !== undefined) return named;
  const codePoint = character.codePointAt(0) ?? 0;
  return codePoint < 0x100 ? codePoint : unicodeOffset + codePoint;
}

/** Control characters that are keys. */
const textKeys: Readonly<Record<string, string>> = { "\n": "Return", "\t": "Tab" };

export const escapeKeysym = 0xff1b;

const keysyms: Readonly<Record<string, number>> = {
  BackSpace: 0xff08,
  Tab: 0xff09,
  Return: 0xff0d,
  Pause: 0xff13,
  Scroll_Lock: 0xff14,
  Escape: escapeKeysym,
  Home: 0xff50,
  Left: 0xff51,
  Up: 0xff52,
  Right: 0xff53,
  Down: 0xff54,
  Page_Up: 0xff55,
  Page_Down: 0xff56,
  End: 0xff57,
  Print: 0xff61,
  Insert: 0xff63,
  Menu: 0xff67,
  Num_Lock: 0xff7f,
  KP_Enter: 0xff8d,
  KP_Home: 0xff95,
  KP_Left: 0xff96,
  KP_Up: 0xff97,
  KP_Right: 0xff98,
  KP_Down: 0xff99,
  KP_Page_Up: 0xff9a,
  KP_Page_Down: 0xff9b,
  KP_End: 0xff9c,
  KP_Insert: 0xff9e,
  KP_Delete: 0xff9f,
  KP_Multiply: 0xffaa,
  KP_Add: 0xffab,
  KP_Subtract: 0xffad,
  KP_Decimal: 0xffae,
  KP_Divide: 0xffaf,
  Shift_L: 0xffe1,
  Shift_R: 0xffe2,
  Control_L: 0xffe3,
  Control_R: 0xffe4,
  Caps_Lock: 0xffe5,
  Alt_L: 0xffe9,
  Alt_R: 0xffea,
  Super_L: 0xffeb,
  Super_R: 0xffec,
  Delete: 0xffff,
  ISO_Level3_Shift: 0xfe03,
  ISO_Level5_Shift: 0xfe11,
  Mode_switch: 0xff7e,
};
const firstFunctionKey = 0xffbe;
const firstKeypadDigit = 0xffb0;

/** A keysym by its X name; undefined for an unknown one. */
export function keysymOfName(name: string): number | undefined {
  const functionKey = /^F(\d{1,2})$/.exec(name)?.[1];
  if (functionKey !== undefined) return firstFunctionKey + Number(functionKey) - 1;
  const digit = /^KP_(\d)$/.exec(name)?.[1];
  return digit === undefined ? keysyms[name] : firstKeypadDigit + Number(digit);
}

const namesByKeysym: ReadonlyMap<number, string> = new Map([
  ...Object.entries(keysyms).map(([name, keysym]): [number, string] => [keysym, name]),
  ...Array.from({ length: 24 }, (_, index): [number, string] => [firstFunctionKey + index, `F${index + 1}`]),
  ...Array.from({ length: 10 }, (_, index): [number, string] => [firstKeypadDigit + index, `KP_${index}`]),
  // Shift and Tab: another key to X, the same to everybody else.
  [0xfe20, "Tab"],
]);

/** The name of a key as combinations have it: an X name, or its character; undefined for keys that Deskmap cannot press. */
export function nameOfKeysym(keysym: number): string | undefined {
  return namesByKeysym.get(keysym) ?? characterOf(keysym);
}

const keypadTexts: Readonly<Record<string, string>> = {
  KP_Multiply: "*",
  KP_Add: "+",
  KP_Subtract: "-",
  KP_Decimal: ".",
  KP_Divide: "/",
};

/** What a key types, if it types a text. */
export function textOfKeysym(keysym: number): string | undefined {
  const name = namesByKeysym.get(keysym);
  if (name === undefined) return characterOf(keysym);
  return keypadTexts[name] ?? /^KP_(\d)$/.exec(name)?.[1];
}
