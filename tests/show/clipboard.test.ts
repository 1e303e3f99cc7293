import { expect, test } from "bun:test";
import { clipboardToCsv, clipboardToJson, showClipboard } from "../../src/show/clipboard.ts";

const held = { selection: "clipboard", text: "a \u001b[31mred\u0007 ü\n\u200bb", length: 14 } as const;

test("a clipboard's text is exact in JSON, and cannot steer a terminal in any form", () => {
  expect(JSON.parse(clipboardToJson(held, false))).toEqual({ ...held });
  expect(clipboardToJson(held, false)).not.toMatch(/[^ -~ü]/);
  expect(clipboardToCsv(held)).toEndWith('"a [31mred ü\nb"');
  expect(showClipboard(held)).toBe("# the clipboard, 14 characters\na [31mred ü\nb");
});

test("an empty one is told, and a cut one says how much there is", () => {
  expect(showClipboard({ selection: "primary", text: "", length: 0 })).toBe("# the primary selection is empty");
  const cut = { selection: "clipboard", text: "abc", length: 9 } as const;
  expect(showClipboard(cut)).toBe("# the clipboard, 9 characters; TRUNCATED 3 of 9 characters\nabc");
  expect(JSON.parse(clipboardToJson(cut, true))).toMatchObject({ partial: true, length: 9 });
});
