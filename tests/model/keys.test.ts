import { describe, expect, test } from "bun:test";
import { parseCombo } from "../../src/find/combo.ts";
import {
  type Combo,
  keyNames,
  type Modifier,
  modifierKeys,
  modifierNames,
  modifiers,
  showCombo,
} from "../../src/model/keys.ts";
import { keysymOfName } from "../../src/platform/linux/x11/keysyms.ts";
import { fc } from "../property.ts";

const read = (text: string): Combo => {
  const combo = parseCombo(text);
  if (!combo.ok) throw new Error(combo.failure.message);
  return combo.value;
};

describe("a key combination", () => {
  test.each([
    ["ctrl+shift+t", ["ctrl", "shift"], "t"],
    ["SHIFT+Control+T", ["ctrl", "shift"], "t"],
    ["cmd+c", ["ctrl"], "c"],
    ["super+space", ["super"], " "],
    ["option+f4", ["alt"], "F4"],
    ["win+Left", ["super"], "Left"],
    ["enter", [], "Return"],
    ["page_up", [], "Page_Up"],
    ["Page_Down", [], "Page_Down"],
    ["pgdn", [], "Page_Down"],
    ["ctrl++", ["ctrl"], "+"],
    ["ctrl+plus", ["ctrl"], "+"],
    ["+", [], "+"],
    ["-", [], "-"],
    ["ctrl+-", ["ctrl"], "-"],
    ["A", [], "A"],
    ["ctrl+A", ["ctrl"], "a"],
    ["alt+Ä", ["alt"], "ä"],
    ["ctrl+ß", ["ctrl"], "ß"],
    ["kp_5", [], "KP_5"],
    ["KP_Enter", [], "KP_Enter"],
    ["f24", [], "F24"],
    ["super", [], "Super_L"],
    ["ctrl+alt", ["ctrl"], "Alt_L"],
    ["caps", [], "Caps_Lock"],
    [" esc ", [], "Escape"],
  ])("%s is read", (text, held, key) => {
    expect(read(text)).toEqual({ modifiers: held as Modifier[], key });
  });

  test("is shown as people write it", () => {
    expect(showCombo({ modifiers: ["ctrl", "shift"], key: "t" })).toBe("Ctrl+Shift+T");
    expect(showCombo({ modifiers: ["ctrl"], key: "+" })).toBe("Ctrl+Plus");
    expect(showCombo({ modifiers: [], key: "Page_Down" })).toBe("Page_Down");
    expect(showCombo({ modifiers: ["alt"], key: " " })).toBe("Alt+Space");
  });

  test.each([
    ["ctrl+entr", '"entr" is not a key', "ctrl+enter"],
    ["pagdown", '"pagdown" is not a key', "pgdown"],
    ["f25", '"f25" is not a key', "f2"],
    ["crtl+s", '"crtl" in "crtl+s" is not a modifier', "ctrl+s"],
    ["shft+tab", '"shft" in "shft+tab" is not a modifier', "shift+tab"],
  ])("%s is refused, with the nearest name", (text, message, suggestion) => {
    expect(parseCombo(text)).toMatchObject({
      ok: false,
      failure: { code: "USAGE", message, suggestion, done: "nothing was done." },
    });
  });

  test.each([
    ["", "no key given"],
    ["ctrl+", '"ctrl+" ends without a key'],
    ["+s", '"+s" has an empty name beside a "+"'],
    ["a+b", '"a" in "a+b" is a key; a combination has one key, and it comes last'],
    ["\u0007", '"\u0007" is not a key'],
  ])("%j is refused", (text, message) => {
    expect(parseCombo(text)).toMatchObject({ ok: false, failure: { code: "USAGE", message } });
  });
});

describe("every name of a key", () => {
  const anyCase = (name: string) => fc.mixedCase(fc.constant(name));
  const held = fc.subarray([...modifiers]);
  const namedKey = fc.constantFrom(...Object.entries(keyNames));

  test("is parsed in any case, with any modifiers, in any order", () => {
    const modifierName = fc.constantFrom(...Object.entries(modifierNames));
    fc.assert(
      fc.property(
        namedKey.chain(([name, key]) => fc.tuple(anyCase(name), fc.constant(key))),
        fc.uniqueArray(modifierName, { selector: ([, modifier]) => modifier }),
        ([name, key], names) => {
          const combo = read([...names.map(([modifier]) => modifier), name].join("+"));
          expect(combo.key).toBe(key);
          expect(combo.modifiers).toEqual(modifiers.filter((one) => names.some(([, modifier]) => modifier === one)));
        },
      ),
    );
  });

  test("survives a round trip through its shown form", () => {
    const keys = [...new Set([...Object.values(keyNames), ...Object.values(modifierKeys)])];
    const character = fc.integer({ min: 0x21, max: 0x2fff }).map((code) => String.fromCodePoint(code));
    const key = fc.oneof(
      fc.constantFrom(...keys),
      character.filter((one) => parseCombo(`ctrl+${one}`).ok),
    );
    fc.assert(
      fc.property(held, key, (names, wanted) => {
        const name = wanted === " " ? "space" : wanted;
        const combo = { modifiers: names, key: names.length === 0 ? wanted : read(`ctrl+${name}`).key };
        expect(read(showCombo(combo))).toEqual(combo);
      }),
    );
  });

  test("is a key that X knows", () => {
    for (const key of [...Object.values(keyNames), ...Object.values(modifierKeys)]) {
      expect([...key].length === 1 || keysymOfName(key) !== undefined).toBe(true);
    }
  });
});
