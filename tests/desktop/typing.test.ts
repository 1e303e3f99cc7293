import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseCombo } from "../../src/find/combo.ts";
import type { InputCommand } from "../../src/model/command.ts";
import { casesOf } from "../tier.ts";
import {
  compareKeyboards,
  type Field,
  type FieldName,
  fieldNames,
  openField,
  openInput,
  readHeld,
  readKeyboard,
} from "./input-scene.ts";
import { type Scene, waitFor } from "./scene.ts";

/** Letters of every tested layout, letters of none, doubled and composed ones, and ones on hidden levels. */
const lines = [
  "Grüße äöüÄÖÜß€ àéèçù ÀÉÈÇÙ ñ Łódź",
  "Съешь ещё этих мягких французских булок, Ё",
  "日本語テキスト中文字 한국어 ΑΒγδ עברית ไทย",
  "😀🎉👍🏽👩‍💻 e\u0301a\u0308\u0323 ééé 😀😀 ßßß ффф",
  "aAbB zZyY qQwW mM 0123456789 \"'`^~@#{}[]|\\<>/?!$%&()*+-=_;:,.",
  "“quoted” «ainsi» — … № ẞ x",
];
const sentence = `${lines.join("\n")}\n`;

const conditions: readonly { readonly name: string; prepare(scene: Scene): void }[] = [
  { name: "us", prepare: (scene) => setLayout(scene, "us") },
  { name: "de", prepare: (scene) => setLayout(scene, "de") },
  { name: "fr", prepare: (scene) => setLayout(scene, "fr") },
  { name: "ru", prepare: (scene) => setLayout(scene, "ru") },
  {
    name: "us with Caps Lock and Num Lock on",
    prepare(scene) {
      setLayout(scene, "us");
      scene.run("xdotool", "key", "Caps_Lock", "key", "Num_Lock");
      expect(scene.run("xset", "q").stdout).toMatch(/Caps Lock: +on .*Num Lock: +on/);
    },
  },
  {
    name: "us,ru in its second group, with Caps Lock on",
    prepare(scene) {
      scene.run("xdotool", "key", "Num_Lock");
      setLayout(scene, "us,ru");
      expect(readHeld(scene, "group", "1")).toContain("group 1 locked group 1 mods 2");
    },
  },
];

const onceIn: readonly FieldName[] = ["mousepad", "xterm"];
const otherFields = fieldNames.filter((name) => !onceIn.includes(name));

function setLayout(scene: Scene, layout: string, ...options: string[]): void {
  const { status, stderr } = scene.run("setxkbmap", layout, ...options);
  if (status !== 0) throw new Error(stderr);
}

for (const name of casesOf(onceIn, otherFields)) {
  describe(`text typed into ${name}`, () => {
    let field: Field;
    let hands: Awaited<ReturnType<typeof openInput>>;
    beforeAll(async () => {
      field = await openField(name);
      hands = await openInput(field.scene);
    });
    afterAll(async () => {
      hands.close();
      await field.close();
    });

    for (const condition of casesOf(conditions.slice(1, 3), [...conditions.slice(0, 1), ...conditions.slice(3)])) {
      test(`is exact under ${condition.name}, and the keyboard is as it was`, async () => {
        condition.prepare(field.scene);
        const keyboard = readKeyboard(field.scene);
        const before = field.read();
        expect(await hands.input({ kind: "type", text: sentence, delayMs: 0 })).toEqual({ ok: true, value: undefined });
        await expectText(field, before + sentence);
        expect(compareKeyboards(keyboard, readKeyboard(field.scene))).toEqual([]);
      });
    }
  });
}

async function expectText(field: Field, wanted: string): Promise<void> {
  let text = "";
  await waitFor("the text", () => {
    text = field.read();
    return text === wanted;
  }).catch(() => undefined);
  expect(text).toBe(wanted);
}

describe("typing", () => {
  let field: Field;
  let hands: Awaited<ReturnType<typeof openInput>>;
  const type = (text: string, delayMs = 0): Promise<unknown> => hands.input({ kind: "type", text, delayMs });
  const press = (text: string): Promise<unknown> => {
    const combo = parseCombo(text);
    if (!combo.ok) throw new Error(combo.failure.message);
    return hands.input({ kind: "keys", combo: combo.value } satisfies InputCommand);
  };
  const empty = async (): Promise<void> => {
    await press("ctrl+a");
    await press("delete");
    await expectText(field, "");
  };

  beforeAll(async () => {
    field = await openField("gtk4");
    hands = await openInput(field.scene);
  });
  afterAll(async () => {
    hands.close();
    await field.close();
  });

  test("types more different characters than there are spare keys", async () => {
    const text = Array.from({ length: 150 }, (_, index) => String.fromCodePoint(0x4e00 + index * 7)).join("");
    await type(text);
    await expectText(field, text);
    await empty();
  });

  test("types a long text without losing any of it", async () => {
    const text = "The quick brown fox, Größe, Съешь, 文字. ".repeat(60);
    await type(text);
    await expectText(field, text);
    await empty();
  });

  test("presses Tab and Return where the text has them", async () => {
    await type("one\ttwo\nthree");
    await expectText(field, "one\ttwo\nthree");
    await empty();
  });

  test("waits between characters when asked", async () => {
    const typing = type("abгд", 300);
    await waitFor("a part of it", () => ["a", "ab", "abг"].includes(field.read()));
    await typing;
    await expectText(field, "abгд");
    await empty();
  });

  test("refuses a control character before anything is typed, and gives its position", async () => {
    expect(await type("ab\u001bcd")).toEqual({
      ok: false,
      failure: {
        code: "USAGE",
        message: "character 3 of 5 is a control character, U+001B, which no key types",
        suggestion: "leave it out; line feed types Return, tab types Tab, and other keys are pressed by their names.",
        done: "nothing was done.",
      },
    });
    expect(await type("a\u0085")).toMatchObject({ failure: { message: expect.stringContaining("character 2 of 2") } });
    await type("x");
    await expectText(field, "x");
    await empty();
  });

  test("refuses half a character", async () => {
    expect(await type("ab\ud83d")).toMatchObject({
      ok: false,
      failure: {
        code: "USAGE",
        message: "character 3 of 3 is half of a character (a lone surrogate), U+D83D, which no key types",
        done: "nothing was done.",
      },
    });
  });

  test("presses combinations under a layout that lacks their letters", async () => {
    setLayout(field.scene, "ru");
    const keyboard = readKeyboard(field.scene);
    await type("слово");
    await expectText(field, "слово");
    await press("ctrl+a");
    await press("ctrl+x");
    await expectText(field, "");
    await press("ctrl+v");
    await press("shift+a");
    await expectText(field, "словоA");
    expect(compareKeyboards(keyboard, readKeyboard(field.scene))).toEqual([]);
    setLayout(field.scene, "us");
    await empty();
  });

  test("moves, selects and deletes with named keys", async () => {
    await type("one two");
    await press("ctrl+shift+left");
    await press("backspace");
    await press("home");
    await press("shift+A");
    await press("KP_5");
    await press("+");
    await expectText(field, "A5+one ");
    await empty();
  });

  test("switches Caps Lock on and off when Caps Lock is pressed", async () => {
    await press("capslock");
    expect(readHeld(field.scene)).toContain("locked 2");
    await press("caps_lock");
    expect(readHeld(field.scene)).toContain("locked 0");
  });

  test("is not disturbed by a modifier that a person holds, and leaves it held", async () => {
    field.scene.run("xdotool", "keydown", "shift", "keydown", "ctrl");
    const keyboard = readKeyboard(field.scene);
    expect(readHeld(field.scene)).toContain("keys [37, 50]");
    await type("abc дом");
    await expectText(field, "abc дом");
    expect(compareKeyboards(keyboard, readKeyboard(field.scene))).toEqual([]);
    field.scene.run("xdotool", "keyup", "shift", "keyup", "ctrl");
    await empty();
  });
});
