import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { matrix } from "../tier.ts";
import { prepareCalc } from "./calc.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// Entries of drop-down lists: selecting one through accessibility highlights it and chooses nothing. What was chosen is
// read from what the application does with it.

const calc = prepareCalc([
  ["Plum", 8],
  ["Apple", 3],
  ["Fig", 5],
]);
let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(async () => {
  await scene.close();
  calc.remove();
});

interface Answer {
  readonly status: number;
  readonly effect?: string;
  readonly elements?: readonly unknown[];
  readonly matches?: readonly { readonly i: number }[];
}

function call(...args: string[]): Answer {
  const { status, stdout, stderr } = scene.deskmap(...args, "--format", "json");
  return { status, ...JSON.parse(stdout || stderr) };
}

test("a choice of Qt's drop-down list is chosen beyond the edge of its window, closed or open", async () => {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-low-list-"));
  try {
    const state = join(folder, "state.json");
    const fixture = join(import.meta.dir, "../fixtures/apps/low-list-qt5.py");
    const application = await scene.start(["/usr/bin/python3", fixture, state, "Low list"], "Low list");
    const chosen = (): string => JSON.parse(readFileSync(state, "utf8")).colour;
    expect(call("set-value", "Blue", "--role", "select")).toMatchObject({ status: 0, effect: "confirmed" });
    await waitFor("blue", () => chosen() === "Blue");
    expect(call("expand", "--role", "select")).toMatchObject({ status: 0, effect: "confirmed" });
    expect(call("click", "Green")).toMatchObject({ status: 0, effect: "confirmed" });
    await waitFor("green", () => chosen() === "Green");
    application.kill();
    await waitFor("its end", () => application.exitCode !== null || application.signalCode !== null);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

matrix.test("an entry of LibreOffice's drop-down list is chosen, and its list closes", async () => {
  await scene.start(calc.command, "LibreOffice Calc");
  await scene.settle();
  const [window] = JSON.parse(scene.deskmap("list").stdout).windows as { pid: number }[];
  const readColumn = (): string[] => {
    const { cells } = scene.ask("cells", String(window?.pid), "3", "1") as { cells: readonly { text: string }[] };
    return cells.map(({ text }) => text);
  };
  expect(readColumn()).toEqual(["Plum", "Apple", "Fig"]);
  expect(call("type", "--key", "ctrl+a", "--app", "calc").status).toBe(0);
  expect(call("click", "Data", "--role", "menu", "--app", "calc").status).toBe(0);
  expect(call("click", "Sort...", "--role", "menuitem", "--app", "calc").status).toBe(0);
  const own = ["--window", "Sort"];
  // The button that stands for the list is named by the label beside it.
  const [first] = call("find", "Column Sort Key 1", "--role", "select", ...own).matches ?? [];
  const id = ["--id", String(first?.i)];
  expect(call("expand", ...id)).toMatchObject({ status: 0, effect: "confirmed" });
  expect(call("select", "B", "--role", "cell", ...own)).toMatchObject({ status: 0, effect: "confirmed" });
  expect(call("collapse", ...id)).toMatchObject({ status: 0, way: "nothing needed" });
  // It does not report its choice: so much is said, and the list is closed again.
  expect(call("set-value", "A", ...id).effect).toBe("unverified");
  expect(call("set-value", "B", ...id).effect).toBe("unverified");
  expect(call("click", "OK", "--role", "btn", ...own).status).toBe(0);
  await waitFor("the sorted sheet", () => readColumn().join() === "Apple,Fig,Plum");
});

test("an entry of a GTK 3 drop-down list is chosen, and its list closes", async () => {
  const lines = ["--forms", "--title=Colours", "--add-combo=Colour", "--combo-values=Red|Green|Blue"];
  const child = scene.sandbox.spawn(["zenity", ...lines], { stdio: ["ignore", "pipe", "ignore"] });
  let told = "";
  child.stdout?.on("data", (part) => {
    told += String(part);
  });
  const own = ["--window", "Colours"];
  await waitFor("the form", () => call("find", "Colour", "--role", "select", ...own).status === 0);
  expect(call("set-value", "Red", "--on", "Colour", "--role", "select", ...own)).toMatchObject({ effect: "confirmed" });
  expect(call("click", "Colour", "--role", "select", ...own).status).toBe(0);
  expect(call("select", "Green", ...own)).toMatchObject({ status: 0, effect: "confirmed" });
  expect(call("click", "OK", "--role", "btn", ...own).status).toBe(0);
  await waitFor("the answer", () => told.trim() === "Green");
});

test("a drop-down list with a field takes a text that is none of its entries", async () => {
  const { pid } = await scene.start(["mousepad", "--disable-server"], "Untitled");
  await scene.settle();
  expect(call("type", "--key", "ctrl+r", "--app", "mousepad").status).toBe(0);
  const own = ["--window", "Find and Replace"];
  const set = call("set-value", "walnut", "--on", "Search for", ...own);
  expect(set).toMatchObject({ status: 0, effect: "confirmed" });
  expect(scene.ask("text", String(pid), "text")).toContain("walnut");
});
