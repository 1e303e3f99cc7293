import { describe, expect, test } from "bun:test";
import { isPlainText, rankMatches } from "../../src/find/match.ts";
import type { Element } from "../../src/model/element.ts";
import type { Role } from "../../src/model/role.ts";
import type { WindowRead } from "../../src/model/snapshot.ts";
import type { Source } from "../../src/model/source.ts";
import { anyElement, makeElement, makeWindow } from "../fixtures/elements.ts";
import { fc } from "../property.ts";

function windowWith(...children: Element[]): WindowRead[] {
  const root = makeElement({ role: "window", name: "Contacts", children });
  return [{ window: makeWindow(), appKey: "contacts", root, notes: [] }];
}

function find(words: string, reads: WindowRead[], roles?: Role[]): string[] {
  return rankMatches(reads, { words, roles: roles && new Set(roles) }).map(({ element }) => element.name);
}

const button = (name: string, more: Partial<Element> = {}) => makeElement({ name, actions: ["press"], ...more });
const text = (name: string) => makeElement({ role: "text", name });
const row = (...children: Element[]) => makeElement({ role: "row", children });

describe("words", () => {
  test("find the exact name first, then names that begin with them, then names that contain them", () => {
    const reads = windowWith(button("Do not save"), button("Save As…"), button("Save"), button("Print"));
    expect(find("save", reads)).toEqual(["Save", "Save As…", "Do not save"]);
  });

  test("find one control once: not its label, its list item or the box around it, too", () => {
    const link = makeElement({ role: "link", name: "Bob", actions: ["press"] });
    const field = makeElement({ role: "input", name: "Name", actions: ["set"] });
    const reads = windowWith(
      makeElement({ role: "item", name: "• Apples", children: [text("Apples")] }),
      makeElement({
        role: "group",
        name: "Bob",
        children: [makeElement({ role: "cell", name: "Bob", children: [link] })],
      }),
      makeElement({ role: "text", name: "Name:", children: [field] }),
    );
    const findRoles = (words: string) => rankMatches(reads, { words }).map(({ element }) => element.role);
    expect(findRoles("apples")).toEqual(["text"]);
    expect(findRoles("bob")).toEqual(["link"]);
    expect(findRoles("name")).toEqual(["input"]);
    expect(find("bob", reads, ["group"])).toEqual(["Bob"]);
  });

  test("find two controls of one name twice, also if one is inside the other", () => {
    const entry = makeElement({ role: "option", name: "Fig", actions: ["select"], children: [button("Fig")] });
    expect(find("fig", windowWith(entry, button("Fig")))).toEqual(["Fig", "Fig", "Fig"]);
    const folder = (...children: Element[]) =>
      makeElement({ role: "treeitem", name: "src", actions: ["select"], children });
    expect(find("src", windowWith(folder(folder())))).toEqual(["src", "src"]);
  });

  test("find a box by its taught name, though the control in it is named alike", () => {
    const box = makeElement({ role: "group", name: "Bob", children: [button("Bob")] });
    const taught = new Map([[box.handle, "Bob"]]);
    expect(rankMatches(windowWith(box), { words: "bob" }, taught)).toHaveLength(1);
    taught.set(box.handle, "the bob");
    expect(rankMatches(windowWith(box), { words: "the bob" }, taught).map(({ element }) => element.role)).toEqual([
      "group",
    ]);
  });

  test("are compared without case, accents, dots and colons", () => {
    expect(find("ZURUCK", windowWith(button("Zurück…")))).toEqual(["Zurück…"]);
    expect(find("name", windowWith(makeElement({ role: "input", name: "Name:" })))).toEqual(["Name:"]);
  });

  test("are a name without the arrow of a wizard's button; an arrow that stands for a word stays", () => {
    const reads = windowWith(button("Next >"), button("< Back"), button(">"), button("< 5 years"));
    const reasons = (words: string) =>
      rankMatches(reads, { words }).map(({ element, reason }) => [element.name, reason]);
    expect(reasons("next")).toEqual([["Next >", "its name"]]);
    expect(reasons("back")).toEqual([["< Back", "its name"]]);
    expect(reasons("next >")[0]).toEqual(["Next >", "its name"]);
    expect(reasons(">")[0]).toEqual([">", "its name"]);
    expect(reasons("5 years")).not.toContainEqual(["< 5 years", "its name"]);
  });

  test("that are the address of a cell are no part of another address", () => {
    const cell = (name: string) => makeElement({ role: "cell", name });
    expect(find("b2", windowWith(cell("B2"), cell("B20")))).toEqual(["B2"]);
    expect(find("b2", windowWith(cell("B20"), cell("B21")))).toEqual([]);
    expect(find("b2", windowWith(cell("B2 total")))).toEqual(["B2 total"]);
  });

  test("may also name the role", () => {
    const reads = windowWith(makeElement({ role: "menu", name: "Search" }), button("Search"));
    expect(rankMatches(reads, { words: "search button" })[0]?.element.role).toBe("button");
    expect(rankMatches(reads, { words: "search menu" })[0]?.element.role).toBe("menu");
  });

  test("name no role with the end of a file name: a sentence is not pressed for notes.txt", () => {
    const reads = windowWith(text("Notes are saved"), button("notes.txt"));
    expect(find("notes.txt", reads)).toEqual(["notes.txt"]);
    expect(find("notes.txt", windowWith(text("Notes are saved")))).toEqual([]);
    expect(find("notes txt", windowWith(text("Notes are saved")))).toEqual(["Notes are saved"]);
  });

  test("may name a neighbour: the button in Bob's row, not the one in Alice's", () => {
    const bob = button("Delete");
    const reads = windowWith(row(text("Alice"), button("Delete")), row(text("Bob"), bob));
    const [best, ...others] = rankMatches(reads, { words: "delete bob" });
    expect(best?.element.handle).toBe(bob.handle);
    expect(best?.reason).toContain("bob");
    expect(others).toEqual([]);
  });

  test("may be misspelt, or have two letters swapped", () => {
    expect(find("serach", windowWith(button("Search"), button("Print")))).toEqual(["Search"]);
    expect(find("prefrences", windowWith(button("Preferences")))).toEqual(["Preferences"]);
  });

  test("find no similar name if the exact word exists", () => {
    expect(find("save", windowWith(button("Save"), button("Wave")))).toEqual(["Save"]);
  });

  test("may be a keyboard shortcut or an id", () => {
    const reads = windowWith(button("Store", { shortcut: "Ctrl+S" }), button("Go", { platformId: "go-button" }));
    expect(find("ctrl+s", reads)).toEqual(["Store"]);
    expect(find("go-button", reads)).toEqual(["Go"]);
  });

  test("match the content of a field, ranked below any matching name", () => {
    const field = makeElement({ role: "input", name: "City", value: "London" });
    expect(find("london", windowWith(field, text("London")))).toEqual(["London", "City"]);
  });

  test("rank usable visible controls before hidden or disabled ones", () => {
    const reads = windowWith(
      button("Open", { states: new Set(["hidden"] as const), traits: new Set(["switched-off"] as const) }),
      button("Open", { states: new Set(["hidden"] as const) }),
      button("Open", { states: new Set(["disabled"] as const) }),
      button("Open"),
    );
    const states = rankMatches(reads, { words: "open" }).map(({ element }) => [...element.states]);
    expect(states).toEqual([[], ["disabled"], ["hidden"], ["hidden"]]);
    expect(rankMatches(reads, { words: "open" }).at(-1)?.element.traits?.has("switched-off")).toBe(true);
  });

  test("are matched among the requested roles only", () => {
    expect(find("save", windowWith(button("Save"), text("Save")), ["text"])).toEqual(["Save"]);
    expect(find("save", windowWith(button("Save")), ["link"])).toEqual([]);
  });

  test("that match no element find nothing", () => {
    expect(find("zebra crossing", windowWith(button("Save"), text("Cross")))).toEqual([]);
  });

  test("of any kind give scores from 0 to 1, best first, each with a reason", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 20 }),
        fc.array(anyElement, { maxLength: 4 }),
        (words, children) => {
          const matches = rankMatches(windowWith(...children), { words });
          matches.forEach(({ score, reason }, index) => {
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(1);
            expect(reason).not.toBe("");
            if (index > 0) expect(score).toBeLessThanOrEqual(matches[index - 1]?.score ?? 0);
          });
        },
      ),
    );
  });

  test("that are an element's full name always find it", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,12}( [a-z]{1,12}){0,3}$/), (name) => {
        expect(find(name, windowWith(text("other"), button(name)))[0]).toBe(name);
      }),
    );
  });
});

test("an entry of a second menu bar that is not shown is no match of its own, unless the first lacks it", () => {
  const makeBar = (hidden: boolean, names: readonly string[]) => {
    const states = new Set(hidden ? ["hidden" as const] : []);
    const entries = names.map((name) => makeElement({ role: "menuitem", name, states: new Set(["hidden"]) }));
    const menu = makeElement({ role: "menu", name: "File", states, children: entries });
    return makeElement({ role: "menubar", name: "", states, children: [menu] });
  };
  const reads = windowWith(makeBar(false, ["Save As…"]), makeBar(true, ["Save As…", "Save All"]));
  expect(rankMatches(reads, { words: "save as" })).toHaveLength(1);
  expect(rankMatches(reads, { words: "save all" })).toHaveLength(1);
  expect(rankMatches(reads, { words: "file" })).toHaveLength(1);
});

test("without a tree, a text is a control only if the words are in its middle, which is pressed; beside one never", () => {
  const read = (name: string) => makeElement({ role: "text", name, source: "ocr" });
  const isPressed = (words: string, name: string, source: Source = "ocr") => {
    const reads = windowWith(read(name)).map((one) => ({ ...one, root: one.root && { ...one.root, source } }));
    const [match] = rankMatches(reads, { words });
    return match !== undefined && !isPlainText(match, words);
  };
  expect(isPressed("file", "File", "a11y")).toBe(false);
  expect(isPressed("file", "File")).toBe(true);
  expect(isPressed("save as", "Save As Copy")).toBe(true);
  expect(isPressed("passengers", "Passengers aboard")).toBe(true);
  expect(isPressed("tools", "Tools Help")).toBe(false);
  expect(isPressed("help", "Tools Help")).toBe(false);
  expect(isPressed("file", "File Edit Select View Image Layer")).toBe(false);
});
