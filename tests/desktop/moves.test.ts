import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { matrix } from "../tier.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

// A mark must never come to refer to another control. Content changes here as it does in practice.

interface JsonElement {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
}

let scene: Scene;
let cleanUp: (() => void)[] = [];
beforeEach(async () => {
  scene = await openScene();
});
afterEach(async () => {
  await scene.close();
  for (const one of cleanUp) one();
  cleanUp = [];
});

matrix.describe("a Firefox page that is loaded again", () => {
  test("with new content is read completely, and marks stay with the names and neighbours they had", async () => {
    const html = (title: string, body: string): string => `<!doctype html><title>${title}</title><body>${body}`;
    const page = (title: string, names: readonly string[], ids: readonly string[]): string =>
      html(
        title,
        `<button id="r1">${ids[0]}</button><button id="r2">${ids[1]}</button><p>a</p><p>b</p><p>c</p>` +
          names.map((name) => `<p>${name}</p><button>Delete</button>`).join(""),
      );
    const firefox = prepareFirefox(page("First", ["Alice", "Bob"], ["Save", "Erase all"]));
    cleanUp.push(() => firefox.remove());
    await scene.start(firefox.command, "First");
    await scene.settle();
    const before = read("firefox");
    writeFileSync(firefox.page, page("Second", ["Carol", "Alice"], ["Erase all", "Save"]));
    await reload("Second");
    const after = read("firefox");
    expect([...after.values()].filter((label) => label === "btn Delete")).toHaveLength(2);
    // The tab is the same one, whatever it shows.
    const [tab] = marksOf(before, "tab First");
    expect(after.get(tab ?? 0)).toBe("tab Second");
    for (const [mark, label] of before)
      if (after.has(mark) && mark !== tab) expect(`${mark} ${after.get(mark)}`).toBe(`${mark} ${label}`);
    const [carol] = marksOf(after, "btn Delete");
    expect(carol).toBeGreaterThan(Math.max(...before.keys()));
    expect(marksOf(after, "btn Save")).not.toEqual(marksOf(before, "btn Erase all"));

    writeFileSync(firefox.page, page("First", ["Alice", "Bob"], ["Save", "Erase all"]));
    await reload("First");
    expect(marksOf(read("firefox"), "btn Delete")).toEqual(marksOf(before, "btn Delete"));
  });

  async function reload(title: string): Promise<void> {
    scene.run("xdotool", "key", "F5");
    await waitFor("the page", () => scene.run("xdotool", "search", "--name", title).status === 0);
    await scene.settle();
  }
});

test("the buttons of one question are not those of another", async () => {
  const ask = async (text: string): Promise<number[]> => {
    const child = await scene.start(["zenity", "--question", `--text=${text}`], "Question");
    await scene.settle();
    const marks = marksOf(read("zenity"), "btn Yes");
    child.kill();
    await waitFor("it to close", () => scene.run("xdotool", "search", "--name", "Question").status !== 0);
    return marks;
  };
  const save = await ask("Save the file?");
  const erase = await ask("Erase everything?");
  expect(save).toHaveLength(1);
  expect(erase).not.toEqual(save);
  expect(await ask("Save the file?")).toEqual(save);
});

matrix.test("each document window of mousepad gets its marks back, whichever was closed last", async () => {
  const files = ["a.txt", "b.txt"].map((name) => join(scene.sandbox.env.HOME ?? "", name));
  for (const file of files) writeFileSync(file, file.slice(-5));
  const open = (file: string) => scene.start(["mousepad", "--disable-server", file], `${file.slice(-5)}.*Mousepad`);
  const inputOf = (title: string): number[] => {
    const { stdout } = scene.deskmap("read", "--window", title, "--roles", "input", "--compact");
    return (JSON.parse(stdout) as { elements: JsonElement[] }).elements.map(({ i }) => i);
  };
  const first = await open(files[0] ?? "");
  await scene.settle();
  const a = inputOf("a.txt");
  const second = await open(files[1] ?? "");
  await scene.settle();
  const b = inputOf("b.txt");
  await end(first);
  expect(inputOf("b.txt")).toEqual(b);
  await end(second);
  await open(files[0] ?? "");
  await scene.settle();
  expect(inputOf("a.txt")).toEqual(a);
  expect(b).not.toEqual(a);
});

test("the rows of a GTK 3 list keep their marks when it is refilled in another order", async () => {
  const fill = async (...rows: string[]): Promise<Map<number, string>> => {
    const child = await scene.start(["zenity", "--list", "--title=Rows", "--column=Name", ...rows], "Rows");
    await scene.settle();
    const cells = [...read("zenity")].filter(([, label]) => label.startsWith("cell "));
    await end(child);
    return new Map(cells);
  };
  const before = await fill("Alice", "Bob", "Carol");
  const after = await fill("Carol", "Dora", "Alice");
  expect(before.size).toBe(3);
  expect(after.size).toBe(3);
  for (const [mark, label] of after) if (before.has(mark)) expect(before.get(mark)).toBe(label);
  expect([...after].filter(([mark]) => before.has(mark))).toHaveLength(2);
});

test("the content of a field is in no name, so that typing moves no mark", async () => {
  await scene.start(["mousepad", "--disable-server"], "Mousepad");
  await scene.settle();
  const before = read("mousepad");
  scene.run("xdotool", "type", "--delay", "20", "hello there");
  await waitFor("the text", () => scene.deskmap("read", "--app", "mousepad").stdout.includes("hello there"));
  const after = read("mousepad");
  for (const [mark, label] of before) expect(after.get(mark)).toBe(label);
});

async function end(child: { kill(): boolean; once(event: "exit", listener: () => void): unknown }): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill();
  await gone;
}

/** Mark → role and name of every element read. */
function read(app: string): Map<number, string> {
  const { status, stdout, stderr } = scene.deskmap("read", "--app", app, "--compact");
  if (status !== 0) throw new Error(stderr);
  const { elements } = JSON.parse(stdout) as { elements: JsonElement[] };
  return new Map(elements.map(({ i, r, t }) => [i, `${r} ${t ?? ""}`]));
}

function marksOf(marks: ReadonlyMap<number, string>, label: string): number[] {
  return [...marks].filter(([, one]) => one === label).map(([mark]) => mark);
}
