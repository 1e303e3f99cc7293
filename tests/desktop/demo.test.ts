import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { matrix } from "../tier.ts";
import { prepareChromium } from "./chromium.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// An agent's work is recorded in three toolkits, and run again after a restart with other values. What came of it is read
// from files and from the window's title, never from Deskmap.

const apps = join(import.meta.dir, "../fixtures/apps");
const python = "/usr/bin/python3";

let scene: Scene;
let folder: string;
beforeAll(async () => {
  scene = await openScene();
  folder = scene.sandbox.env.HOME ?? "";
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
});

interface Answer {
  readonly status: number;
  readonly runs?: readonly {
    readonly stop?: {
      readonly step: number;
      readonly message: string;
      readonly nearest: readonly string[];
      readonly done: string;
    };
    readonly steps: readonly { readonly state: string; readonly tookMs: number }[];
    readonly tookMs: number;
  }[];
  readonly error?: { readonly message: string };
}

function run(...args: string[]): Answer {
  const { status, stdout, stderr } = scene.deskmap(...args, "--format", "json");
  return { status, ...JSON.parse(stdout || (stderr.trim().split("\n").at(-1) ?? "{}")) };
}

function act(...args: string[]): void {
  expect(run(...args)).toMatchObject({ status: 0, effect: "confirmed" });
}

const linesOf = (file: string): unknown[] => {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => (line.startsWith("{") ? JSON.parse(line) : line));
};

async function end(child: ChildProcess): Promise<void> {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

describe("in GTK 3", () => {
  const start = (...args: string[]) => scene.start([python, join(apps, "order-gtk3.py"), ...args], "Order");
  let form: ChildProcess;
  let file: string;
  beforeAll(async () => {
    file = join(folder, "orders.jsonl");
    form = await start(file);
    expect(run("record", "start", "order", "--agent").status).toBe(0);
    act("set-value", "Ada Lovelace", "--on", "Name", "--app", "order-gtk3");
    act("set-value", "ada@example.org", "--on", "E-mail", "--app", "order-gtk3");
    act("check", "Send news", "--app", "order-gtk3");
    act("click", "Store", "--app", "order-gtk3");
    act("click", "Good", "--app", "order-gtk3");
    expect(run("record", "stop")).toMatchObject({ status: 0, steps: 5, parameters: ["name", "email"], doubts: [] });
    expect(linesOf(file)).toEqual([{ name: "Ada Lovelace", mail: "ada@example.org", news: true }]);
    await end(form);
  });

  test("it is done again after a restart, with other values", async () => {
    form = await start(file, "moved");
    rmSync(file);
    const replayed = run("replay", "order", "--param", "name=Grace Hopper", "email=grace@example.org");
    expect(replayed).toMatchObject({ status: 0 });
    expect(linesOf(file)).toEqual([{ name: "Grace Hopper", mail: "grace@example.org", news: true }]);
  });

  test("a replayed step counts as a hit of its control", () => {
    const countOf = (): readonly unknown[] => {
      const script =
        "import sqlite3, sys, json; print(json.dumps(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()))";
      const map = join(scene.sandbox.env.XDG_DATA_HOME ?? "", "deskmap/map.db");
      const sql = "SELECT sum(hits), sum(misses) FROM targets WHERE role = 'button' AND name = 'Store'";
      return JSON.parse(scene.run(python, "-c", script, map, sql).stdout);
    };
    // Recorded once, replayed once.
    expect(countOf()).toEqual([2, 0]);
  });

  test("a table is done row by row, and a second call repeats none", () => {
    rmSync(file);
    const table = join(folder, "rows.csv");
    writeFileSync(table, "name,email\nBob,bob@example.org\nEve,eve@example.org\n");
    expect(run("replay", "order", "--each", table)).toMatchObject({ status: 0 });
    expect(run("replay", "order", "--each", table)).toMatchObject({ status: 0, runs: [] });
    expect(linesOf(file)).toMatchObject([{ name: "Bob" }, { name: "Eve" }]);
  });

  test("keys and presses come to the recorded end, whatever the form holds by then", async () => {
    await end(form);
    form = await start(file);
    expect(run("record", "start", "pressed", "--agent").status).toBe(0);
    act("set-value", "Dr. ", "--on", "Name", "--app", "order-gtk3");
    act("type", "Ada", "--on", "Name", "--app", "order-gtk3");
    act("type", "ada@example.org", "--on", "E-mail", "--app", "order-gtk3");
    act("click", "Send news", "--app", "order-gtk3");
    act("click", "Store", "--app", "order-gtk3");
    act("click", "Good", "--app", "order-gtk3");
    expect(run("record", "stop")).toMatchObject({ status: 0, steps: 5, doubts: [] });
    rmSync(file, { force: true });
    expect(run("replay", "pressed")).toMatchObject({ status: 0 });
    act("uncheck", "Send news", "--app", "order-gtk3");
    act("set-value", "somebody else", "--on", "E-mail", "--app", "order-gtk3");
    expect(run("replay", "pressed", "--param", "name=Grace")).toMatchObject({ status: 0 });
    const stored = { mail: "ada@example.org", news: true };
    expect(linesOf(file)).toEqual([
      { name: "Dr. Ada", ...stored },
      { name: "Grace", ...stored },
    ]);
  });

  test("where a control is gone or called otherwise, it stops before that step and does nothing else", async () => {
    for (const drift of ["removed", "renamed"]) {
      await end(form);
      rmSync(file, { force: true });
      form = await start(file, drift);
      // Healing finds no more than what was unique when it was recorded, and so nothing here.
      const { status, runs: [only] = [] } = run("replay", "order", "--heal", "--timeout", "500");
      expect({ drift, status, step: only?.stop?.step, written: linesOf(file) }).toEqual({
        drift,
        status: 1,
        step: 4,
        written: [],
      });
      expect(only?.stop?.message).toStartWith('button "Store" in');
      expect(only?.stop?.done).toBe("steps 1 to 3 were done; step 4 was not done.");
    }
    await end(form);
  });

  test("a dialog in the way is named with its text and buttons, and stays open", async () => {
    rmSync(file, { force: true });
    form = await start(file, "notice");
    await waitFor("the dialog", () => scene.run("wmctrl", "-l").stdout.includes("Update"));
    const { status, runs: [only] = [] } = run("replay", "order", "--timeout", "500");
    expect([status, only?.stop?.step]).toEqual([1, 1]);
    expect(only?.stop?.message.split("\n").at(-1)).toMatch(
      /^in the way: window "Update" of .*, which says "Version 2 is there\.", with "Install", "Later"; it was not closed$/,
    );
    expect(scene.run("wmctrl", "-l").stdout).toContain("Update");
    expect(linesOf(file)).toEqual([]);
    await end(form);
  });
});

matrix.test("in GTK 4, a drop-down list is found by its ref alone, and set to another choice", async () => {
  const file = join(folder, "gtk4.json");
  const form = await scene.start([python, join(apps, "form-gtk4.py"), file, "Form 4"], "Form 4");
  expect(run("record", "start", "colour", "--agent").status).toBe(0);
  act("set-value", "Blue", "--on", "Colour", "--app", "form-gtk4");
  expect(run("record", "stop")).toMatchObject({ status: 0, steps: 1, doubts: [] });
  const colour = () => JSON.parse(readFileSync(file, "utf8")).colour;
  expect(colour()).toBe("Blue");
  expect(run("replay", "colour", "--param", "colour=Green")).toMatchObject({ status: 0 });
  expect(colour()).toBe("Green");
  await end(form);
});

test("in Qt, from what was done in the last minutes", async () => {
  const file = join(folder, "qt.jsonl");
  const start = () => scene.start([python, join(apps, "order-qt5.py"), file], "Qt order");
  let form = await start();
  act("set-value", "Ada", "--on", "Customer", "--app", "order-qt5");
  act("type", "London", "--on", "City", "--app", "order-qt5");
  act("check", "As a gift", "--app", "order-qt5");
  act("click", "Store", "--app", "order-qt5");
  expect(run("demo", "save", "qt order", "--last", "1m")).toMatchObject({ status: 0 });
  await end(form);
  rmSync(file);
  form = await start();
  const shown = scene.deskmap("demo", "show", "qt order").stdout;
  const from = /^ *(\d+) {2}set-value input "Customer"/m.exec(shown)?.[1] ?? "";
  expect(run("replay", "qt order", "--from", from, "--param", "customer=Grace", "city=New York")).toMatchObject({
    status: 0,
  });
  expect(linesOf(file)).toEqual([{ name: "Grace", city: "New York", gift: true }]);
  await end(form);
});

test("in a page of Chromium, whose title tells what it got", async () => {
  const browser = prepareChromium(readFileSync(join(apps, "order.html"), "utf8"));
  const titleOf = (): string => scene.run("wmctrl", "-l").stdout;
  const start = async () => {
    const child = await scene.start(browser.command, "Page order");
    await waitFor("the page", () => run("find", "Pieces", "--app", "chromium").status === 0);
    return child;
  };
  let child = await start();
  expect(run("record", "start", "basket", "--agent").status).toBe(0);
  act("set-value", "A Book", "--on", "Title", "--role", "input", "--app", "chromium");
  act("set-value", "2", "--on", "Pieces", "--app", "chromium");
  act("check", "By express", "--app", "chromium");
  act("click", "Put into the basket", "--app", "chromium");
  expect(run("record", "stop")).toMatchObject({ status: 0, steps: 4 });
  await waitFor("the first basket", () => titleOf().includes("Basket: 2 × A Book, express"));
  await end(child);
  child = await start();
  expect(run("replay", "basket", "--param", "title=Two Maps", "pieces=3")).toMatchObject({ status: 0 });
  await waitFor("the second basket", () => titleOf().includes("Basket: 3 × Two Maps, express"));
  // The page calls its button otherwise, and keeps its id.
  writeFileSync(browser.page, readFileSync(browser.page, "utf8").replace("Put into the basket", "Buy it now"));
  scene.run("xdotool", "key", "F5");
  await waitFor("the new button", () => run("find", "Buy it now", "--app", "chromium").status === 0);
  expect(run("replay", "basket", "--timeout", "500")).toMatchObject({ status: 1, runs: [{ stop: { step: 4 } }] });
  expect(titleOf()).not.toContain("Basket:");
  expect(run("replay", "basket", "--timeout", "500", "--heal")).toMatchObject({ status: 0 });
  await waitFor("the third basket", () => titleOf().includes("Basket: 2 × A Book, express"));
  expect(run("demo", "heal", "show", "basket")).toMatchObject({
    proposals: [{ step: 4, fields: [{ field: "name", was: '"Put into the basket"', now: '"Buy it now"' }] }],
  });
  // Only a person at a terminal may take it.
  expect(run("demo", "heal", "accept", "basket").status).toBe(3);
  await end(child);
  browser.remove();
});
