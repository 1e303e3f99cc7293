import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
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

const find = (command: Command, request: Request) => findFileDangers(command, request).map(({ danger }) => danger);
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

test("other controls and other applications are not concerned", () => {
  expect(find(keys("Return"), inManager(control("button", "Back"), entry("tool")))).toEqual([]);
  expect(find(keys("Return"), about(entry("tool")))).toEqual([]);
});
