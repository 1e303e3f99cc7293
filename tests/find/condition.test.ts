import { describe, expect, test } from "bun:test";
import { isMet, parseCondition } from "../../src/find/condition.ts";
import { makeElement } from "../fixtures/elements.ts";

function parse(text: string) {
  const condition = parseCondition(text);
  if (!condition.ok) throw new Error(condition.failure.message);
  return condition.value;
}

describe("a condition", () => {
  test("is parsed as people write it", () => {
    expect(parse('button "Save" appears')).toEqual({
      kind: "present",
      subject: { by: "name", name: "Save", roles: ["button"] },
      isPresent: true,
    });
    expect(parse("12 disappears")).toEqual({ kind: "present", subject: { by: "mark", mark: 12 }, isPresent: false });
    expect(parse('input "Name" has value "Ada Lovelace"')).toMatchObject({ kind: "value", value: "Ada Lovelace" });
    expect(parse('"Status" contains "ready"')).toMatchObject({ kind: "value", value: "ready", isWhole: false });
    expect(parse('button "OK" becomes enabled')).toMatchObject({ kind: "state", state: "disabled", isSo: false });
    expect(parse("12 is not checked")).toMatchObject({ kind: "state", state: "checked", isSo: false });
    expect(parse('window "Save As" opens')).toEqual({ kind: "window", title: "Save As", isOpen: true });
    expect(parse("window Error is closed")).toEqual({ kind: "window", title: "Error", isOpen: false });
    expect(parse("the screen is still")).toEqual({ kind: "still" });
    expect(parse("12 changes its value")).toEqual({ kind: "changes", subject: { by: "mark", mark: 12 } });
    expect(parse("save button appears")).toMatchObject({ subject: { by: "words", words: "save button" } });
    expect(parse("input appears")).toMatchObject({ subject: { by: "name", name: undefined } });
  });

  test("that cannot be parsed is answered with the syntax", () => {
    const condition = parseCondition("button Save jumps");
    expect(condition.ok).toBe(false);
    if (condition.ok) return;
    expect(condition.failure).toMatchObject({ code: "USAGE", message: '"button Save jumps" is not a condition' });
    expect(condition.failure.suggestion).toContain('button "Save" appears');
  });

  test("about a missing control holds only if it is to be gone", () => {
    expect(isMet(parse("12 is gone"), undefined, undefined)).toBe(true);
    expect(isMet(parse("12 appears"), undefined, undefined)).toBe(false);
    expect(isMet(parse("12 is enabled"), undefined, undefined)).toBe(false);
    expect(isMet(parse("12 holds 5"), undefined, undefined)).toBe(false);
  });

  test("about a value compares numbers as numbers and texts as texts", () => {
    expect(isMet(parse("12 holds 5"), makeElement({ role: "slider", value: "5.0" }), undefined)).toBe(true);
    expect(isMet(parse('12 holds "Ada"'), makeElement({ role: "input", value: "ada" }), undefined)).toBe(false);
    expect(isMet(parse('12 holds "ready"'), makeElement({ role: "text", name: "ready" }), undefined)).toBe(true);
  });

  test("about a toggle button treats pressed as checked", () => {
    expect(
      isMet(parse("12 is checked"), makeElement({ role: "toggle", states: new Set(["pressed"]) }), undefined),
    ).toBe(true);
  });
});
