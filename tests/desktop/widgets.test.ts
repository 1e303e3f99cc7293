import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { matrix } from "../tier.ts";
import { type Case, compare, readFirst, type Seen } from "./agree.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { clickOn, describeShown, pick, readShown, type Shown } from "./shown.ts";

// Both factories show one of each control of their toolkit, on three pages. The expected values were once compared with
// pictures of the screen.

let scene: Scene;
let pid = 0;
const read = (...args: string[]): Shown[] => readShown(scene, "--pid", String(pid), ...args);

async function openFactory(command: string, title: string): Promise<void> {
  scene = await openScene({ width: 1400, height: 1000 });
  const child = await scene.start([command], title);
  pid = child.pid ?? 0;
  // Its spinners never stop, so wait for the window's last part instead.
  await waitFor("the first page", () => read().filter(({ t }) => t === "page 3").length >= 3);
}

async function turnTo(page: string, sign: (elements: Shown[]) => boolean): Promise<Shown[]> {
  clickOn(scene, read().find(({ t, r }) => t === page && (r === "radio" || r === "tab")) ?? { i: 0, r: page });
  await waitFor(page, () => sign(read()));
  return read();
}

async function findDifferences(one: Partial<Case>): Promise<string[]> {
  const { elements } = await readFirst(scene);
  const seen = scene.ask("walk", String(pid), ...(one.walk ?? [])) as Seen[];
  expect(elements.size).toBeGreaterThan(100);
  return compare({ toolkit: "", command: ["x"], title: "", walk: [], leastElements: 0, ...one }, elements, seen);
}

function expectKnownRoles(elements: readonly Shown[]): void {
  expect(elements.filter(({ r }) => r === "other").map(describeShown)).toEqual([]);
}

describe("gtk3-widget-factory", () => {
  beforeAll(() => openFactory("gtk3-widget-factory", "gtk3-widget-factory"));
  afterAll(() => scene.close());

  test("agrees on its first page with pyatspi, except for made-up names", async () => {
    // A combo box is named after its current choice, an icon after its file.
    const isMadeUp = (name: string, role: string): boolean => role === "combo box" || /-symbolic$/.test(name);
    expect(await findDifferences({ isMadeUp })).toEqual([]);
  });

  test("shows its controls as a person sees them", () => {
    const elements = read();
    expectKnownRoles(elements);
    const lines = elements.map(describeShown);
    expect(lines.filter((line) => /^(select|switch|lnk)/.test(line))).toEqual([
      "select =comboboxentry",
      "select =comboboxentry disabled",
      "select =Left",
      "select =Middle",
      "select =Right",
      "select =Andrea",
      "select =Otto disabled",
      'lnk "link button"',
      "switch =unchecked",
      "switch =unchecked disabled",
    ]);
    expect(lines.filter((line) => /^chk/.test(line))).toEqual([
      'chk "checkbutton" =mixed disabled',
      'chk "checkbutton" =unchecked disabled',
      'chk "checkbutton" =checked disabled',
      'chk "checkbutton" =mixed',
      'chk "checkbutton" =unchecked',
      'chk "checkbutton" =checked',
    ]);
    expect(lines.filter((line) => /^slider/.test(line))).toEqual([
      "slider =50",
      "slider =50 disabled",
      "slider =2",
      "slider =50",
      "slider =50 disabled",
    ]);
    expect(lines).toContain('icon "Change mode"');
    expect(lines).toContain('input "Click icon to change mode"');
    expect(lines.filter((line) => line.startsWith("tab "))).toHaveLength(12);
  });

  test("names cells without text after their column, and says which are checked", () => {
    const cells = read("--roles", "cell").map(describeShown);
    expect(cells.slice(0, 8)).toEqual([
      'cell "Cool" =checked',
      'cell "Icon"',
      'cell "Andrea"',
      'cell "Cimi"',
      'cell "Cool" =unchecked',
      'cell "Icon"',
      'cell "Otto"',
      'cell "chaotic"',
    ]);
  });

  test("has a box that stays mixed, whatever is pressed, which is not said to be checked", () => {
    const box = read("--roles", "checkbox").find((one) => describeShown(one) === 'chk "checkbutton" =mixed');
    const isMixed = ({ role, states }: Seen): boolean => role === "check box" && states.includes("indeterminate");
    const countMixed = (): number => (scene.ask("walk", String(pid)) as Seen[]).filter(isMixed).length;
    const before = countMixed();
    const checked = scene.deskmap("check", "--id", String(box?.i), "--format", "json");
    expect(JSON.parse(checked.stdout)).toMatchObject({
      effect: expect.stringMatching(/^(unverified|no-change|partial)$/),
    });
    expect(countMixed()).toBe(before);
  });

  test("toggles the switch that is clicked", async () => {
    clickOn(scene, read("--roles", "switch").find(({ e }) => e !== false) ?? { i: 0, r: "switch" });
    await waitFor("the switch to be on for pyatspi", () => {
      const seen = scene.ask("walk", String(pid)) as Seen[];
      return seen.some(({ role, actions, states }) => {
        return role === "toggle button" && actions?.[0] === "toggle" && states.includes("checked");
      });
    });
  });

  test("shows icons, the calendar and settings by their rows on the second page; its expander is pressed beside its content", async () => {
    const elements = await turnTo("Page 2", (shown) => shown.some(({ t }) => t === "Row 1"));
    expectKnownRoles(elements);
    expect(elements.filter(({ r }) => r === "icon").length).toBeGreaterThanOrEqual(12);
    expect(elements.filter(({ r }) => r === "calendar")).toHaveLength(1);
    expect(pick(elements, "switch", "Row 1").p).toBeDefined();
    expect(pick(elements, "slider", "Row 2").v).toBe("50");
    expect(pick(elements, "status", "All systems are operating normally.").p).toBeDefined();
    clickOn(scene, pick(elements, "toggle", "Expander"));
    await waitFor("the expander to close for pyatspi", () => {
      return !(scene.ask("first", String(pid), "toggle button", "Expander") as Seen).states.includes("expanded");
    });
    expect(read("--roles", "icon")).toEqual([]);
  });

  test("opens a menu whose entries are read at their places", async () => {
    clickOn(scene, pick(read(), "menu", "View"));
    await waitFor("the menu", () => read("--roles", "menuitem").some(({ t }) => t === "Statusbar"));
    expect(describeShown(pick(read(), "menuitem", "Statusbar"))).toContain("=checked");
    clickOn(scene, pick(read(), "menuitem", "Statusbar"));
    await waitFor("the status bar to go for pyatspi", () => {
      return !(scene.ask("walk", String(pid)) as Seen[]).some(({ role }) => role === "status bar");
    });
  });

  test("reads links inside a text, trees and colours on the third page", async () => {
    const elements = await turnTo("Page 3", (shown) => shown.some(({ t }) => t === "Charlemagne"));
    expectKnownRoles(elements);
    const link = pick(elements, "lnk", "Wikipedia");
    const [x = 0, , width = 0] = pick(elements, "txt", "Data source: Wikipedia").b ?? [];
    expect(link.p?.[0]).toBeGreaterThan(x + width / 2);
    const person = pick(elements, "cell", "Charlemagne");
    expect(person.x).toContain("expanded");
    expect(person.a).toContain("expand");
    expect(pick(elements, "cell", "742").a).not.toContain("expand");
    expect(pick(elements, "slider", "Hue").v).toBe("0");
    expect(pick(elements, "icon", "Insert Emoji").p).toBeDefined();
  });

  test("names the fields of a popover by the labels beside them", async () => {
    clickOn(scene, pick(read(), "toggle", "Open"));
    await waitFor("the popover", () => read("--roles", "input").some(({ t }) => t === "Title:"));
    expect(pick(read(), "input", "Description:").p).toBeDefined();
    scene.run("xdotool", "key", "Escape");
  });
});

matrix.describe("gtk4-widget-factory", () => {
  beforeAll(() => openFactory("gtk4-widget-factory", "Widget Factory"));
  afterAll(() => scene.close());

  test("agrees on its first page with pyatspi, except for made-up names", async () => {
    const isMadeUp = (name: string, role: string): boolean => {
      return /^([A-Z][a-z]+([A-Z][a-z]+)+|Tab list)$/.test(name) || (role === "panel" && name !== "");
    };
    const differences = await findDifferences({ isMadeUp, walk: ["--visible-is-showing"], measuresFromWindow: true });
    // GTK 4 reports controls inside a disabled box as enabled; the content of a password field is not read at all.
    expect(differences.filter((line) => !/disabled is|^image "GtkImage": missing$/.test(line))).toEqual([]);
  });

  test("shows its controls as a person sees them", () => {
    const elements = read();
    expectKnownRoles(elements);
    const lines = elements.map(describeShown);
    expect(lines).toContain('input "Password…" secret');
    expect(lines).toContain('input "Click icon to change mode"');
    expect(lines.filter((line) => line.startsWith("switch"))).toEqual([
      "switch =unchecked",
      "switch =unchecked disabled",
    ]);
    expect(lines.filter((line) => /^select/.test(line))).toEqual([
      "select =comboboxentry",
      "select =comboboxentry disabled",
      "select",
      "select",
      "select",
      "select",
      "select disabled",
    ]);
    expect(lines.filter((line) => line === "input =comboboxentry disabled")).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith("tab "))).toEqual([
      'tab "Sunset" selected',
      'tab "NYC"',
      'tab "Beach"',
      ...[1, 2, 3].flatMap(() => ['tab "page 1" selected', 'tab "page 2"', 'tab "page 3"']),
      'tab "Page 1" selected pressed',
      'tab "Page 2"',
      'tab "Page 3"',
    ]);
  });

  test("shows only the front page, with its buttons named once", async () => {
    const elements = await turnTo("Page 2", (shown) => shown.some(({ t }) => t === "Inform"));
    expectKnownRoles(elements);
    const names = elements.map(({ t }) => t);
    expect(names).not.toContain("checkbutton");
    expect(names).not.toContain("Lock");
    expect(elements.filter(({ t }) => t === "Inform").map(describeShown)).toEqual(['btn "Inform"']);
    expect(pick(elements, "switch", "Row 1").p).toBeDefined();
    expect(pick(elements, "chk", "Row 6").p).toBeDefined();
    expect(elements.filter(({ r }) => r === "calendar")).toHaveLength(1);
  });

  test("closes the expander that is clicked", async () => {
    clickOn(scene, pick(read(), "btn", "Expander"));
    await waitFor("the expander to close for pyatspi", () => {
      return !(scene.ask("first", String(pid), "push button", "GtkExpander") as Seen).states.includes("expanded");
    });
  });

  test("reads a popover as a dialog while it is open, and no longer", async () => {
    await turnTo("Page 3", (shown) => shown.some(({ t }) => t === "Lock"));
    clickOn(scene, pick(read(), "btn", "Open"));
    await waitFor("the popover", () => read("--roles", "dialog").length === 1);
    const title = pick(read(), "input", "Title:");
    clickOn(scene, title);
    scene.run("xdotool", "type", "--delay", "20", "Hello");
    await waitFor("pyatspi to see what was typed", () => {
      return scene.ask("holds", String(pid), "text", "Hello") === true;
    });
    expect(pick(read(), "input", "Title:").v).toBe("Hello");
    scene.run("xdotool", "key", "Escape");
    await waitFor("no popover", () => read("--roles", "dialog").length === 0);
  });
});

matrix.describe("gtk4-demo's drop-downs", () => {
  afterAll(() => scene.close());

  test("show their choice; their open list is read at its place, and a click there chooses", async () => {
    scene = await openScene();
    pid = (await scene.start(["gtk4-demo", "--run=dropdown"], "Selections")).pid ?? 0;
    await waitFor("the last of them", () => read("--roles", "select").length === 4);
    expect(read("--roles", "select").map(({ v }) => v)).toEqual([
      "1 minute",
      "1 minute",
      expect.any(String),
      "Digital Output",
    ]);
    expect(read("--roles", "input")).toHaveLength(3);
    clickOn(scene, pick(read(), "select", "Dropdowns"));
    await waitFor("the list", () => read("--roles", "option").length === 4);
    expect(read("--roles", "option").map(describeShown)).toEqual([
      'option "1 minute" selected',
      'option "2 minutes"',
      'option "5 minutes"',
      'option "20 minutes"',
    ]);
    clickOn(scene, pick(read(), "option", "5 minutes"));
    await waitFor("no list", () => read("--roles", "option").length === 0);
    expect(pick(read(), "select", "Dropdowns").v).toBe("5 minutes");
    const chosen = scene.ask("first", String(pid), "label", "5 minutes") as Seen;
    expect(chosen.states).toContain("visible");
  });
});
