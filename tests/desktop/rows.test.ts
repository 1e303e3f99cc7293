import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScene, type Scene, waitFor } from "./scene.ts";

// Rows whose press opens the row that is selected, which may be another. The window's title and pyatspi show what happened.

let scene: Scene;
let folder: string;
beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), "deskmap-rows-")), "Papers");
  mkdirSync(join(folder, "Invoices"), { recursive: true });
  for (const name of ["list.txt", "notes.txt"]) writeFileSync(join(folder, name), name);
  scene = await openScene();
});
afterAll(async () => {
  await scene.close();
  rmSync(join(folder, ".."), { recursive: true, force: true });
});

interface Row {
  readonly i: number;
  readonly t?: string;
  readonly s?: boolean;
  readonly c?: readonly Row[];
}

interface Seen {
  readonly states: readonly string[];
}

interface Read {
  readonly elements?: readonly Row[];
}

const flatten = (rows: readonly Row[]): readonly Row[] => rows.flatMap((row) => [row, ...flatten(row.c ?? [])]);

/** The cells of that name. */
function findCells(name: string, ...selection: string[]): readonly Row[] {
  const { stdout } = scene.deskmap("read", "--roles", "cell,row,option,treeitem", ...selection);
  const answer = JSON.parse(stdout) as Read & { readonly windows?: readonly Read[] };
  const all = (answer.windows ?? [answer]).flatMap(({ elements = [] }) => flatten(elements));
  return all.filter(({ t }) => t === name);
}

async function expectSelected(name: string, ...selection: string[]): Promise<void> {
  await waitFor(`a row "${name}"`, () => findCells(name, ...selection).length > 0);
  const id = findCells(name, ...selection).at(-1)?.i;
  const { status, stdout, stderr } = scene.deskmap("select", "--id", String(id), "--format", "json");
  expect({ status, ...JSON.parse(stdout || stderr) }).toMatchObject({ status: 0, effect: "confirmed" });
  expect(findCells(name, ...selection).some(({ s }) => s === true)).toBe(true);
}

test("selecting a file in Thunar's list opens neither it nor the folder that was selected", async () => {
  const { pid } = await scene.start(["thunar", folder], "Papers");
  await scene.settle();
  const own = ["--app", "thunar"];
  expect(scene.deskmap("type", "--key", "ctrl+2", ...own).status).toBe(0);
  await expectSelected("Invoices", ...own);
  await expectSelected("list.txt", ...own);
  // GTK 3 has a cell for the name, and in it one for the icon and one for the text.
  const { matches } = JSON.parse(scene.deskmap("find", "list.txt", ...own).stdout) as { matches: readonly Row[] };
  expect(matches.filter(({ t }) => t === "list.txt")).toHaveLength(1);
  expect(findCells("Invoices", ...own).map(({ s }) => s === true)).toEqual([false]);
  expect(scene.run("xdotool", "search", "--onlyvisible", "--name", "Papers").status).toBe(0);
  const { states } = scene.ask("first", String(pid), "table cell", "list.txt") as Seen;
  expect(states).toContain("selected");
});

test("nor does it in a file dialog of Qt", async () => {
  const { pid } = await scene.start(["featherpad", "--standalone", join(folder, "notes.txt")], "notes.txt");
  await scene.settle();
  const own = ["--app", "featherpad"];
  expect(scene.deskmap("type", "--key", "ctrl+o", ...own).status).toBe(0);
  await expectSelected("Invoices", ...own);
  await expectSelected("list.txt", ...own);
  const roles = ["list item", "table cell", "tree item"];
  const seen = roles.flatMap((role) => (scene.ask("first", String(pid), role, "list.txt") as Seen | null) ?? []);
  expect(seen.some(({ states }) => states.includes("selected"))).toBe(true);
  expect(findCells("Invoices", ...own)).not.toEqual([]);
});
