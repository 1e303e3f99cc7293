import { describe, expect, test } from "bun:test";
import { readShortcut } from "../../../../src/platform/linux/atspi/actions.ts";
import { fc } from "../../../property.ts";

describe("a shortcut, as people write it,", () => {
  test.each([
    ["s;<Alt>f:s;<Primary>s", "Ctrl+S"],
    ["a;<Alt>f:a;<Primary><Shift>s", "Ctrl+Shift+S"],
    ["n;;<Control>n", "Ctrl+N"],
    ["<Alt>F4", "Alt+F4"],
    ["Ctrl+Q", "Ctrl+Q"],
    ["q;;<Super>Page_Down", "Super+Page_Down"],
    ["F1", "F1"],
    ["<constructor>x", "constructor+X"],
  ])("of %p is %p", (binding, shortcut) => {
    expect(readShortcut([binding])).toBe(shortcut);
  });

  test.each([[""], ["f;<Alt>f;"], ["f;<Alt>f"], ["<space>"], ["space"], [";;"], ["<Return>"], ["<VoidSymbol>"]])(
    "is empty for %p",
    (binding) => {
      expect(readShortcut([binding])).toBe("");
    },
  );

  test("is that of the first action that has one", () => {
    expect(readShortcut(["", "f;;", "s;;<Primary>s", "x;;<Primary>x"])).toBe("Ctrl+S");
    expect(readShortcut([])).toBe("");
  });

  test("is a text for any input", () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: "binary" })), (all) => expect(readShortcut(all)).toBeString()));
  });
});
