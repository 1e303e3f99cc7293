import { describe, expect, test } from "bun:test";
import { isSameControl } from "../../../../src/platform/linux/atspi/object.ts";
import { quirksOf } from "../../../../src/platform/linux/atspi/quirks.ts";
import { makeElement } from "../../../fixtures/elements.ts";
import { makeNode } from "../../../fixtures/nodes.ts";

function isSame(toolkit: string, role: string, read: string, now: string, roleNow = role): boolean {
  const element = makeElement({ platformRole: role, ownName: read });
  return isSameControl(makeNode(roleNow, { name: now }), element, quirksOf(toolkit));
}

describe("an object that is queried again", () => {
  test("is the same control while its role and its own name are unchanged", () => {
    expect(isSame("gtk", "push button", "Save", "Save")).toBe(true);
    expect(isSame("gtk", "push button", "Save", "Delete")).toBe(false);
    expect(isSame("gtk", "push button", "Save", "Save", "menu item")).toBe(false);
  });

  test("may have a name that a read shortened", () => {
    expect(isSame("GTK", "push button", "Save", "_Save Save")).toBe(true);
    expect(isSame("GTK", "filler", "", "GtkBox")).toBe(true);
    expect(isSame("gtk", "combo box", "", "Red")).toBe(true);
    expect(isSame("Chromium", "page tab", "News", "News - Memory usage - 53.1 MB")).toBe(true);
    expect(isSame("gtk", "label", "Your ••• here", "Your hunter2 here")).toBe(true);
  });

  test("may contain a field in Firefox, whose text is in its name; a button may not", () => {
    expect(isSame("Gecko", "table cell", "Number", "Number 3")).toBe(true);
    expect(isSame("Gecko", "label", "City", "City Berlin")).toBe(true);
    expect(isSame("Gecko", "push button", "Save", "Delete")).toBe(false);
  });
});
