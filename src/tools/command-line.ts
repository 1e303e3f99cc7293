import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { readInput } from "./arguments.ts";
import type { Tool } from "./define.ts";
import { listOptions } from "./options.ts";

/** A part of a word: in single quotes as it is, in double quotes with \\" and \\\\, bare with any character after a backslash. */
const part = /'([^']*)'|"((?:[^"\\]|\\.)*)"|((?:[^\s'"\\]|\\.)+)/gsy;

/** Splits a line into words, as a shell does. */
export function splitWords(line: string): Result<readonly string[]> {
  const words: string[] = [];
  for (let at = 0; at < line.length; ) {
    const space = /\s*/y;
    space.lastIndex = at;
    at += space.exec(line)?.[0].length ?? 0;
    if (at >= line.length) break;
    let word = "";
    while (at < line.length && !/\s/.test(line.charAt(at))) {
      part.lastIndex = at;
      const match = part.exec(line);
      if (match === null)
        return fail(describeUsage(`a quote ${line.charAt(at)} is not closed`, "close it on the same line."));
      const [whole, single, double, bare] = match;
      word += single ?? double?.replaceAll(/\\(["\\])/g, "$1") ?? bare?.replaceAll(/\\(.)/gs, "$1") ?? "";
      at += whole.length;
    }
    words.push(word);
  }
  return succeed(words);
}

/** The input of a tool, from the words after its name. */
export function readWords(tool: Tool, words: readonly string[]): Result<Record<string, unknown>> {
  const options = listOptions(tool);
  const values: Record<string, unknown> = {};
  const plain: string[] = [];
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [flag = "", attached] = word.startsWith("--") ? splitFlag(word) : [];
    const option = options.find((one) => !one.isWord && one.flag === flag);
    if (!word.startsWith("--")) plain.push(word);
    else if (option === undefined)
      return fail(describeUsage(`${tool.name} has no option ${flag}`, `deskmap ${tool.name} --help`));
    else if (option.type === "boolean") values[option.field] = true;
    else {
      const value = attached ?? left.shift();
      if (value === undefined) return fail(describeUsage(`${flag} needs a value`, `deskmap ${tool.name} --help`));
      values[option.field] = value;
    }
  }
  const fields = options.filter(({ isWord }) => isWord);
  const taken = fields.map((_, index) => (index === fields.length - 1 ? plain.slice(index) : plain[index]));
  if (fields.length === 0 && plain.length > 0) {
    return fail(
      describeUsage(`${tool.name} takes no plain words such as "${plain[0]}"`, `deskmap ${tool.name} --help`),
    );
  }
  return succeed(readInput(options, values, taken));
}

function splitFlag(word: string): [string, string | undefined] {
  const at = word.indexOf("=");
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}
