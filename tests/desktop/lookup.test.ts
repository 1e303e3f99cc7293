import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEnvelope } from "../envelope.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

const lines = Array.from({ length: 3000 }, (_, index) => `line ${index} of a long text with umlauts äöü`);
const wholeText = `${lines.join("\n")}\n`;
const page = `<!doctype html><title>Lookup</title><h1>Fruit</h1><p>Apples are <a href="#">red</a> or green.</p>
<ul><li>one</li><li>two</li><li><a href="#">more</a></li></ul><label>Name <input value="typed words"></label>
<label>Password <input type="password" value="open sesame"></label> PIN <input value="sesame four">`;

interface Found {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
  readonly p?: readonly [number, number];
  readonly score: number;
}

describe("looking up one control on a real desktop", () => {
  let scene: Scene;
  let folder: string;
  let mousepad: ChildProcess;
  const firefox = prepareFirefox(page);
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "deskmap-lookup-"));
    writeFileSync(join(folder, "long.txt"), wholeText);
    scene = await openScene({ width: 1600, height: 1000 });
    mousepad = await scene.start(["mousepad", join(folder, "long.txt")], "long.txt");
    await scene.start(firefox.command, "Lookup");
    await scene.settle();
  });
  afterAll(async () => {
    await scene.close();
    firefox.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const find = (...args: string[]): Found[] => {
    const { stdout, stderr } = scene.deskmap("find", ...args, "--format", "json");
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout).matches;
  };
  const textOf = (mark: number, ...args: string[]) => {
    const { stdout, stderr } = scene.deskmap("text", "--id", String(mark), ...args, "--format", "json");
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout) as { text: string; length: number; end: number; next?: number };
  };
  const raise = (title: string): void => {
    scene.run("xdotool", "search", "--onlyvisible", "--name", title, "windowactivate", "--sync");
  };

  test("finds a menu by its name, and a click at its point opens that menu", async () => {
    raise("long.txt");
    const [menu] = find("search", "menu", "--app", "mousepad");
    expect(menu).toMatchObject({ r: "menu", t: "Search" });
    const [x = 0, y = 0] = menu?.p ?? [];
    scene.run("xdotool", "mousemove", String(x), String(y), "click", "1");
    await waitFor("pyatspi sees the entry Find Next", () => {
      return (scene.ask("names", String(mousepad.pid), "menu item") as string[]).some(
        (name) => name.trim() === "Find Next",
      );
    });
    const [entry] = find("find", "next", "--app", "mousepad");
    const at = scene.deskmap("at", String(entry?.p?.[0]), String(entry?.p?.[1]), "--format", "json");
    expect(JSON.parse(at.stdout).element).toMatchObject({ i: entry?.i, t: "Find Next" });
    scene.run("xdotool", "key", "Escape", "Escape");
  });

  test("finds one control of a page once: a field without its label, a link without its list item", () => {
    expect(find("name", "--app", "firefox").map(({ r, t }) => [r, t])).toEqual([["input", "Name"]]);
    expect(find("more", "--app", "firefox").map(({ r, t }) => [r, t])).toEqual([["lnk", "more"]]);
  });

  test("returns the application's own element at a point", () => {
    raise("long.txt");
    const [menu] = find("edit", "menu", "--app", "mousepad");
    const [x = 0, y = 0] = menu?.p ?? [];
    const at = JSON.parse(scene.deskmap("at", String(x), String(y), "--format", "json").stdout);
    expect(at.element).toMatchObject({ i: menu?.i, r: "menu", t: "Edit" });
    expect(scene.ask("at", String(mousepad.pid), String(x), String(y))).toEqual({ role: "menu", name: "Edit" });
    expect(at.ancestors[0]).toMatchObject({ r: "window" });
    expect(at.element.patterns).toContain("invoke");
  });

  test("returns the front window at a point, not the one it covers", () => {
    raise("Lookup");
    const { windows } = JSON.parse(scene.deskmap("list", "--format", "json").stdout) as {
      windows: { app: string; bounds: [number, number, number, number] }[];
    };
    const front = windows.find(({ app }) => /firefox/i.test(app));
    const [x, y, width, height] = front?.bounds ?? [0, 0, 0, 0];
    const middle = [x + Math.floor(width / 2), y + Math.floor(height / 2)].map(String);
    const located = scene.run("xdotool", "mousemove", ...middle, "getmouselocation", "--shell").stdout;
    const under = Number(/WINDOW=(\d+)/.exec(located)?.[1]);
    const at = JSON.parse(scene.deskmap("at", ...middle, "--format", "json").stdout);
    expect(at.app).toMatch(/firefox/i);
    const title = scene.run("xdotool", "getwindowname", String(under)).stdout.trim();
    expect(title === "" || title.includes("Lookup")).toBe(true);
  });

  test("reads a long text in parts that add up to the file", () => {
    const [field] = find("input", "--app", "mousepad", "--role", "input");
    const mark = field?.i ?? 0;
    let text = "";
    for (let start: number | undefined = 0; start !== undefined; ) {
      const part = textOf(mark, "--start", String(start));
      expect(part.length).toBe([...wholeText].length);
      text += part.text;
      start = part.next;
    }
    expect(text).toBe(wholeText);
  });

  test("reads the requested range", () => {
    const [field] = find("input", "--app", "mousepad", "--role", "input");
    expect(textOf(field?.i ?? 0, "--start", "5", "--end", "40").text).toBe(wholeText.slice(5, 40));
  });

  test("joins a page's text in order, without its secrets", () => {
    const [document] = find("lookup", "--app", "firefox", "--role", "web");
    const { text } = textOf(document?.i ?? 0);
    expect(text).toBe("Fruit\nApples are red or green.\n• one\n• two\n• more\nName typed words Password PIN");
  });

  test("refuses the text of a password field, with the exit code of a refusal", () => {
    const [field] = find("password", "--app", "firefox", "--role", "input");
    const refused = scene.deskmap("text", "--id", String(field?.i), "--format", "text");
    expect(refused.status).toBe(3);
    expect(openEnvelope(refused.stderr)).toStartWith("REFUSED");
    expect(refused.stdout + refused.stderr).not.toContain("sesame");
  });

  test("finds a control in a closed menu, and says that it is hidden", () => {
    const [entry] = find("find", "next", "--app", "mousepad");
    expect(entry).toMatchObject({ r: "menuitem", t: "Find Next", x: ["hidden"] });
  });
});
