import { expect, test } from "bun:test";
import { clipboardForms } from "../../src/show/clipboard.ts";
import { stringify } from "../../src/show/output.ts";

const held = { selection: "clipboard", text: "a \u001b[31mred\u0007 ü\n\u200bb", length: 14 } as const;

test("a clipboard's text is exact in JSON, and cannot control a terminal in any format", () => {
  expect(JSON.parse(stringify(clipboardForms.data(held), false))).toEqual({ ...held });
  expect(stringify(clipboardForms.data(held), false)).not.toMatch(/[^ -~ü]/);
  expect(clipboardForms.csv(held)).toEndWith('"a [31mred ü\nb"');
  expect(clipboardForms.text(held)).toBe("# the clipboard, 14 characters\na [31mred ü\nb");
});

test("an empty one is stated, and a truncated one says how much there is", () => {
  expect(clipboardForms.text({ selection: "primary", text: "", length: 0 })).toBe("# the primary selection is empty");
  const cut = { selection: "clipboard", text: "abc", length: 9 } as const;
  expect(clipboardForms.text(cut)).toBe("# the clipboard, 9 characters; TRUNCATED 3 of 9 characters\nabc");
  expect(clipboardForms.data(cut)).toMatchObject({ partial: true, length: 9 });
});
