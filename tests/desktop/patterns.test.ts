import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { flatten } from "../../src/model/element.ts";
import { matrix } from "../tier.ts";
import { type ControlsScene, type Kit, listGlimpseDifferences, openControls, unwrap } from "./controls-scene.ts";
import { waitFor } from "./scene.ts";

// What each toolkit does with accessibility requests. The program itself and pyatspi report whether the action was done;
// requests that a toolkit accepts but ignores are refused before they are sent.

const words = "Grüße, 日本 🎉 é";
let controls: ControlsScene;

function open(kit: Kit): void {
  beforeAll(async () => {
    controls = await openControls(kit);
  });
  afterAll(() => controls.close());
}

async function invoke(name: string, role?: string, action?: string): Promise<void> {
  const element = await controls.find(name, role);
  unwrap(await controls.act(element, { kind: "invoke", action: action ?? element.platformActions[0] ?? "" }));
}

async function setText(name: string, text: string): Promise<void> {
  unwrap(await controls.act(await controls.find(name, "input"), { kind: "set-text", text }));
}

const recorded = (line: string): Promise<void> => waitFor(`"${line}"`, () => controls.record().includes(line));
const seen = (role: string, name: string, what: string, isTrue: (one: ReturnType<ControlsScene["see"]>) => boolean) =>
  waitFor(`${name} ${what}`, () => isTrue(controls.see(role, name)));

async function codeOf(name: string, query: Parameters<ControlsScene["act"]>[1], role?: string): Promise<string> {
  const done = await controls.act(await controls.find(name, role), query);
  if (!done.ok) expect(done.failure.done).toBe("nothing was done.");
  return done.ok ? "done" : done.failure.code;
}

function glimpseAll(): void {
  test("has glimpses that agree with reads everywhere", async () => {
    expect(await listGlimpseDifferences(controls)).toEqual([]);
  });
}

describe("GTK 3", () => {
  open("gtk3");
  glimpseAll();

  test("presses, checks and expands", async () => {
    await invoke("Press");
    await recorded("Press");
    await invoke("Check");
    await seen("check box", "Check", "checked", ({ states }) => states.includes("checked"));
    await invoke("Two");
    await seen("radio button", "Two", "checked", ({ states }) => states.includes("checked"));
    await invoke("More");
    await seen("toggle button", "More", "expanded", ({ states }) => states.includes("expanded"));
    await invoke("Item");
    await recorded("Item");
  });

  test("takes texts of any characters and lines, also secret ones", async () => {
    await setText("Entry", words);
    await recorded(`Entry=${words}`);
    await setText("Lines", "eins\nzwei");
    expect(controls.see("text", "Lines").text).toBe("eins\nzwei");
    await setText("Code", "abc");
    expect(controls.see("password text", "Code").text).toHaveLength(3);
    expect(unwrap(await controls.platform.glimpse(await controls.find("Code"), 2000))?.length).toBe(3);
    expect(await codeOf("Fixed", { kind: "set-text", text: "x" })).toBe("PATTERN_UNSUPPORTED");
    expect(controls.see("text", "Fixed").text).toBe("fixed");
  });

  test("takes numbers within the range", async () => {
    unwrap(await controls.act(await controls.find("Spin"), { kind: "set-number", value: 7 }));
    unwrap(await controls.act(await controls.find("Scale"), { kind: "set-number", value: 33 }));
    expect(await codeOf("Scale", { kind: "set-number", value: 101 })).toBe("USAGE");
    expect(controls.see("spin button", "Spin").value).toBe(7);
    expect(controls.see("slider", "Scale").value).toBe(33);
  });

  test("selects rows, cells, tabs and choices, and takes rows out again", async () => {
    unwrap(await controls.act(await controls.find("Row-3"), { kind: "select", isSelected: true }));
    await recorded("Rows=3");
    unwrap(await controls.act(await controls.find("Row-3"), { kind: "select", isSelected: false }));
    await recorded("Rows=None");
    for (const name of ["Fruit", "Trees"])
      unwrap(await controls.act(await controls.find(name), { kind: "select", isSelected: true }));
    for (const name of ["Fruit", "Trees"]) expect(controls.see("table cell", name).states).toContain("selected");
    unwrap(await controls.act(await controls.find("Page 2"), { kind: "select", isSelected: true }));
    await seen("page tab", "Page 2", "selected", ({ states }) => states.includes("selected"));
    unwrap(await controls.act(await controls.find("Blue"), { kind: "select", isSelected: true }));
    await recorded("Combo=Blue");
    expect(await codeOf("One", { kind: "select", isSelected: true })).toBe("PATTERN_UNSUPPORTED");
  });

  test("takes the focus, and does not scroll", async () => {
    unwrap(await controls.act(await controls.find("Entry"), { kind: "focus" }));
    await seen("text", "Entry", "focused", ({ states }) => states.includes("focused"));
    expect(await codeOf("Row-35", { kind: "reveal" })).toBe("PATTERN_UNSUPPORTED");
  });

  test("is not asked for what it cannot do, or to do it to another control", async () => {
    const before = controls.record().length;
    expect(await codeOf("Grey", { kind: "invoke", action: "click" })).toBe("DISABLED");
    expect(await codeOf("Press", { kind: "invoke", action: "polish" })).toBe("PATTERN_UNSUPPORTED");
    const old = await controls.find("Old");
    await invoke("Rename");
    await waitFor("the new name", async () => {
      return unwrap(await controls.platform.glimpse(old, 2000))?.ownName === "New";
    });
    const refused = await controls.act(old, { kind: "invoke", action: "click" });
    expect(refused).toMatchObject({
      failure: { code: "NOT_FOUND", message: 'the button "Old" is now another control', done: "nothing was done." },
    });
    expect(controls.record()).toHaveLength(before);
  });

  test("is not waited for while a dialog is open, and a control that is gone is not found", async () => {
    await invoke("Ask");
    await waitFor("the dialog", () => controls.scene.run("wmctrl", "-l").stdout.includes("Question"));
    const answer = await controls.find("OK");
    await invoke("OK");
    await recorded("answered");
    await waitFor("the dialog's end", async () => {
      return unwrap(await controls.platform.glimpse(answer, 2000)) === undefined;
    });
    expect(await controls.act(answer, { kind: "invoke", action: "click" })).toMatchObject({
      failure: { code: "NOT_FOUND", done: "nothing was done." },
    });
  });
});

describe("GTK 4", () => {
  open("gtk4");
  glimpseAll();

  test("presses and expands; its check boxes have no action", async () => {
    await invoke("Press");
    await recorded("Press");
    await invoke("More", "button");
    await waitFor("the content", () => controls.see("label", "Inside").states.includes("visible"));
    expect((await controls.find("Check")).platformActions).toEqual([]);
    await invoke("Ask");
    await waitFor("the dialog", () => controls.scene.run("wmctrl", "-l").stdout.includes("Question"));
    await invoke("OK");
    await recorded("answered");
  });

  test("refuses controls disabled by themselves or by their container", async () => {
    expect(await codeOf("Grey", { kind: "invoke", action: "click" })).toBe("DISABLED");
    expect(await codeOf("Inner", { kind: "invoke", action: "click" })).toBe("DISABLED");
    expect(controls.record()).not.toContain("Inner");
  });

  test("takes texts and numbers", async () => {
    await setText("Entry", words);
    await recorded(`Entry=${words}`);
    await setText("Lines", "eins\nzwei");
    expect(controls.see("text", "Lines").text).toBe("eins\nzwei");
    unwrap(await controls.act(await controls.find("Spin", "spin"), { kind: "set-number", value: 7 }));
    expect(controls.see("spin button", "Spin").value).toBe(7);
    unwrap(await controls.act(await controls.find("Scale"), { kind: "set-number", value: 33 }));
    expect(controls.see("slider", "Scale").value).toBe(33);
    expect(await codeOf("Fixed", { kind: "set-text", text: "x" })).toBe("PATTERN_UNSUPPORTED");
  });

  test("selects rows and tabs, and supports neither focus nor scrolling", async () => {
    unwrap(await controls.act(await controls.find("Row-3", "option"), { kind: "select", isSelected: true }));
    await recorded("Rows=3");
    unwrap(await controls.act(await controls.find("Row-3", "option"), { kind: "select", isSelected: false }));
    await recorded("Rows=None");
    unwrap(await controls.act(await controls.find("Page 2", "tab"), { kind: "select", isSelected: true }));
    await waitFor("the page", () => controls.see("label", "Page 2 text").states.includes("visible"));
    expect(await codeOf("Entry", { kind: "focus" })).toBe("PATTERN_UNSUPPORTED");
    expect(await codeOf("Row-35", { kind: "reveal" }, "option")).toBe("PATTERN_UNSUPPORTED");
  });

  test("knows which control is at a point", async () => {
    const press = await controls.find("Press", "button");
    const rename = await controls.find("Rename", "button");
    const ask = (point = press.clickPoint ?? { x: 0, y: 0 }) => controls.platform.askWhatIsAt(press, point, 2000);
    expect(unwrap(await ask())).toBe(press.handle);
    expect(unwrap(await ask(rename.clickPoint))).toBe(rename.handle);
  });
});

describe("Qt 5", () => {
  open("qt5");
  glimpseAll();

  test("presses and checks", async () => {
    await invoke("Press");
    await recorded("Press");
    await invoke("Check");
    await seen("check box", "Check", "checked", ({ states }) => states.includes("checked"));
    await invoke("Item");
    await recorded("Item");
    expect(await codeOf("Grey", { kind: "invoke", action: "Press" })).toBe("DISABLED");
    await invoke("Page 2", "tab");
    await waitFor("the page", () => controls.see("label", "Page 2 text").states.includes("showing"));
  });

  test("takes texts and numbers, and the focus", async () => {
    await setText("Entry", words);
    await recorded(`Entry=${words}`);
    await setText("Lines", "eins\nzwei");
    expect(controls.see("text", "Lines").text).toBe("eins\nzwei");
    unwrap(await controls.act(await controls.find("Spin"), { kind: "set-number", value: 7 }));
    expect(controls.see("spin button", "Spin").value).toBe(7);
    expect(await codeOf("Fixed", { kind: "set-text", text: "x" })).toBe("PATTERN_UNSUPPORTED");
    unwrap(await controls.act(await controls.find("Press"), { kind: "focus" }));
    await seen("push button", "Press", "focused", ({ states }) => states.includes("focused"));
  });

  test("selects entries by their action, but no choice of a closed list", async () => {
    unwrap(await controls.act(await controls.find("Row-3"), { kind: "select", isSelected: true }));
    expect(controls.see("list item", "Row-3").states).toContain("selected");
    unwrap(await controls.act(await controls.find("Trees"), { kind: "select", isSelected: true }));
    expect(controls.see("table cell", "Trees").states).toContain("selected");
    unwrap(await controls.act(await controls.find("Trees"), { kind: "select", isSelected: false }));
    expect(controls.see("table cell", "Trees").states).not.toContain("selected");
    expect(await codeOf("Blue", { kind: "select", isSelected: true })).toBe("PATTERN_UNSUPPORTED");
    expect(await codeOf("Far-25", { kind: "reveal" })).toBe("PATTERN_UNSUPPORTED");
  });

  test("is not waited for while a dialog is open", async () => {
    await invoke("Ask");
    await waitFor("the dialog", () => controls.scene.run("wmctrl", "-l").stdout.includes("Question"));
    await invoke("OK");
    await recorded("answered");
  });
});

matrix.describe("Firefox", () => {
  open("firefox");
  glimpseAll();

  test("presses, checks and sets a slider, and the page receives the events", async () => {
    await invoke("Press");
    await recorded("Press");
    await invoke("Check", "checkbox");
    await recorded("Check=true");
    unwrap(await controls.act(await controls.find("Scale"), { kind: "set-number", value: 33 }));
    await recorded("Scale=33");
    await invoke("Page 2", "tab");
    await recorded("Tab 2");
  });

  test("is not asked for actions that its pages do not receive", async () => {
    expect(await codeOf("Entry", { kind: "set-text", text: "x" }, "input")).toBe("PATTERN_UNSUPPORTED");
    expect(await codeOf("Spin", { kind: "set-number", value: 7 })).toBe("PATTERN_UNSUPPORTED");
    expect(await codeOf("Row-3", { kind: "select", isSelected: true })).toBe("PATTERN_UNSUPPORTED");
    expect(await codeOf("Blue", { kind: "select", isSelected: true })).toBe("PATTERN_UNSUPPORTED");
    expect(await codeOf("Grey", { kind: "invoke", action: "press" })).toBe("DISABLED");
  });

  test("selects in an opened list through the option's own action", async () => {
    await invoke("Combo", "select");
    await waitFor("the open list", () => controls.see("menu item", "Green").states.includes("showing"));
    await invoke("Green");
    await recorded("Combo=Green");
  });

  test("takes the focus, and scrolls", async () => {
    unwrap(await controls.act(await controls.find("Entry", "input"), { kind: "focus" }));
    await seen("entry", "Entry", "focused", ({ states }) => states.includes("focused"));
    const far = await controls.find("Far");
    const before = unwrap(await controls.platform.glimpse(far, 2000))?.place;
    unwrap(await controls.act(far, { kind: "reveal" }));
    await waitFor("another place", async () => {
      return unwrap(await controls.platform.glimpse(far, 2000))?.place !== before;
    });
    await waitFor("the way back", async () => {
      unwrap(await controls.act(await controls.find("Press"), { kind: "reveal" }));
      return unwrap(await controls.platform.glimpse(far, 2000))?.place === before;
    });
  });

  test("knows what lies above a button", () => expectCoverSeen());
});

matrix.describe("Chromium", () => {
  open("chromium");
  glimpseAll();

  test("presses, checks, sets numbers and selects, and the page receives the events", async () => {
    await invoke("Press");
    await recorded("Press");
    await invoke("Check", "checkbox");
    await recorded("Check=true");
    unwrap(await controls.act(await controls.find("Spin"), { kind: "set-number", value: 7 }));
    await recorded("Spin=7");
    unwrap(await controls.act(await controls.find("Scale"), { kind: "set-number", value: 33 }));
    await recorded("Scale=33");
    for (const name of ["Row-3", "Row-4"])
      unwrap(await controls.act(await controls.find(name), { kind: "select", isSelected: true }));
    await recorded("Rows=Row-3,Row-4");
    unwrap(await controls.act(await controls.find("Row-3"), { kind: "select", isSelected: false }));
    await recorded("Rows=Row-4");
    // Though the list is closed.
    unwrap(await controls.act(await controls.find("Green"), { kind: "select", isSelected: true }));
    await recorded("Combo=Green");
  });

  test("has no text interface for fields, and refuses what it cannot do", async () => {
    expect(await codeOf("Entry", { kind: "set-text", text: "x" }, "input")).toBe("PATTERN_UNSUPPORTED");
    expect(await codeOf("Fixed", { kind: "set-text", text: "x" })).toBe("PATTERN_UNSUPPORTED");
    expect(await codeOf("Page 2", { kind: "select", isSelected: true }, "tab")).toBe("PATTERN_UNSUPPORTED");
    expect(await codeOf("Blue", { kind: "select", isSelected: false })).toBe("PATTERN_UNSUPPORTED");
    expect(await codeOf("Grey", { kind: "invoke", action: "press" })).toBe("DISABLED");
  });

  test("takes the focus", async () => {
    unwrap(await controls.act(await controls.find("Entry", "input"), { kind: "focus" }));
    await seen("entry", "Entry", "focused", ({ states }) => states.includes("focused"));
  });

  test("knows what lies above a button", () => expectCoverSeen());
});

async function expectCoverSeen(): Promise<void> {
  const press = await controls.find("Press");
  const combo = await controls.find("Combo", "select");
  const ask = async (element = press) => {
    return unwrap(await controls.platform.askWhatIsAt(element, element.clickPoint ?? { x: 0, y: 0 }, 2000));
  };
  // A closed list may answer in place of its box.
  const ofCombo = flatten([combo]).map(({ handle }) => handle);
  expect(await ask()).toBe(press.handle);
  expect(ofCombo).toContain((await ask(combo)) ?? "nothing");
  await invoke("Cover");
  // Once over the dialog's text, and once where the cover exposes nothing at all.
  await waitFor("the dialog above", async () => ![press.handle, undefined].includes(await ask()));
  await waitFor("the cover above", async () => !ofCombo.includes((await ask(combo)) ?? ofCombo[0] ?? ""));
}
