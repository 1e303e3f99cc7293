import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { findFileDangers } from "../../src/guard/danger/file-lists.ts";
import type { Request } from "../../src/guard/gate.ts";
import type { Command } from "../../src/model/command.ts";
import type { SingleElement } from "../../src/model/element.ts";
import { about, click, control, keys, press, typing } from "./sample-commands.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-lists-"));
  mkdirSync(join(folder, "Letters"));
  writeFileSync(join(folder, "tool"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(folder, "document"), "text", { mode: 0o755 });
  writeFileSync(join(folder, "spaced "), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(folder, "spaced"), "text");
  writeFileSync(join(folder, "Nice letter.txt"), "text");
  writeFileSync(join(folder, "x.desktop"), "[Desktop Entry]\nName=Nice letter.txt\nExec=xev\n");
  writeFileSync(join(folder, "data"), "#!/bin/sh\n", { mode: 0o644 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file manager that tells its folder. */
function inManager(element: SingleElement | undefined, ...selected: readonly SingleElement[]): Request {
  const request = about(element, `${basename(folder)} - Thunar`);
  if (request.window === undefined) throw new Error("the sample has a window");
  const location = { ...control("input", "Location"), value: folder };
  return { ...request, window: { ...request.window, app: "Thunar" }, elements: () => [location, ...selected] };
}

const find = (command: Command, request: Request) => [
  ...new Set(findFileDangers(command, request).map(({ danger }) => danger)),
];
const entry = (name: string) => control("icon", name, "selected");
const twice: Command = { ...click, count: 2 };

test("a program, a script and a package are asked about, however they are opened", () => {
  for (const [name, danger] of [
    ["tool", "run-program"],
    ["gone.sh", "run-program"],
    ["Letter.desktop", "run-program"],
    ["new.deb", "install"],
  ] as const) {
    const one = entry(name);
    for (const command of [press(one), click, twice, keys("Return"), keys("space"), keys("o", "ctrl"), typing("\n")])
      expect([name, find(command, inManager(one))]).toEqual([name, [danger]]);
    expect(find(keys("Return"), inManager(control("list", "Icons"), one))).toEqual([danger]);
    expect(find(press(one), inManager(control("menuitem", "Open"), one))).toEqual([danger]);
  }
});

test("a folder, and a file that is no program, are opened", () => {
  for (const name of ["Letters", "document", "data"])
    for (const command of [press(entry(name)), click, twice, keys("Return")])
      expect([name, find(command, inManager(entry(name)))]).toEqual([name, []]);
});

test("what is not found, or not told, may be a program: its opening is asked about, its selection is not", () => {
  for (const request of [inManager(entry("Nice Letter")), inManager(control("list", "Icons"))]) {
    expect(find(twice, request)).toEqual(["run-program"]);
    expect(find(keys("Return"), request)).toEqual(["run-program"]);
    expect(find(click, request)).toEqual([]);
    expect(find(keys("Down"), request)).toEqual([]);
  }
});

test("a program's path in a field is asked about when it is entered", () => {
  const field = control("input", "Location", "editable");
  const path = join(folder, "tool");
  expect(find(typing(`${path}\n`), inManager(field))).toEqual(["run-program"]);
  expect(find(typing(path), inManager(field))).toEqual([]);
  expect(find(typing("ol\n"), inManager({ ...field, value: path.slice(0, -2) }))).toEqual(["run-program"]);
  expect(find(keys("Return"), inManager({ ...field, value: path }))).toEqual(["run-program"]);
  expect(find(keys("Return"), inManager({ ...field, value: folder }))).toEqual([]);
});

test("so is every other way to write it", () => {
  const field = control("input", "Location", "editable");
  const path = join(folder, "tool");
  const home = process.env.HOME ?? "";
  const fromHome = relative(home, path);
  for (const text of [
    path.slice(0, -1),
    `file:${path}`,
    `file://localhost${path.replace("tool", "%74ool")}`,
    `$HOME/${fromHome}`,
    `\${HOME}/${fromHome}`,
    "$ANY/tool",
    "~other/tool",
    "sftp://example.org/tool",
    "tool",
    "./too",
    "Letters/../tool",
    join(folder, "spaced "),
  ])
    expect([text, find(typing(`${text}\n`), inManager(field))]).toEqual([text, ["run-program"]]);
  for (const text of [folder, join(folder, "document"), "Letters", "trash:///", `file://${folder}`, "new name"])
    expect([text, find(typing(`${text}\n`), inManager(field))]).toEqual([text, []]);
});

test("what is found by typing is asked about when it is opened", () => {
  const list = control("list", "Icons");
  for (const text of ["tool\n", "to\n", "document\n"])
    expect([text, find(typing(text), inManager(list, entry("document")))]).toEqual([text, ["run-program"]]);
  expect(find(typing("x\tdocument\n"), inManager(control("input", "Filter")))).toEqual(["run-program"]);
  const search = { ...control("input", ""), value: "q" };
  expect(find(keys("Return"), inManager(search, entry("tool")))).toEqual(["run-program"]);
  expect(find(keys("Return"), inManager(search, entry("document")))).toEqual([]);
  expect(find(keys("Return"), inManager({ ...search, value: "to" }))).toEqual(["run-program"]);
});

test("a row is judged by all its columns, a name by every file that is shown by it", () => {
  const cell = (name: string, x: number) => ({
    ...control("cell", name, "selected"),
    bounds: { x, y: 40, width: 50, height: 20 },
  });
  const [name, size] = [cell("tool", 0), cell("Letters", 50)];
  expect(find(click, inManager(size, name, size))).toEqual(["run-program"]);
  expect(find(keys("Return"), inManager(size, name, size))).toEqual(["run-program"]);
  expect(find(twice, inManager(cell("Letters", 0), cell("4 KiB", 50)))).toEqual([]);
  for (const shown of ["spaced", "Nice letter.txt"])
    expect(find(click, inManager(entry(shown)))).toEqual(["run-program"]);
});

test("the middle button, a letter of the menu and a drop open it, too", () => {
  const menu = [control("menu", "File"), control("menuitem", "Open"), entry("tool")];
  const drag: Command = { kind: "drag", from: { x: 0, y: 0 }, to: { x: 90, y: 90 }, button: "left" };
  for (const [command, request] of [
    [{ ...click, button: "middle" }, inManager(entry("Nice Letter"))],
    [keys("Down", "alt", "shift"), inManager(entry("tool"))],
    [keys("o"), inManager(control("menuitem", "New"), ...menu)],
    [typing("o"), { ...inManager(undefined, ...menu), tellsMenu: () => true }],
    [drag, { ...inManager(entry("document")), onto: entry("tool") }],
  ] as const)
    expect([command, find(command, request)]).toEqual([command, ["run-program"]]);
  expect(find(drag, { ...inManager(entry("document")), onto: entry("Letters") })).toEqual([]);
  expect(find(keys("n"), inManager(control("menuitem", "New"), control("menuitem", "Öffnen"), entry("tool")))).toEqual([
    "run-program",
  ]);
});

test("a place that is selected beside the list is not what is opened", () => {
  const list = { ...control("list", "Icons"), bounds: { x: 100, y: 0, width: 400, height: 400 } };
  expect(find(keys("Return"), inManager(list, entry("Letters")))).toEqual(["run-program"]);
});

test("other controls and other applications are not concerned", () => {
  expect(find(keys("Return"), inManager(control("button", "Back"), entry("tool")))).toEqual([]);
  expect(find(keys("Return"), about(entry("tool")))).toEqual([]);
});
