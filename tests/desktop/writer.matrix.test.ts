import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Seen } from "./agree.ts";
import { guardScene } from "./guarded-scene.ts";
import { Listening } from "./listening.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { clickOn, pick, readShown, type Shown } from "./shown.ts";

const paragraphs = ["The first paragraph.", "A second one, with a comma.", "Ünïcode third — the last."];

let scene: Scene;
let directory = "";
let pid = 0;
const read = (...args: string[]): Shown[] => readShown(scene, "--window", "letter", ...args);

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "deskmap-writer-"));
  writeFileSync(join(directory, "letter.txt"), paragraphs.join("\n"));
  scene = await openScene({ width: 1400, height: 1000 });
  await scene.start(
    [
      "env",
      "SAL_USE_VCLPLUGIN=gtk3",
      "soffice",
      "--writer",
      "--norestore",
      "--nologo",
      "--nofirststartwizard",
      `-env:UserInstallation=file://${join(directory, "profile")}`,
      join(directory, "letter.txt"),
    ],
    "letter.txt",
  );
  await waitFor("the document", () => read().some(({ t }) => t === paragraphs[2]));
  await scene.settle();
  const windowId = scene.run("xdotool", "search", "--onlyvisible", "--name", "letter.txt").stdout.trim().split("\n")[0];
  pid = Number(scene.run("xdotool", "getwindowpid", windowId ?? "").stdout);
});

afterAll(async () => {
  await scene.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("LibreOffice Writer", () => {
  test("shows its document with the paragraphs in order", () => {
    const elements = read();
    const document = elements.find(({ r }) => r === "doc");
    expect(document?.c?.map(({ t }) => t)).toEqual(paragraphs);
    expect(elements.filter(({ r }) => r === "other")).toEqual([]);
  });

  test("names the fields of a dialog by the labels beside them, where a button opens their list", () => {
    expect(scene.deskmap("click", "Character...", "--window", "letter").status).toBe(0);
    expect(scene.deskmap("click", "Font", "--role", "tab", "--window", "Character").status).toBeOneOf([0, 4]);
    const fields = readShown(scene, "--window", "Character", "--roles", "input").map(({ t }) => t);
    for (const label of ["Size:", "Style:", "Language:"]) expect(fields).toContain(label);
    expect(scene.deskmap("click", "Cancel", "--window", "Character").status).toBe(0);
  });

  test("shows its menu bar once, its tool bars, its side bar and its status bar", () => {
    const elements = read();
    expect(elements.filter(({ r }) => r === "menubar")).toHaveLength(1);
    expect(read("--roles", "menu").map(({ t }) => t)).toEqual(
      "File,Edit,View,Insert,Format,Styles,Table,Form,Tools,Window,Help".split(","),
    );
    const bars = elements.filter(({ r }) => r === "toolbar").map(({ t }) => t);
    expect(bars).toEqual(expect.arrayContaining(["Standard", "Formatting", "Properties", "Navigator"]));
    expect(pick(elements, "toggle", "Navigator").p).toBeDefined();
    expect(pick(elements, "input", "Font Size").v).toMatch(/^\d+ pt$/);
    expect(pick(elements, "txt", "Page 1 of 1").p).toBeDefined();
  });

  test("is pressed at Deskmap's points: a tool button, a paragraph and a menu", async () => {
    clickOn(scene, pick(read(), "toggle", "Bold"));
    await waitFor("pyatspi to see it checked", () => {
      return (scene.ask("first", String(pid), "toggle button", "Bold") as Seen).states.includes("checked");
    });
    clickOn(scene, pick(read(), "txt", paragraphs[1]));
    scene.run("xdotool", "key", "End");
    scene.run("xdotool", "type", "--delay", "20", " More.");
    await waitFor("pyatspi to see what was typed", () => {
      return (scene.ask("text", String(pid), "paragraph") as string[]).includes(`${paragraphs[1]} More.`);
    });
    expect(pick(read(), "txt", `${paragraphs[1]} More.`).f).toBe(true);
    clickOn(scene, pick(read(), "menu", "File"));
    await waitFor("the menu's entries", () => read("--roles", "menuitem").some(({ t }) => t === "Save"));
    clickOn(scene, pick(read(), "menuitem", "Save"));
    await waitFor("the question about the format", () => {
      return readShown(scene, "--pid", String(pid)).some(({ t }) => t?.startsWith("Use Text") === true);
    });
    const keep = readShown(scene, "--pid", String(pid)).find(({ t }) => t?.startsWith("Use Text") === true);
    clickOn(scene, keep ?? { i: 0, r: "btn" });
    await waitFor("the file to hold it", () => {
      return readFileSync(join(directory, "letter.txt"), "utf8").includes(`${paragraphs[1]} More.`);
    });
  });

  test("a text that a person types over two paragraphs is recorded whole", async () => {
    guardScene(scene, { sensitive: "allow", actionsPerMinute: 0, hotkey: false });
    const listening = await Listening.begin(scene);
    try {
      listening.robot(["key", "ctrl+End"], ["type", "--delay", "40", " One."], ["key", "Return"]);
      listening.robot(["type", "--delay", "40", "Two."], ["key", "ctrl+b"]);
      const last = await listening.wait(3);
      expect(last).toMatchObject({ tool: "type", input: { key: "Ctrl+B" } });
      expect(listening.steps[1]).toMatchObject({ tool: "type", input: { text: " One.\nTwo." }, aim: "focus" });
      expect(scene.ask("text", String(pid), "paragraph")).toEqual(expect.arrayContaining(["Two."]));
    } finally {
      await listening.end();
    }
  });

  test("a text of several lines is confirmed as a whole, at the end of a paragraph and within one", () => {
    const readParagraphs = (): string[] => scene.ask("text", String(pid), "paragraph") as string[];
    for (const [keys, lines] of [
      [["ctrl+End"], ["", "Last but one", "Last"]],
      [
        ["ctrl+Home", "ctrl+Right"],
        ["in", "the middle ", "of "],
      ],
    ] as const) {
      scene.run("xdotool", "key", ...keys);
      const effect = scene.deskmap("type", "--window", "letter", "--text", lines.join("\n"), "--format", "json");
      expect(JSON.parse(effect.stdout)).toMatchObject({
        effect: "confirmed",
        evidence: expect.arrayContaining(["it holds what was typed"]),
      });
    }
    expect(readParagraphs().at(-1)).toBe("Last");
    expect(readParagraphs().slice(0, 3)).toEqual(["The in", "the middle ", "of first paragraph."]);
  });

  test("a key that only moves the caret is confirmed by it", async () => {
    const readCarets = (): number[] => scene.ask("caret", String(pid), "paragraph") as number[];
    scene.run("xdotool", "key", "ctrl+Home");
    await waitFor("the caret at the beginning", () => readCarets().includes(0));
    const moved = JSON.parse(
      scene.deskmap("type", "--key", "ctrl+Right", "--window", "letter", "--format", "json").stdout,
    );
    expect(moved).toMatchObject({ effect: "confirmed", evidence: ["the caret moved from 0 to 4"] });
    // Writer leaves the state "focused" at paragraphs that had it, without a caret.
    expect(readCarets()).toContain(4);
  });
});
