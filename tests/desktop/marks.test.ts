import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { casesOf, matrix } from "../tier.ts";
import { restarted, restartOften } from "./restarts.ts";
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

const files = mkdtempSync(join(tmpdir(), "deskmap-marks-"));
const [letter, list] = [join(files, "letter"), join(files, "list")];
writeFileSync(letter, "Dear Ada\n");
writeFileSync(list, "Bread\nSalt\nTea\n");
afterAll(() => rmSync(files, { recursive: true }));

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

  for (const one of casesOf(restarted.slice(0, 1), restarted.slice(1, 3))) {
    test(`of ${one.app} survive its restart`, async () => {
      const report = await restartOften(one, 2);
      expect(report).toMatchObject({ lost: [], passed: [] });
      expect(report.seen).toBeGreaterThanOrEqual(2 * one.least);
    });
  }

  test.each([
    {
      app: "gnome-calculator",
      title: "Calculator",
      label: /^btn 7$/,
      commands: [["gnome-calculator"], ["gnome-calculator", "--mode=advanced"]],
      question: ["text", "text"],
      effect: /"7"/,
    },
    {
      app: "featherpad",
      title: "letter|list",
      label: /Calculate number of words/,
      commands: [
        ["featherpad", "--standalone", letter],
        ["featherpad", "--standalone", list],
      ],
      question: ["walk"],
      effect: /Words:\D*3/,
    },
  ] as const)(
    "are known by a taught name in $app, restarted with other controls beside it, before any read",
    async (one) => {
      const { app, title, label, commands, question, effect } = one;
      const child = await scene.start(commands[0], title);
      await scene.settle();
      const [mark] = [...readMarks(app)].find(([, words]) => label.test(words)) ?? [0];
      expect(scene.deskmap("teach", "lucky number", "--id", String(mark)).status).toBe(0);
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await gone;
      const { pid } = await scene.start(commands[1], title);
      await scene.settle();
      const clicked = scene.deskmap("click", "lucky number", "--app", app);
      expect(clicked.stderr).toBe("");
      expect(JSON.parse(clicked.stdout).target.i).toBe(mark);
      const [what, ...more] = question;
      const isDone = (): boolean => effect.test(JSON.stringify(scene.ask(what, String(pid), ...more)));
      await waitFor(`the effect in ${app}`, isDone);
    },
  );

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
