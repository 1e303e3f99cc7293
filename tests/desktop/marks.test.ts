import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { casesOf, matrix } from "../tier.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

interface JsonElement {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
}

const page = `<!doctype html><title>Marks</title><ul>${["Ada", "Bob", "Cem"]
  .map((name) => `<li><span>${name}</span> <button>Delete</button></li>`)
  .join("")}</ul><button id="more" onclick="
    const item = document.createElement('li');
    item.innerHTML = '<span>Zoe</span> <button>Delete</button>';
    document.querySelector('ul').prepend(item); document.title = 'Added'">Add</button>`;
const firefox = prepareFirefox(page);
afterAll(() => firefox.remove());

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

type Restarted = readonly [app: string, command: readonly [string, ...string[]], title: string, least: number];

describe("marks of real applications", () => {
  test("stay the same from one read to the next, with any filter and format", async () => {
    await scene.start(["mousepad"], "Mousepad");
    await scene.settle();
    const first = readMarks("mousepad");
    const all = readMarks("mousepad", "--all");
    const second = readMarks("mousepad", "--roles", "menu,input");
    expect(second.size).toBeGreaterThan(5);
    for (const [mark, label] of second) expect(first.get(mark)).toBe(label);
    for (const [mark, label] of first) expect(all.get(mark)).toBe(label);
    const text = scene.deskmap("read", "--app", "mousepad", "--format", "text").stdout;
    const [fileMark] = [...first].find(([, label]) => label === "menu File") ?? [];
    expect(text).toContain(` ${fileMark} menu "File"`);
  });

  for (const [app, command, title, least] of casesOf<Restarted>(
    [["gnome-calculator", ["gnome-calculator"], "Calculator", 30]],
    [
      ["mousepad", ["mousepad", "--disable-server"], "Mousepad", 9],
      ["featherpad", ["featherpad", "--standalone"], "Untitled", 25],
    ],
  )) {
    test(`of ${app} survive its restart`, async () => {
      const child = await scene.start(command, title);
      await scene.settle();
      const before = readMarks(app);
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await gone;
      await waitFor("the window to be gone", () => scene.run("xdotool", "search", "--name", title).status !== 0);
      await scene.start(command, title);
      await scene.settle();
      const after = readMarks(app);
      expect(before.size).toBeGreaterThanOrEqual(least);
      expect([...after].sort()).toEqual([...before].sort());
    });
  }

  test("of a second window are different, and the first window keeps its own", async () => {
    await scene.start(["mousepad"], "Mousepad");
    await scene.settle();
    const first = readMarks("mousepad");
    await scene.start(["zenity", "--info", "--text=Another application"], "Information");
    scene.sandbox.spawn(["mousepad", "--disable-server"], { stdio: "ignore" });
    await waitFor("two windows of mousepad", () => listIds("mousepad").length === 2);
    await scene.settle();
    const both = listIds("mousepad").map((id) => readMarksOf("--window-id", String(id)));
    const shared = [...(both[0] ?? [])].filter(([mark]) => both[1]?.has(mark));
    expect(shared).toEqual([]);
    expect(both.filter((marks) => [...first.keys()].every((mark) => marks.has(mark)))).toHaveLength(1);
  });

  matrix.test("stay with their list item when another is inserted before it in a page", async () => {
    await scene.start(firefox.command, "Marks");
    await scene.settle();
    const before = readDeleteMarks();
    expect(before).toHaveLength(3);
    const add = (
      JSON.parse(scene.deskmap("read", "--app", "firefox", "--compact", "--points").stdout) as {
        elements: (JsonElement & { p?: [number, number] })[];
      }
    ).elements.find((element) => element.t === "Add")?.p;
    scene.run("xdotool", "mousemove", String(add?.[0]), String(add?.[1]), "click", "1");
    await waitFor("the new item", () => scene.run("xdotool", "search", "--name", "Added").status === 0);
    await waitFor("four buttons", () => readDeleteMarks().length === 4);
    const after = readDeleteMarks();
    // The new item comes first; the other three follow in order, each with its old mark.
    expect(after.slice(1)).toEqual(before);
    expect(before).not.toContain(after[0]);
  });
});

/** Mark → role and name of every element read. */
function readMarks(app: string, ...flags: string[]): Map<number, string> {
  return readMarksOf("--app", app, ...flags);
}

function readMarksOf(...flags: string[]): Map<number, string> {
  const { status, stdout, stderr } = scene.deskmap("read", "--compact", ...flags);
  if (status !== 0) throw new Error(stderr);
  const { elements } = JSON.parse(stdout) as { elements: JsonElement[] };
  const marks = new Map(elements.map(({ i, r, t }) => [i, `${r} ${t ?? ""}`]));
  expect(marks.size).toBe(elements.length);
  return marks;
}

function readDeleteMarks(): number[] {
  return [...readMarks("firefox", "--roles", "button")]
    .filter(([, label]) => label === "btn Delete")
    .map(([mark]) => mark);
}

function listIds(app: string): number[] {
  const { windows } = JSON.parse(scene.deskmap("list", "--app", app).stdout) as { windows: { id: number }[] };
  return windows.map((window) => window.id);
}
