import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Scene, waitFor } from "../scene.ts";
import { act, confirm, listShown, makeFolder, markOf, openTaskScene } from "./task.ts";

const folder = makeFolder();
let scene: Scene;

beforeAll(async () => {
  scene = await openTaskScene();
});
afterAll(async () => {
  await scene.close();
  folder.remove();
});

/** Whether a window with this title is on the screen, according to X alone. */
const hasWindow = (title: string): boolean =>
  scene.run("xdotool", "search", "--onlyvisible", "--name", title).stdout.trim() !== "";

const pidOf = (title: string): string => {
  const [id = ""] = scene.run("xdotool", "search", "--onlyvisible", "--name", title).stdout.trim().split("\n");
  return scene.run("xdotool", "getwindowpid", id).stdout.trim();
};

describe("gnome-calculator", () => {
  const calculator = ["--app", "calculator"];

  test("is opened, and adds what is clicked by words and by mark", async () => {
    confirm(scene, "open", "gnome-calculator");
    expect(hasWindow("Calculator")).toBe(true);
    await scene.settle();
    confirm(scene, "click", "7", ...calculator);
    confirm(scene, "click", "×", "button", ...calculator);
    confirm(scene, "click", "--id", markOf(scene, calculator, "btn", "8"));
    confirm(scene, "click", "--id", markOf(scene, calculator, "btn", "="));
    const texts = scene.ask("text", pidOf("Calculator"), "text") as string[];
    expect(texts.some((text) => text.trim() === "56")).toBe(true);
  });

  test("adds what is typed", async () => {
    act(scene, "type", "--key", "escape", ...calculator);
    confirm(scene, "type", "125+17", ...calculator);
    confirm(scene, "type", "--key", "enter", ...calculator);
    const texts = (): string[] => scene.ask("text", pidOf("Calculator"), "text") as string[];
    await waitFor("the sum", () => texts().some((text) => text.trim() === "142"));
  });

  test("is quit", async () => {
    const pid = pidOf("Calculator");
    confirm(scene, "quit", ...calculator);
    expect(hasWindow("Calculator")).toBe(false);
    await waitFor("the end of the process", () => !existsSync(`/proc/${pid}/cmdline`));
  });
});

describe("mousepad", () => {
  const text = "Zürich – Привет, 世界!\n\tindented \"quotes\" and 'more'\nlast line";
  const file = folder.in("saved letter.txt");
  const editor = ["--app", "mousepad"];
  const dialog = ["--window", "Save As"];

  test("has a text typed and saved through its menu and the file dialog, byte for byte", async () => {
    confirm(scene, "open", "mousepad");
    await scene.settle();
    confirm(scene, "type", text, "--id", markOf(scene, editor, "input", ""));
    confirm(scene, "click", "--id", markOf(scene, editor, "menu", "File"));
    const [saveAs] = listShown(scene, ...editor).filter(({ r, t }) => r === "menuitem" && t?.startsWith("Save As"));
    confirm(scene, "click", "--id", String(saveAs?.i));
    expect(act(scene, "wait", "--for", 'window "Save As" opens').status).toBe(0);
    confirm(scene, "set-value", file, "--id", markOf(scene, dialog, "input", "Name:"));
    confirm(scene, "click", "Save", "button", ...dialog);
    await waitFor("the file", () => existsSync(file));
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(hasWindow("saved letter.txt")).toBe(true);
  });

  test("has more text typed and saved by a key", async () => {
    act(scene, "type", "--key", "ctrl+end", ...editor);
    confirm(scene, "type", " – and more", ...editor);
    act(scene, "type", "--key", "ctrl+s", ...editor);
    await waitFor("the file", () => readFileSync(file, "utf8") === `${text} – and more`);
  });

  test("is quit, and opens the file again by its name", async () => {
    confirm(scene, "quit", ...editor);
    expect(hasWindow("Mousepad")).toBe(false);
    // Without a default of its own, the desktop opens a text with any editor that is installed.
    const config = scene.sandbox.env.XDG_CONFIG_HOME ?? "";
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "mimeapps.list"), "[Default Applications]\ntext/plain=org.xfce.mousepad.desktop\n");
    confirm(scene, "open", file);
    await waitFor("the window", () => hasWindow("saved letter.txt"));
    await scene.settle();
    const texts = scene.ask("text", pidOf("saved letter.txt"), "text") as string[];
    expect(texts).toContain(`${text} – and more`);
    confirm(scene, "quit", ...editor);
  });
});

describe("xterm", () => {
  test("runs a command that is typed", async () => {
    const file = folder.in("from xterm.txt");
    await scene.start(["xterm", "-title", "Tasks", "-e", "env", "PS1=ready:", "sh", "-i"], "Tasks");
    await scene.settle();
    act(scene, "type", `printf '%s' "größer als 3" > '${file}'`, "--window", "Tasks");
    act(scene, "type", "--key", "enter", "--window", "Tasks");
    await waitFor("the file", () => existsSync(file) && readFileSync(file, "utf8") !== "");
    expect(readFileSync(file, "utf8")).toBe("größer als 3");
  });
});
