import { type Failure, nothingDone } from "../../../model/failure.ts";

/** Control characters except line feed and tab, and lone surrogates: no key types them. */
const untypable = /[^\P{Cc}\n\t]|\p{Cs}/u;

/** The position of a character that cannot be typed; the text is not repeated, since it may be secret. */
export function checkText(text: string): Failure | undefined {
  const characters = [...text];
  const at = characters.findIndex((character) => untypable.test(character));
  if (at < 0) return undefined;
  const codePoint = characters[at]?.codePointAt(0) ?? 0;
  const isHalf = codePoint >= 0xd800 && codePoint <= 0xdfff;
  const code = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  const kind = isHalf ? "half of a character (a lone surrogate)" : "a control character";
  return {
    code: "USAGE",
    message: `character ${at + 1} of ${characters.length} is ${kind}, ${code}, which no key types`,
    suggestion: isHalf
      ? "give the text as whole Unicode characters."
      : "leave it out; line feed types Return, tab types Tab, and other keys are pressed by their names.",
    done: nothingDone,
  };
}
