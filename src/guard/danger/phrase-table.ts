import { foldLines } from "./fold.ts";

/** Precedes a phrase that counts only if it is the whole label. */
const wholeWord = "qqq";

/** Folded phrases, one per line of one string: searching it is quicker than building a set, which every command would do. */
export class PhraseTable {
  private constructor(private readonly lines: string) {}

  /**
   * Folds several tables at once, which is quicker, and returns them by name; an unknown one is empty. A line may begin
   * with the two letters of its language.
   */
  static fold<Name extends string>(texts: Readonly<Partial<Record<Name, string>>>): (name: Name) => PhraseTable {
    const names = Object.keys(texts);
    const joined = Object.values<string | undefined>(texts)
      .map((text = "") => text.trim().replace(/^[a-z]{2} (?=\S)/gm, ""))
      .join("\n\n")
      .replace(/, */g, "\n")
      .replaceAll("=", `${wholeWord} `);
    const folded = foldLines(joined).split("\n\n");
    const tables = new Map(folded.map((lines, index) => [names[index], new PhraseTable(`\n${lines}\n`)]));
    return (name) => tables.get(name) ?? empty;
  }

  has(phrase: string): boolean {
    return this.lines.includes(`\n${phrase}\n`);
  }

  /** The phrases that begin at one of some words, longest first. */
  findAt(tokens: readonly string[], index: number, isWhole = false): readonly (readonly string[])[] {
    const start = `\n${isWhole ? `${wholeWord} ` : ""}${tokens[index]}`;
    const found: (readonly string[])[] = [];
    for (let at = this.lines.indexOf(start); at >= 0; at = this.lines.indexOf(start, at + 1)) {
      const line = this.lines.slice(at + 1, this.lines.indexOf("\n", at + 1));
      const words = line.split(" ").slice(isWhole ? 1 : 0);
      if (words.every((word, offset) => tokens[index + offset] === word)) found.push(words);
    }
    return found.toSorted((a, b) => b.length - a.length);
  }

  /** The phrases in scripts without spaces. */
  listUnspaced(): readonly { readonly text: string; readonly isWhole: boolean }[] {
    return this.lines
      .split("\n")
      .filter(isUnspaced)
      .map((line) => {
        const isWhole = line.startsWith(`${wholeWord} `);
        return { text: line.slice(isWhole ? wholeWord.length : 0).replaceAll(" ", ""), isWhole };
      });
  }
}

const empty = PhraseTable.fold({ none: "" })("none");

/** Hangul, kana, Han. By ranges: \p{Script} takes some milliseconds at first use. */
const unspaced =
  /[\u1100-\u11ff\u2e80-\u2fdf\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff]/;

export function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}
