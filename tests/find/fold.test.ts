import { describe, expect, test } from "bun:test";
import { fold } from "../../src/find/fold.ts";
import { type Element, flatten } from "../../src/model/element.ts";
import { kindOfRole } from "../../src/model/role.ts";
import { anyElement, makeElement } from "../fixtures/elements.ts";
import { fc } from "../property.ts";

function outline(elements: readonly Element[]): unknown[] {
  return elements.map(({ role, name, children }) => [role, name, outline(children)]);
}

function foldAll(elements: readonly Element[]): Element[] {
  return elements.flatMap((child) => fold(child));
}

const doings = new Set(["press", "toggle", "set"]);
/** Roles for navigation rather than action. */
const scrollers = new Set(["scroll", "scrollbar", "separator"]);

/** A nameless container is reached by pressing its content. */
function canBeActedOn({ role, name, actions, children }: Element): boolean {
  const isUnnamedGroup =
    name === "" && children.length > 0 && (kindOfRole(role) === "container" || kindOfRole(role) === "landmark");
  return !scrollers.has(role) && !isUnnamedGroup && actions.some((action) => doings.has(action));
}

describe("folding, whatever the tree,", () => {
  test("loses nothing actionable", () => {
    fc.assert(
      fc.property(anyElement, (root) => {
        const kept = new Set(flatten(fold(root)).map(({ handle }) => handle));
        const lost = flatten([root]).filter((element) => canBeActedOn(element) && !kept.has(element.handle));
        expect(outline(lost)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("loses no text: every name and value is still there, in a kept element or in one it repeated", () => {
    fc.assert(
      fc.property(anyElement, (root) => {
        const kept = flatten(fold(root));
        const said = kept.map(({ name, value }) => `${name}\n${value}`).join("\n");
        for (const element of flatten([root]).filter(({ role }) => !scrollers.has(role))) {
          expect(said.includes(element.name)).toBe(true);
          expect(said.includes(element.value)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("loses no control except the wrapper of another of the same name", () => {
    fc.assert(
      fc.property(anyElement, (root) => {
        const kept = new Set(flatten(fold(root)).map(({ handle }) => handle));
        for (const element of flatten([root])) {
          if (kindOfRole(element.role) !== "control" || kept.has(element.handle)) continue;
          const inner = flatten(element.children).filter(({ handle }) => kept.has(handle));
          expect(inner.some(({ name }) => name === element.name)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("keeps the reading order and adds nothing", () => {
    fc.assert(
      fc.property(anyElement, (root) => {
        const before = flatten([root]).map(({ handle }) => handle);
        const after = flatten(fold(root)).map(({ handle }) => handle);
        const kept = new Set(after);
        expect(after).toEqual(before.filter((id) => kept.has(id)));
      }),
      { numRuns: 300 },
    );
  });

  test("is idempotent", () => {
    fc.assert(
      fc.property(anyElement, (root) => {
        const once = fold(root);
        expect(outline(foldAll(once))).toEqual(outline(once));
      }),
      { numRuns: 300 },
    );
  });
});

describe("folding", () => {
  const button = (name: string, given: Partial<Element> = {}) =>
    makeElement({ role: "button", name, actions: ["press"], ...given });

  test("moves the content of nameless containers up", () => {
    const root = makeElement({
      role: "group",
      children: [makeElement({ role: "scroll", children: [button("Save")] }), button("Open")],
    });
    expect(outline(fold(root))).toEqual([
      ["button", "Save", []],
      ["button", "Open", []],
    ]);
  });

  test("moves the only child of a nameless bar up, even with an empty sibling", () => {
    const root = makeElement({ role: "toolbar", children: [makeElement({ role: "text" }), button("Save")] });
    expect(outline(fold(root))).toEqual(outline(foldAll(fold(root))));
  });

  test("keeps a container that has a name", () => {
    const root = makeElement({ role: "group", name: "Colours", children: [button("Red")] });
    expect(outline(fold(root))).toEqual([["group", "Colours", [["button", "Red", []]]]]);
  });

  test("keeps a container that has text of its own", () => {
    const root = makeElement({ role: "statusbar", value: "3 left", children: [button("Undo")] });
    expect(fold(root).map(({ value, children }) => [value, children.length])).toEqual([["3 left", 1]]);
  });

  test("drops the label that repeats its button, and keeps one that says more", () => {
    const label = makeElement({ role: "text", name: "Save" });
    const more = makeElement({ role: "text", name: "2 files" });
    expect(outline(fold(button("Save", { children: [label, more] })))).toEqual([
      ["button", "Save", [["text", "2 files", []]]],
    ]);
  });

  test("keeps the inner one of two buttons of the same name if only that one has an action", () => {
    const root = makeElement({ role: "button", name: "Menu", children: [button("Menu")] });
    expect(fold(root)).toHaveLength(1);
    expect(fold(root)[0]?.actions).toEqual(["press"]);
  });

  test("keeps a pressable picture or box, though it has no name", () => {
    const picture = makeElement({ role: "image", actions: ["press"] });
    const box = makeElement({ role: "group", actions: ["press"] });
    expect(fold(makeElement({ role: "list", name: "Gallery", children: [picture, box] }))[0]?.children).toHaveLength(2);
  });

  test("keeps a progress value, though it is inside a cell and has no name", () => {
    const bar = makeElement({ role: "progress", value: "50" });
    expect(flatten(fold(makeElement({ role: "cell", name: "film.mkv", children: [bar] })))).toHaveLength(2);
  });

  test("drops the icon and the text of a cell, and keeps a part with a name or an action of its own", () => {
    const cell = (name: string, more: Partial<Element> = {}) =>
      makeElement({ role: "cell", name, actions: ["press", "select"], ...more });
    expect(outline(fold(cell("notes.txt", { children: [cell(""), cell("notes.txt")] })))).toEqual([
      ["cell", "notes.txt", []],
    ]);
    const parts = [cell("1 KB"), cell("notes.txt", { actions: ["toggle"] })];
    expect(fold(cell("notes.txt", { children: parts }))[0]?.children).toEqual(parts);
  });

  test("drops texts and containers that are empty", () => {
    const empty = [makeElement({ role: "text" }), makeElement({ role: "group" }), makeElement({ role: "separator" })];
    expect(fold(makeElement({ role: "group", children: empty }))).toEqual([]);
  });
});
