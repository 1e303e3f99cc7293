import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openEnvelope } from "../envelope.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { clickOn, pick, readShown, type Shown } from "./shown.ts";

let scene: Scene;
let pid = 0;
const read = (...args: string[]): Shown[] => readShown(scene, "--pid", String(pid), ...args);
const screenText = (): string => (scene.ask("text", String(pid), "terminal") as string[])[0] ?? "";
const type = (text: string): unknown => scene.run("xdotool", "type", "--delay", "10", text);

beforeAll(async () => {
  scene = await openScene();
  // A plain shell: without the machine's prompt, and with an empty history.
  const shell = "env PS1=ready: HISTFILE= sh -i";
  const child = await scene.start(["xfce4-terminal", "--disable-server", "--command", shell], "Terminal");
  pid = child.pid ?? 0;
  await waitFor("the prompt", () => screenText().includes("ready:"));
  await scene.settle();
});

afterAll(() => scene.close());

describe("a VTE terminal", () => {
  test("is one control with the text on its screen as its value, and the focus", () => {
    const terminal = pick(read(), "term", "Terminal");
    expect(terminal.v).toBe("ready:");
    expect(terminal.f).toBe(true);
    expect(terminal.a).toEqual(["menu"]);
    expect(read().filter(({ r }) => r === "other" || r === "tab")).toEqual([]);
  });

  test("has its menus, whose entries are read when one is opened", async () => {
    expect(read("--roles", "menu").map(({ t }) => t)).toEqual(["File", "Edit", "View", "Terminal", "Tabs", "Help"]);
    clickOn(scene, pick(read(), "menu", "Edit"));
    await waitFor("the menu", () => read("--roles", "menuitem").some(({ t }) => t === "Copy"));
    scene.run("xdotool", "key", "Escape");
    await waitFor("no menu", () => read("--roles", "menuitem").length === 0);
  });

  test("shows typed text and its output on the next read", async () => {
    type("echo $((6*7)) apples");
    await waitFor("the line on the screen", () => screenText().includes("apples"));
    expect(pick(read(), "term", "Terminal").v).toBe("ready:echo $((6*7)) apples");
    scene.run("xdotool", "key", "Return");
    await waitFor("the answer on the screen", () => screenText().includes("42 apples"));
    expect(pick(read(), "term", "Terminal").v).toBe("ready:echo $((6*7)) apples 42 apples ready:");
  });

  test("full of lines, is bounded, and keeps the end", async () => {
    type("for i in $(seq 1 400); do echo line $i of many that fill the whole screen and more; done");
    scene.run("xdotool", "key", "Return");
    await waitFor("the last line", () => /line 400 of many.*\nready:\s*$/.test(screenText()));
    const { v = "" } = pick(read(), "term", "Terminal");
    expect(v).toEndWith("line 400 of many that fill the whole screen and more ready:");
    expect(v).toStartWith("…");
    expect(v.length).toBeLessThanOrEqual(500);
    const text = openEnvelope(scene.deskmap("read", "--roles", "term", "--format", "text").stdout);
    const line = text.split("\n").at(-1) ?? "";
    expect(line).toContain('line 400 of many that fill the whole screen and more ready:" focused');
    expect(line.length).toBeLessThan(300);
  });
});
