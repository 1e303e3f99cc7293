import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Seen } from "./agree.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { clickOn, describeShown, pick, readShown, type Shown } from "./shown.ts";

const source = join(import.meta.dir, "../fixtures/apps/SwingForm.java");
const password = "hunter2secret";

let scene: Scene;
let directory = "";
let pid = 0;
const read = (...args: string[]): Shown[] => readShown(scene, "--pid", String(pid), ...args);
const record = (): string => {
  try {
    return readFileSync(join(directory, "record"), "utf8");
  } catch {
    return "";
  }
};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "deskmap-swing-"));
  const compiled = spawnSync("ecj", ["-17", "-proc:none", "-d", directory, source], { encoding: "utf8" });
  expect(compiled.stderr).toBe("");
  scene = await openScene();
  const command = [
    "java",
    "-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper",
    "-cp",
    `/usr/share/java/java-atk-wrapper.jar:${directory}`,
    "SwingForm",
    join(directory, "record"),
  ] as const;
  pid = (await scene.start(command, "Swing form")).pid ?? 0;
  await waitFor("the form", () => read().some(({ t }) => t === "All is well"));
  await scene.settle();
});

afterAll(async () => {
  await scene.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("a Swing application", () => {
  test("is read with every control's role, name, value and states", () => {
    expect(read().map(describeShown)).toEqual([
      "tabs",
      'tab "Fields" selected',
      'btn "Apply"',
      'btn "Off" disabled',
      'chk "Wrap lines" =checked',
      'toggle "Bold"',
      'radio "Left" =checked',
      'radio "Right" =unchecked',
      'txt "Name"',
      'input "Name" =Ada',
      'txt "Password"',
      'input "Password" secret',
      'txt "Size"',
      'select "Size" =Small collapsed',
      'txt "Volume"',
      'slider "Volume" =4',
      'txt "Copies"',
      'spin "Copies" =3',
      'input "Copies" =3',
      'txt "Progress"',
      'progress "Progress" =25',
      'tab "Lists"',
      'txt "All is well"',
      'menu "File"',
    ]);
  });

  test("agrees with pyatspi on where its buttons and fields are, what they hold and what they do", () => {
    const seen = scene.ask("walk", String(pid)) as Seen[];
    const roles: Readonly<Record<string, string>> = {
      btn: "push button",
      chk: "check box",
      radio: "radio button",
      slider: "slider",
      spin: "spin button",
    };
    const controls = read().filter(({ r }) => r in roles);
    expect(controls).toHaveLength(7);
    for (const { r, t, b } of controls) {
      const theirs = seen.find(({ role, name }) => role === roles[r] && name === t);
      expect([t, b]).toEqual([t, theirs?.extents ?? undefined]);
    }
  });

  test("shows nothing of a password, in any format", () => {
    for (const form of ["text", "json", "csv"]) {
      expect(scene.deskmap("read", "--all", "--format", form).stdout).not.toContain(password);
    }
  });

  test("is pressed at Deskmap's points: buttons, checks and radios", async () => {
    for (const [role, name, line] of [
      ["btn", "Apply", "button Apply"],
      ["chk", "Wrap lines", "check false"],
      ["radio", "Right", "radio Right"],
    ] as const) {
      clickOn(scene, pick(read(), role, name));
      await waitFor(`the application to write "${line}"`, () => record().split("\n").includes(line));
    }
  });

  test("is pressed at Deskmap's points in an open menu, which Swing itself misplaces", async () => {
    clickOn(scene, pick(read(), "menu", "File"));
    await waitFor("the menu", () => read("--roles", "menuitem").length === 2);
    expect(describeShown(pick(read(), "menuitem", "Read only"))).toBe('menuitem "Read only" =checked');
    clickOn(scene, pick(read(), "menuitem", "Open"));
    await waitFor("the application to write what was chosen", () => record().includes("menu Open"));
  });

  test("shows the choices of an open combo box once; a clicked one becomes its value", async () => {
    clickOn(scene, pick(read(), "select", "Size"));
    await waitFor("the choices", () => read("--roles", "option").length > 0);
    expect(read("--roles", "option").map(describeShown)).toEqual([
      'option "Small" selected',
      'option "Medium"',
      'option "Large"',
    ]);
    clickOn(scene, pick(read(), "option", "Large"));
    await waitFor("pyatspi to see the choice", () => scene.ask("first", String(pid), "combo box", "Large") !== null);
    expect(pick(read(), "select", "Size").v).toBe("Large");
  });

  test("has lists, tables with their headers, and trees, on the current page", async () => {
    clickOn(scene, pick(read(), "tab", "Lists"));
    await waitFor("the second page", () => read("--roles", "option").length > 0);
    const lines = read("--roles", "option,cell,header,treeitem,input").map(describeShown);
    expect(lines).toEqual([
      'option "Apple"',
      'option "Pear" selected',
      'option "Plum"',
      'cell "Mars"',
      'cell "2"',
      'cell "Venus"',
      'cell "0"',
      'header "Planet"',
      'header "Moons"',
      'treeitem "Root" expanded',
      'treeitem "Branch" collapsed',
      "input =First line Second line",
    ]);
    clickOn(scene, pick(read(), "option", "Plum"));
    await waitFor("pyatspi to see the choice", () => {
      return (scene.ask("first", String(pid), "label", "Plum") as Seen).states.includes("selected");
    });
  });

  test("keeps the marks of its cells from one read to the next, and while a menu is open", async () => {
    const marksOf = (): number[] => read("--roles", "cell,option,treeitem").map(({ i }) => i);
    const marks = marksOf();
    expect(marksOf()).toEqual(marks);
    clickOn(scene, pick(read(), "menu", "File"));
    await waitFor("the menu", () => read("--roles", "menuitem").length === 2);
    expect(marksOf()).toEqual(marks);
  });
});
