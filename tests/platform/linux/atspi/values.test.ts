import { describe, expect, test } from "bun:test";
import { quirksOf } from "../../../../src/platform/linux/atspi/quirks.ts";
import { readStates } from "../../../../src/platform/linux/atspi/states.ts";
import { readValue } from "../../../../src/platform/linux/atspi/values.ts";
import { makeElement } from "../../../fixtures/elements.ts";
import { makeNode } from "../../../fixtures/nodes.ts";

const quirks = quirksOf("gtk", "");

describe("the value", () => {
  test("of a spin button is its text, with the unit that its number lacks", () => {
    const details = { numericValue: 10, text: "10 pt" };
    expect(readValue(makeNode("spin button", { details }), "spin", [], quirks)).toBe("10 pt");
    expect(readValue(makeNode("spin button", { details: { numericValue: 0, text: "" } }), "spin", [], quirks)).toBe("");
    expect(readValue(makeNode("spin button", { details: { numericValue: 3 } }), "spin", [], quirks)).toBe("3");
  });

  test("of a combo box is its choice, or else its text", () => {
    expect(readValue(makeNode("combo box", { details: { choice: "Large" } }), "select", [], quirks)).toBe("Large");
    const entry = makeElement({ role: "input", value: "written", states: new Set(["editable"]) });
    expect(
      readValue(makeNode("combo box"), "select", [makeElement({ role: "group", children: [entry] })], quirks),
    ).toBe("written");
  });

  test("of a combo box in Qt is its name, which is what it shows", () => {
    expect(readValue(makeNode("combo box", { name: "Red" }), "select", [], quirksOf("Qt", ""))).toBe("Red");
  });

  test("of a month without parts is its text, and of a date with empty parts nothing", () => {
    const attributes = new Map([["text-input-type", "month"]]);
    const month = makeNode("entry", { details: { text: "2026-05", attributes } });
    expect(readValue(month, "input", [], quirksOf("Gecko"))).toBe("2026-05");
    const date = makeNode("entry", { details: { text: "\ufffc/\ufffc", attributes } });
    const part = (value: string) => makeElement({ role: "spin", value });
    expect(readValue(date, "input", [part(""), part("")], quirksOf("Gecko"))).toBe("");
    expect(readValue(date, "input", [part("05"), part("2026")], quirksOf("Gecko"))).toBe("05/2026");
  });

  test("of a container is the text beside what is in it, where that is no object of its own", () => {
    const page = makeNode("document web", {
      name: "Page",
      details: { text: "\ufffc 3 left \ufffc\ufffc of 9 \ufffc" },
    });
    expect(readValue(page, "web", [], quirksOf("Gecko"))).toBe("3 left … of 9");
    expect(readValue(page, "web", [], quirksOf("Chromium"))).toBe("");
    const list = makeNode("list", { details: { text: "\ufffc\ufffc" } });
    expect(readValue(list, "list", [], quirksOf("Gecko"))).toBe("");
    // An item is named by its text.
    expect(readValue(makeNode("list item", { details: { text: "one" } }), "item", [], quirksOf("Gecko"))).toBe("");
  });
});

describe("states", () => {
  const usual = { isSeen: true, isSecret: false, isInDisabled: false };

  test("of controls in a disabled box are not those of enabled ones", () => {
    const button = makeNode("push button");
    expect(readStates(button, "button", quirksOf("GTK"), usual).has("disabled")).toBe(false);
    expect(readStates(button, "button", quirksOf("GTK"), { ...usual, isInDisabled: true }).has("disabled")).toBe(true);
  });

  test("of Swing's tabs give only the selected one the focus", () => {
    const swing = quirksOf("J2SE-access-bridge");
    const tab = makeNode("page tab", { states: ["showing", "focused", "selectable"] });
    const chosen = makeNode("page tab", { states: ["showing", "focused", "selectable", "selected"] });
    expect(readStates(tab, "tab", swing, usual).has("focused")).toBe(false);
    expect(readStates(chosen, "tab", swing, usual).has("focused")).toBe(true);
    expect(readStates(tab, "tab", quirksOf("gtk"), usual).has("focused")).toBe(true);
  });

  test("say that a cell with a check mark is checkable", () => {
    const cell = makeNode("table cell", { details: { actions: [["toggle", "", ""]] } });
    expect(readStates(cell, "cell", quirksOf("gtk"), usual).has("checkable")).toBe(true);
    expect(readStates(makeNode("table cell"), "cell", quirksOf("gtk"), usual).has("checkable")).toBe(false);
  });
});
