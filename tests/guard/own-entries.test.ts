import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Request } from "../../src/guard/gate.ts";
import { mayReachOwnEntries } from "../../src/guard/own-entries.ts";
import { isOwnDocument } from "../../src/guard/own-files.ts";
import { findPlaces } from "../../src/guard/places.ts";
import { userPolicy } from "../../src/guard/policy/defaults.ts";
import { findWindowStanding } from "../../src/guard/policy/policy.ts";
import type { Command } from "../../src/model/command.ts";
import type { SingleElement } from "../../src/model/element.ts";
import { about, click, control, keys, press, typing } from "./sample-commands.ts";

const own = dirname(findPlaces(process.env).policy);
const drag: Command = { kind: "drag", from: { x: 0, y: 0 }, to: { x: 90, y: 90 }, button: "left" };
const twice: Command = { ...click, count: 2 };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-entries-"));
  mkdirSync(join(folder, "deskmap"));
  mkdirSync(own, { recursive: true, mode: 0o700 });
  symlinkSync(own, join(folder, "harmless"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file manager that tells its folder. */
function inManager(shown: string, element: SingleElement | undefined, ...more: readonly SingleElement[]): Request {
  const request = about(element, `${basename(shown)} - Thunar`);
  if (request.window === undefined) throw new Error("the sample has a window");
  const location = { ...control("input", "Location"), value: shown };
  return { ...request, window: { ...request.window, app: "Thunar" }, elements: () => [location, ...more] };
}

const entry = (name: string) => control("icon", name, "selected");

test("their folder is neither chosen, opened, dragged, dropped on nor reached by a key", () => {
  const parent = dirname(own);
  const [folderEntry, other] = [entry(basename(own)), control("icon", "other")];
  for (const command of [click, twice, press(folderEntry), drag, keys("c", "ctrl"), keys("F2")])
    expect([command, mayReachOwnEntries(command, inManager(parent, folderEntry))]).toEqual([command, true]);
  const list = control("list", "Icons");
  for (const command of [keys("c", "ctrl"), keys("Return"), typing("x"), press(control("menuitem", "Copy"))]) {
    const element = command.kind === "invoke" ? command.element : list;
    const request = inManager(parent, element, folderEntry);
    expect([command, mayReachOwnEntries(command, request)]).toEqual([command, true]);
  }
  expect(mayReachOwnEntries(drag, { ...inManager(parent, other), onto: folderEntry })).toBe(true);
  for (const command of [keys("Down"), keys("Escape"), press(control("button", "Home"))]) {
    const element = command.kind === "invoke" ? command.element : list;
    expect([command, mayReachOwnEntries(command, inManager(parent, element, folderEntry))]).toEqual([command, false]);
  }
  expect(mayReachOwnEntries(click, inManager(parent, other, folderEntry))).toBe(false);
});

test("where no entry is told beside it, any may be meant", () => {
  const list = control("list", "Icons");
  for (const command of [click, drag, keys("a", "ctrl"), keys("c", "ctrl")])
    expect([command, mayReachOwnEntries(command, inManager(dirname(own), list))]).toEqual([command, true]);
  expect(mayReachOwnEntries(keys("l", "ctrl"), inManager(dirname(own), list))).toBe(false);
  expect(mayReachOwnEntries(keys("a", "ctrl"), inManager(folder, list))).toBe(false);
});

test("a link to it, a file of its own name and what a search finds count, another folder of the name does not", () => {
  for (const name of ["harmless", "secrets.env", "seal.key"])
    expect([name, mayReachOwnEntries(click, inManager(folder, entry(name)))]).toEqual([name, true]);
  expect(mayReachOwnEntries(click, inManager(folder, entry("deskmap")))).toBe(false);
  const found = about(entry("policy.json"), "Searching - Thunar");
  const request = { ...found, window: found.window && { ...found.window, app: "Thunar" } };
  expect(mayReachOwnEntries(click, request)).toBe(true);
  expect(mayReachOwnEntries(click, about(entry("policy.json")))).toBe(false);
});

test("a file manager in that folder is blind, and so is a copy of a file under its name", () => {
  const { window } = inManager(own, undefined);
  if (window === undefined) throw new Error("the sample has a window");
  expect(findWindowStanding(userPolicy, window)).toBe("blind");
  expect(findWindowStanding(userPolicy, { ...window, app: "Editor" })).toBe("normal");
  expect(findWindowStanding(userPolicy, { ...window, app: "Editor", title: "~/copy/secrets.env - Editor" })).toBe(
    "blind",
  );
});

test("a document is one of them by its address, however it is written", () => {
  const document = (url: string) => isOwnDocument({ url });
  for (const url of [
    `file://${own}/policy.json`,
    `file://localhost${own}/x/../pin.json`,
    `file://${own}/%70in.json#here`,
    `view-source:file://${own}/secrets.env`,
    `file://${folder}/harmless/pin.json`,
    `file://${own}`,
  ])
    expect([url, document(url)]).toEqual([url, true]);
  for (const url of ["", "about:blank", `https://example.org${own}/policy.json`, `file://${folder}/deskmap/pin.json`])
    expect([url, document(url)]).toEqual([url, false]);
});
