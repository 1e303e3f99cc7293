import { describe, expect, test } from "bun:test";
import { checkText } from "../../../../src/platform/linux/x11/input.ts";
import {
  type Keymap,
  type KeyRow,
  Layout,
  listSpareRows,
  planCombo,
  planText,
} from "../../../../src/platform/linux/x11/keymap.ts";
import { characterOf, keysymOf, keysymOfName } from "../../../../src/platform/linux/x11/keysyms.ts";
import { fc } from "../../../property.ts";

const shift = 50;
const altGr = 92;
const spare = [93, 97, 103];

function row(keycode: number, type: number, ...keysyms: (number | string)[]): KeyRow {
  const numbers = keysyms.map((keysym) =>
    typeof keysym === "number" ? keysym : (keysymOfName(keysym) ?? keysymOf(keysym)),
  );
  return {
    keycode,
    types: [type, 0, 0, 0],
    groupInfo: numbers.length === 0 ? 0 : 1,
    width: numbers.length,
    keysyms: numbers,
  };
}

/** A keyboard with a few keys: types with Shift, and with Shift and AltGr. */
const keymap: Keymap = {
  rows: [
    row(36, 0, "Return"),
    row(37, 0, "Control_L"),
    row(38, 1, "a", "A"),
    row(39, 2, "q", "Q", "@"),
    row(40, 1, 0x6c1, 0x6e1),
    row(shift, 0, "Shift_L"),
    row(altGr, 0, "ISO_Level3_Shift"),
    row(94, 1, "<", "a"),
    ...spare.map((keycode) => row(keycode, 0)),
    row(104, 0, 0),
  ],
  types: [
    { levels: [] },
    {
      levels: [
        { mods: 1, level: 1 },
        { mods: 2, level: 1 },
      ],
    },
    {
      levels: [
        { mods: 1, level: 1 },
        { mods: 128, level: 2 },
      ],
    },
  ],
  modifierMap: new Map([
    [shift, 1],
    [37, 4],
    [altGr, 128],
  ]),
  keycodesWithActions: new Set([104]),
};
const layout = new Layout(keymap);
const rows = listSpareRows(keymap);

describe("a layout", () => {
  test("finds characters at every level that modifiers select", () => {
    expect(layout.findCharacter("a")).toEqual({ keycode: 38, held: [] });
    expect(layout.findCharacter("A")).toEqual({ keycode: 38, held: [shift] });
    expect(layout.findCharacter("@")).toEqual({ keycode: 39, held: [altGr] });
    expect(layout.findCharacter("z")).toBeUndefined();
  });

  test("knows letters by their older names", () => {
    expect(layout.findCharacter("а")).toEqual({ keycode: 40, held: [] });
    expect(layout.findCharacter("А")).toEqual({ keycode: 40, held: [shift] });
  });

  test("treats as spare only keys that mean and do nothing", () => {
    expect(rows.map(({ keycode }) => keycode)).toEqual(spare);
  });
});

describe("a plan", () => {
  test("uses the layout where it can, and remaps one key for each other character", () => {
    expect(planText(layout, rows, "aßA\nßё")).toEqual([
      {
        lent: [
          { keycode: 93, types: [0, 0, 0, 0], groupInfo: 1, width: 1, keysyms: [0xdf] },
          { keycode: 97, types: [0, 0, 0, 0], groupInfo: 1, width: 1, keysyms: [0x1000451] },
        ],
        strokes: [
          { keycode: 38, held: [] },
          { keycode: 93, held: [] },
          { keycode: 38, held: [shift] },
          { keycode: 36, held: [] },
          { keycode: 93, held: [] },
          { keycode: 97, held: [] },
        ],
      },
    ]);
  });

  test("types exactly the text, on any keyboard", () => {
    const character = fc.oneof(
      fc.constantFrom(..."aA@q\n"),
      fc.integer({ min: 0xa1, max: 0xff }).map((code) => String.fromCodePoint(code)),
    );
    fc.assert(
      fc.property(fc.string({ unit: character }), fc.integer({ min: 1, max: 3 }), (text, count) => {
        const batches = planText(layout, rows.slice(0, count), text) ?? [];
        const typed = batches.flatMap(({ lent, strokes }) =>
          strokes.map(({ keycode, held }) => {
            const keysyms = [...lent, ...keymap.rows].find((one) => one.keycode === keycode)?.keysyms ?? [];
            const keysym = keysyms[held.includes(altGr) ? 2 : held.length] ?? 0;
            return keysym === keysymOfName("Return") ? "\n" : characterOf(keysym);
          }),
        );
        expect(typed.join("")).toBe(text);
        for (const { lent } of batches) expect(lent.length).toBeLessThanOrEqual(count);
      }),
    );
  });

  test("is undefined if a character is missing and no key is spare", () => {
    expect(planText(layout, [], "aß")).toBeUndefined();
    expect(planText(layout, [], "a")).toHaveLength(1);
  });

  test("of a combination holds its modifiers, and those its key needs", () => {
    expect(planCombo(layout, rows, { modifiers: ["ctrl", "shift"], key: "a" })).toEqual({
      lent: [],
      strokes: [{ keycode: 38, held: [37, shift] }],
    });
    expect(planCombo(layout, rows, { modifiers: ["ctrl"], key: "@" })).toMatchObject({
      strokes: [{ held: [37, altGr] }],
    });
    expect(planCombo(layout, rows, { modifiers: ["ctrl"], key: "c" })).toMatchObject({
      lent: [{ keycode: 93, types: [1, 0, 0, 0], keysyms: [0x63, 0x43] }],
      strokes: [{ keycode: 93, held: [37] }],
    });
    expect(planCombo(layout, rows, { modifiers: ["super"], key: "a" })).toBe("a super key");
    expect(planCombo(layout, [], { modifiers: [], key: "F7" })).toBe("the key F7, and no spare one");
  });
});

test("every character that is not a control character has a keysym, and the keysym is that character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 1 }), (character) => {
      fc.pre(checkText(character) === undefined && !"\n\t".includes(character));
      expect(characterOf(keysymOf(character))).toBe(character);
    }),
    { numRuns: 1000 },
  );
});

test("any text except control characters and half characters can be typed", () => {
  expect(checkText("Straße\n\t👍🏽 e\u0301\u200d")).toBeUndefined();
  for (const wrong of ["\u0000", "\r", "\u001b", "\u007f", "\u0080", "\u009f", "\ud83d", "\udc00"]) {
    expect(checkText(`ok${wrong}`)?.message).toStartWith("character 3 of 3 is ");
  }
});
