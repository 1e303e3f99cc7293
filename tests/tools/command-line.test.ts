import { describe, expect, test } from "bun:test";
import { click } from "../../src/tools/click.ts";
import { readWords, splitWords } from "../../src/tools/steps.ts";
import { type } from "../../src/tools/type.ts";
import { fc } from "../property.ts";

function split(line: string): readonly string[] {
  const words = splitWords(line);
  if (!words.ok) throw new Error(words.failure.message);
  return words.value;
}

describe("the words of a line", () => {
  test("are split as in a shell", () => {
    expect(split("click save --app mousepad")).toEqual(["click", "save", "--app", "mousepad"]);
    expect(split(`type "two words" 'and "more"' it\\'s`)).toEqual(["type", "two words", 'and "more"', "it's"]);
    expect(split('type "a \\"quoted\\" word" ""')).toEqual(["type", 'a "quoted" word', ""]);
    expect(split('one"and the same"word')).toEqual(["oneand the sameword"]);
    expect(split("   ")).toEqual([]);
  });

  test("in an unterminated quote are refused", () => {
    const words = splitWords('type "never');
    expect(words).toMatchObject({ ok: false, failure: { code: "USAGE", message: 'a quote " is not closed' } });
  });

  test("survive single quoting, whatever they are", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
        expect(split(line)).toEqual(words);
      }),
    );
  });
});

describe("the input of a tool from a line", () => {
  test("is the same as from the command line", () => {
    expect(readWords(click, ["save", "as", "--app", "mousepad", "--double"])).toEqual({
      ok: true,
      value: { words: "save as", app: "mousepad", double: true },
    });
    expect(readWords(click, ["--id=12"])).toEqual({ ok: true, value: { id: 12 } });
    expect(readWords(type, ["", "--id", "7"])).toEqual({ ok: true, value: { words: "", id: 7 } });
    expect(readWords(click, ["--double=false", "--no-dry-run"])).toEqual({
      ok: true,
      value: { double: false, dryRun: false },
    });
  });

  test("is refused where an option is unknown or lacks its value", () => {
    expect(readWords(click, ["--what"])).toMatchObject({
      ok: false,
      failure: { message: "click has no option --what" },
    });
    expect(readWords(click, ["--double=yes"])).toMatchObject({
      ok: false,
      failure: { message: '--double takes true or false, not "yes"' },
    });
    expect(readWords(click, ["--id"])).toMatchObject({ ok: false, failure: { message: "--id needs a value" } });
  });
});
