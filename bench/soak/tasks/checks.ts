import { existsSync, readFileSync, statSync } from "node:fs";
import { findModal, listTold, type Told } from "./sight.ts";
import type { Check, Desk } from "./task.ts";

// Conditions that are read from the disk, from X and by AT-SPI's own library.

export function fileIs(path: string, content: string): Check {
  return { what: `${path} is ${JSON.stringify(content)}`, holds: () => readIfThere(path) === content };
}

export function fileHas(path: string, pattern: string | RegExp): Check {
  const isIn = (content: string): boolean =>
    typeof pattern === "string" ? content.includes(pattern) : pattern.test(content);
  return { what: `${path} has ${String(pattern)}`, holds: () => isIn(readIfThere(path) ?? "") };
}

export function isThere(path: string): Check {
  return { what: `${path} is there`, holds: () => existsSync(path) };
}

export function isFolder(path: string): Check {
  return { what: `${path} is a folder`, holds: () => existsSync(path) && statSync(path).isDirectory() };
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) && statSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
}

/** A window whose title has this part is listed. */
export function hasWindow(title: string): Check {
  return { what: `a window "${title}"`, holds: (desk) => desk.look().titles.some((one) => one.includes(title)) };
}

export const hasModal: Check = { what: "a modal dialog", holds: (desk) => findModal(desk.look()) !== undefined };

/** Something that is shown: role and name as AT-SPI has them; text, value and states if they are given. */
export interface Wanted {
  readonly role?: string;
  readonly name?: string | RegExp;
  readonly text?: string | RegExp;
  readonly value?: number;
  readonly state?: string;
  readonly lacks?: string;
}

export function shows(wanted: Wanted): Check {
  const what = Object.entries(wanted).map(([key, value]) => `${key} ${String(value)}`);
  return { what: `shown: ${what.join(", ")}`, holds: (desk) => countShown(desk, wanted) > 0 };
}

/** How many of them are shown. */
export function showsCount(wanted: Wanted, count: number): Check {
  return { what: `${count} × ${JSON.stringify(wanted)}`, holds: (desk) => countShown(desk, wanted) === count };
}

function countShown(desk: Desk, { role, name, text, value, state, lacks }: Wanted): number {
  const fits = (pattern: string | RegExp | undefined, given = ""): boolean =>
    pattern === undefined || (typeof pattern === "string" ? given === pattern : pattern.test(given));
  const isWanted = (told: Told): boolean =>
    (role === undefined || told.role === role) &&
    fits(name, told.name) &&
    fits(text, told.text) &&
    (value === undefined || told.value === value) &&
    (state === undefined || told.states?.includes(state) === true) &&
    (lacks === undefined || told.states?.includes(lacks) !== true);
  return listTold(desk.look()).filter(isWanted).length;
}

export function clipboardIs(text: string): Check {
  const read = (desk: Desk): string => desk.scene.run("xclip", "-o", "-selection", "clipboard").stdout;
  return { what: `the clipboard has ${JSON.stringify(text)}`, holds: (desk) => read(desk) === text };
}

/** A setting that the application keeps with GSettings. */
export function setting(schema: string, key: string, value: string): Check {
  const read = (desk: Desk): string => desk.scene.run("gsettings", "get", schema, key).stdout.trim();
  return { what: `${key} is ${value}`, holds: (desk) => read(desk) === value };
}

export function not(check: Check): Check {
  return { what: `not: ${check.what}`, holds: (desk) => !check.holds(desk) };
}

export function all(...checks: readonly Check[]): Check {
  const what = checks.map((check) => check.what).join("; ");
  return { what, holds: (desk) => checks.every((check) => check.holds(desk)) };
}
