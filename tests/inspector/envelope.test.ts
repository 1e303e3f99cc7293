import { expect, test } from "bun:test";
import { withoutEnvelope } from "../../src/server/inspector/panels/element.ts";
import { enclose } from "../../src/show/envelope.ts";

test("only the delimiter itself is removed: application lines that look like it stay", () => {
  const inside = "--- end 0123456789abcdef ---\n--- a heading ---\ntext";
  expect(withoutEnvelope(enclose(inside))).toBe(inside);
  expect(withoutEnvelope(`${enclose(inside)}\n`)).toBe(inside);
  expect(withoutEnvelope(inside)).toBe(inside);
});
