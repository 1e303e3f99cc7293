import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { openPlatform } from "../../src/platform/pick.ts";
import { casesOf, matrix } from "../tier.ts";
import { prepareCalc } from "./calc.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

interface JsonCell {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
  readonly v?: string;
  readonly f?: boolean;
  readonly p?: readonly [number, number];
  readonly c?: readonly JsonCell[];
}

interface Sheet {
  readonly view: readonly number[];
  readonly cells: readonly { readonly name: string; readonly text: string; readonly extents: readonly number[] }[];
}

interface JsonRead {
  readonly partial?: boolean;
  readonly notes?: readonly { readonly code: string; readonly text: string }[];
  readonly elements: readonly JsonCell[];
}

const rows = [
  ["Fruit", "Count", "Price", undefined, "Remark"],
  ["Apple", 3, 1.5],
  [undefined],
  ["Plum", 8, 0.2, undefined, "ripe in August"],
];
const calc = prepareCalc(rows);
afterAll(() => calc.remove());

const maxGrowthMb = 50;
let scene: Scene;
let pid: number;
beforeEach(async () => {
  scene = await openScene();
  await scene.start(calc.command, "LibreOffice Calc");
  await scene.settle();
  const [window] = JSON.parse(scene.deskmap("list").stdout).windows as { pid: number }[];
  pid = window?.pid ?? 0;
});
afterEach(() => scene.close());

describe("a sheet of LibreOffice Calc", () => {
  test("is read as the non-empty cells in view, as pyatspi sees them, and the note gives the range", () => {
    const read = readSheet();
    const [, columns, lastRow] = /A1:([A-Z])(\d+)/.exec(read.notes?.[0]?.text ?? "") ?? [];
    expect(read.partial).toBe(true);
    const width = (columns ?? "A").charCodeAt(0) - 64;
    const seen = scene.ask("cells", String(pid), lastRow ?? "1", String(width)) as Sheet;
    const full = seen.cells.filter(({ text }) => text !== "").map(({ name, text }) => [name, text]);
    expect(full.length).toBe(11);
    // The cursor is on A1, which has content.
    expect(cellsOf(read).map(({ t, v }) => [t, v])).toEqual(full);
    // The last cell extends to the edge of the view, so the next one is outside it.
    const [left = 0, top = 0, viewWidth = 0, viewHeight = 0] = seen.view;
    const [x = 0, y = 0, cellWidth = 0, cellHeight = 0] = seen.cells.at(-1)?.extents ?? [];
    expect([x + cellWidth, y + cellHeight]).toEqual([left + viewWidth, top + viewHeight]);
  });

  matrix.test("is told of in its own window only: a letter of the same process has nothing left out", async () => {
    const letter = calc.command.slice(0, -1).map((word) => (word === "--calc" ? "--writer" : word));
    await scene.start(["env", ...letter], "LibreOffice Writer");
    await scene.settle();
    for (const daemon of ["never", "start"]) {
      scene.sandbox.env.DESKMAP_DAEMON = daemon;
      expect(JSON.parse(scene.deskmap("read", "--window", "LibreOffice Writer").stdout).notes).toBeUndefined();
      expect(readSheet().notes?.map(({ text }) => text.slice(0, 24))).toEqual(['of "Sheet Fruit" only A1']);
    }
  });

  test("has one cell set, or emptied, and no other, whatever is selected", async () => {
    const file = calc.command.at(-1) ?? "";
    const written = readFileSync(file, "utf8");
    const setCell = (name: string, value: string): void => {
      const mark = cellsOf(readSheet()).find(({ t }) => t === name)?.i;
      const { status, stdout, stderr } = scene.deskmap("set-value", value, "--id", String(mark));
      expect([0, 4], stdout + stderr).toContain(status);
    };
    try {
      for (const key of ["shift+Down", "shift+Right"]) scene.run("xdotool", "key", key);
      setCell("A2", "Pear");
      scene.run("xdotool", "key", "ctrl+a");
      setCell("B2", "");
      scene.run("xdotool", "key", "ctrl+s");
      // LibreOffice goes on reporting the text of an emptied cell: the saved file tells.
      await waitFor("the saved sheet", () => readFileSync(file, "utf8").includes("<text:p>Pear</text:p>"));
      await waitFor("all of it", () => readFileSync(file, "utf8").trimEnd().endsWith("</office:document>"));
      const texts = [...readFileSync(file, "utf8").matchAll(/<text:p>([^<]*)<\/text:p>/g)].map(([, text]) => text);
      const wanted = rows
        .flat()
        .filter((cell) => cell !== undefined && cell !== 3)
        .map(String);
      expect(texts.filter((text) => (text !== "" && wanted.includes(text ?? "")) || text === "Pear")).toEqual(
        wanted.map((text) => (text === "Apple" ? "Pear" : text)),
      );
      expect(texts).not.toContain("3");
    } finally {
      writeFileSync(file, written);
    }
  });

  test("shows the cell with the cursor, empty or not, and each cell keeps its mark", async () => {
    const marks = new Map(cellsOf(readSheet()).map(({ t, i }) => [t, i]));
    for (const key of ["Down", "Down", "Right"]) scene.run("xdotool", "key", key);
    await waitFor("the cursor on B3", () => cellsOf(readSheet()).some(({ t, f }) => t === "B3" && f === true));
    const later = cellsOf(readSheet());
    expect(later.filter(({ f }) => f === true).map(({ t }) => t)).toEqual(["B3"]);
    expect(new Map(later.filter(({ t }) => t !== "B3").map(({ t, i }) => [t, i]))).toEqual(marks);
  });

  test("has its empty cells found by their address and filled, though a read leaves them out", async () => {
    const own = ["--app", "libreoffice-calc", "--format", "json"];
    const find = (name: string) => JSON.parse(scene.deskmap("find", name, ...own).stdout).matches;
    expect(cellsOf(readSheet()).map(({ t }) => t)).not.toContain("C7");
    const [empty] = find("C7");
    expect(empty).toMatchObject({ r: "cell", t: "C7" });
    expect(JSON.parse(scene.deskmap("set-value", "12", "--on", "C7", ...own).stdout).effect).toBe("confirmed");
    expect(JSON.parse(scene.deskmap("click", "D6", ...own).stdout).effect).toBe("confirmed");
    scene.run("xdotool", "type", "13");
    scene.run("xdotool", "key", "Return");
    const readFull = () => {
      const { cells } = scene.ask("cells", String(pid), "8", "5") as Sheet;
      return cells.filter(({ text }) => text !== "").map(({ name, text }) => [name, text].join());
    };
    await waitFor("what was typed", () => readFull().length === 13);
    expect(readFull().slice(-2)).toEqual(["D6,13", "C7,12"]);
    expect(cellsOf(readSheet()).find(({ t }) => t === "C7")).toMatchObject({ i: empty.i, v: "12" });
    const outside = scene.deskmap("click", "ZZ900", ...own);
    expect(outside.stdout).toBe("");
    expect(JSON.parse(outside.stderr)).toMatchObject({ error: { code: "NOT_FOUND" } });
    expect(outside.stderr).toContain("is in view");
  });

  test("gives each cell a point inside it: text typed after a click there is in that cell", async () => {
    const cell = cellsOf(readSheet("--points")).find(({ t }) => t === "B4");
    const [x = 0, y = 0] = cell?.p ?? [];
    scene.run("xdotool", "mousemove", String(x), String(y), "click", "1");
    scene.run("xdotool", "type", "77");
    scene.run("xdotool", "key", "Return");
    await waitFor("pyatspi reads 77 in B4", () => {
      const { cells } = scene.ask("cells", String(pid), "5", "3") as Sheet;
      return cells.some(({ name, text }) => name === "B4" && text === "77");
    });
  });

  test("holds a typed table: its cells confirm it, and what a formula shows; another content is named", () => {
    const type = (text: string) => JSON.parse(scene.deskmap("type", text, "--format", "json").stdout);
    const table = "Item\tPrice\nTea\t3\nCake\t4.50\nSum\t=SUM(B2:B3)\n";
    expect(type(table)).toMatchObject({
      effect: "confirmed",
      evidence: ["8 cells hold what was typed", "B4 shows 7.5"],
    });
    const { cells } = scene.ask("cells", String(pid), "4", "2") as Sheet;
    expect(cells.map(({ text }) => text)).toEqual(["Item", "Price", "Tea", "3", "Cake", "4.5", "Sum", "7.5"]);
    expect(type("=1/0\t007\n").effect).toBe("partial");
  });

  test("is left by Tab after a click on its current cell, which a selection would keep it in", () => {
    const own = ["--app", "libreoffice-calc"];
    scene.deskmap("click", "--on", "A1", "--role", "cell", ...own);
    scene.deskmap("type", "--key", "Tab", ...own);
    expect(scene.deskmap("type", "Number\n", ...own).status).toBe(0);
    const { cells } = scene.ask("cells", String(pid), "1", "2") as Sheet;
    expect(cells.map(({ text }) => text)).toEqual(["Fruit", "Number"]);
  });

  test("holds nothing of a text in its editor, and the answer says so, until Return", async () => {
    const own = ["--app", "libreoffice-calc", "--format", "json"];
    const readA2 = () => (scene.ask("cells", String(pid), "2", "1") as Sheet).cells.at(-1)?.text;
    const inEditor = "the editor of A2 holds what was typed: Return puts it into the cell, Escape discards it";
    const typed = JSON.parse(scene.deskmap("type", "Pear", "--on", "A2", ...own).stdout);
    expect([typed.effect, typed.evidence.at(-1), readA2()]).toEqual(["confirmed", inEditor, "Apple"]);
    const more = JSON.parse(scene.deskmap("type", " tree", ...own).stdout);
    expect([more.effect, more.evidence, readA2()]).toEqual(["confirmed", [inEditor], "Apple"]);
    scene.run("xdotool", "key", "Return");
    await waitFor("the text in the cell", () => readA2() === "Pear tree");
    const replaced = JSON.parse(scene.deskmap("type", "Fig", "--on", "A2", "--replace", ...own).stdout);
    expect([replaced.effect, replaced.evidence.at(-1), readA2()]).toEqual([
      "confirmed",
      "the cell holds what was typed",
      "Fig",
    ]);
  });

  test.each(casesOf(["start"], ["never"]))(
    "shows no former text in place of an error, with a daemon: %s",
    async (daemon) => {
      scene.sandbox.env.DESKMAP_DAEMON = daemon;
      const own = ["--app", "libreoffice-calc", "--format", "json"];
      const readValue = (name: string) => cellsOf(readSheet()).find(({ t }) => t === name)?.v;
      const set = (name: string, value: string) =>
        JSON.parse(scene.deskmap("set-value", value, "--on", name, ...own).stdout);
      expect([readValue("A2"), readValue("B2")]).toEqual(["Apple", "3"]);
      // Over a text, over a number, and by what another cell holds.
      expect(set("A2", "=1/0").effect).not.toBe("confirmed");
      await waitFor("the note of A2", () => readSheet().notes?.[0]?.text.includes("shows in A2, an error") === true);
      expect(readValue("A2")).toBeUndefined();
      expect(set("B2", "=FOO(").effect).not.toBe("confirmed");
      await waitFor("the note of B2", () => readSheet().notes?.[0]?.text.includes("A2, B2, an error") === true);
      expect(readValue("B2")).toBeUndefined();
      expect(set("B2", "3")).toMatchObject({ effect: "confirmed" });
      set("A4", "=B4/B2");
      expect(readValue("A4")).toStartWith("2.66");
      set("B2", "0");
      await waitFor("the note of A4", () => readSheet().notes?.[0]?.text.includes("A2, A4, an error") === true);
      expect(readValue("A4")).toBeUndefined();
      const { cells } = scene.ask("cells", String(pid), "4", "1") as Sheet;
      expect(cells.map(({ text }) => text)).toEqual(["Fruit", "", "", ""]);
      scene.deskmap("serve", "stop");
    },
  );

  matrix.test("shows a formula that is being written, and cells whose error is not told", async () => {
    const type = (text: string) => JSON.parse(scene.deskmap("type", text, "--format", "json").stdout);
    expect(type("=A1*2\n=1/0\n").effect).toBe("partial");
    await waitFor("both errors", () => readSheet().notes?.[0]?.text.includes("shows in A1, A2, an error") === true);
    const { cells } = scene.ask("cells", String(pid), "2", "1") as Sheet;
    expect(cells.map(({ text }) => text)).toEqual(["", ""]);
    const told = cellsOf(readSheet()).filter(({ t }) => t === "A1" || t === "A2");
    expect(told.map(({ t, v }) => [t, v])).toEqual([
      ["A1", undefined],
      ["A2", undefined],
    ]);
    expect(type("=B2+B4")).toMatchObject({
      effect: "confirmed",
      evidence: ["the editor of A3 holds what was typed: Return puts it into the cell, Escape discards it"],
    });
  });

  test("is read at its far end, past the cells that can be counted", async () => {
    scene.run("xdotool", "key", "ctrl+Right", "ctrl+Right", "ctrl+Right", "ctrl+Down");
    scene.run("xdotool", "key", "ctrl+Down", "ctrl+Down", "ctrl+Down");
    await scene.settle();
    scene.run("xdotool", "type", "the end");
    scene.run("xdotool", "key", "Return");
    await waitFor("the text in the last row", () => {
      return cellsOf(readSheet()).some(({ t, v }) => /^[A-Z]+1048576$/.test(t ?? "") && v === "the end");
    });
  });

  matrix.test(
    "is left for a wizard whose Next is pressed by words, not the Next that the wizard keeps hidden",
    async () => {
      const confirm = (...args: string[]) => expect(scene.deskmap(...args).status).toBe(0);
      confirm("click", "Chart", "--app", "libreoffice-calc");
      confirm("click", "next");
      expect(scene.run("xdotool", "search", "--onlyvisible", "--name", "^Data Range$").status).toBe(0);
    },
  );

  matrix.test("costs LibreOffice hardly any memory, even when it is read completely and as one text", async () => {
    const sheet = flatten(readSheet().elements).find(({ r, t }) => r === "table" && t === "Sheet Fruit");
    const before = readMemory();
    await readInOneProcess(40);
    readSheet("--all");
    scene.deskmap("text", "--id", String(sheet?.i));
    await scene.settle();
    expect(readMemory() - before).toBeLessThan(maxGrowthMb);
  });
});

/** LibreOffice keeps an object for each cell that a connection has queried; the same connection asks only once. */
async function readInOneProcess(times: number): Promise<void> {
  const platform = await openPlatform({ env: scene.sandbox.env, timeoutMs: 10_000 });
  if (!platform.ok) throw new Error(platform.failure.message);
  const list = await platform.value.listWindows();
  if (!list.ok) throw new Error(list.failure.message);
  for (let count = 0; count < times; count += 1) {
    const reads = await platform.value.readWindows({ ...list.value, includeHidden: false, timeoutMs: 10_000 });
    expect(reads.ok && reads.value[0]?.root?.children.length).toBeGreaterThan(0);
  }
  platform.value.close();
}

function readSheet(...options: string[]): JsonRead {
  return JSON.parse(scene.deskmap("read", "--app", "libreoffice-calc", ...options).stdout);
}

function cellsOf({ elements }: JsonRead): JsonCell[] {
  return flatten(elements).filter(({ r }) => r === "cell");
}

function flatten(elements: readonly JsonCell[]): JsonCell[] {
  return elements.flatMap((element) => [element, ...flatten(element.c ?? [])]);
}

function readMemory(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
