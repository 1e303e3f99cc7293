import { foldLines } from "./fold.ts";

/** Stands, as a word of its own, before a phrase that counts only where it is all that a label says. */
const wholeWord = "qqq";

/**
 * Phrases, folded as labels are, one in each line of one text: to look there is quicker than to make a thing of each, and
 * every command that acts does it once.
 */
export class PhraseTable {
  private constructor(private readonly lines: string) {}

  /** Folds several tables at once. Each line of theirs may begin with the two letters of its language. */
  static fold(texts: readonly string[]): readonly PhraseTable[] {
    const joined = texts
      .map((text) => text.trim().replace(/^[a-z]{2} (?=\S)/gm, ""))
      .join("\n\n")
      .replace(/, */g, "\n")
      .replaceAll("=", `${wholeWord} `);
    return foldLines(joined)
      .split("\n\n")
      .map((lines) => new PhraseTable(`\n${lines}\n`));
  }

  has(phrase: string): boolean {
    return this.lines.includes(`\n${phrase}\n`);
  }

  /** The phrases that stand in a row of words from one of them on; the longest first. */
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

  /** The phrases of scripts that are written without spaces. */
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

/** Hangul, kana, Han. By their ranges: to ask for a script by its name costs some milliseconds at first. */
const unspaced =
  /[\u1100-\u11ff\u2e80-\u2fdf\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff]/;

export function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}
