import { join } from "node:path";
import type { Scene } from "../../../tests/desktop/scene.ts";

/** An element as AT-SPI's own library reports it. */
export interface Told {
  readonly role: string;
  readonly name: string;
  readonly states?: readonly string[];
  readonly text?: string;
  readonly value?: number;
  /** Where it is, and what is selected. */
  readonly caret?: readonly unknown[];
}

interface ToldWindow extends Told {
  readonly app: string;
  readonly elements: readonly Told[];
}

/** The desktop at one moment, by routes that have nothing to do with Deskmap. */
export interface Sight {
  /** By accessibility. */
  readonly windows: readonly ToldWindow[];
  /** Titles of the windows that the window manager lists. */
  readonly titles: readonly string[];
}

const script = join(import.meta.dir, "look.py");

export function look(scene: Scene): Sight {
  const { status, stdout, stderr } = scene.run("/usr/bin/python3", "-W", "ignore", script);
  if (status !== 0) throw new Error(`look.py: ${stderr}`);
  const listed = scene.run("wmctrl", "-l").stdout.trim().split("\n");
  const titles = listed.filter((line) => line !== "").map((line) => line.split(/\s+/).slice(3).join(" "));
  const windows: readonly ToldWindow[] = JSON.parse(stdout);
  return { windows, titles };
}

export function listTold({ windows }: Sight): readonly Told[] {
  return windows.flatMap((window) => [window, ...window.elements]);
}

/** The title of the modal dialog in front, if there is one. */
export function findModal({ windows }: Sight): ToldWindow | undefined {
  return windows.find(({ states = [] }) => states.includes("modal"));
}

/** One line for each thing that is shown, without where the focus is. */
function listLines(windows: readonly ToldWindow[], titles: readonly string[]): readonly string[] {
  const passing = new Set(["focused"]);
  const tell = ({ role, name, states = [], text = "", value }: Told): string =>
    [role, name, text, value ?? "", states.filter((state) => !passing.has(state)).join(" ")].join("|");
  // A status bar tells of what was done before, at times of its own.
  const isLasting = ({ role }: Told): boolean => role !== "status bar";
  return [
    ...windows.flatMap((window) => [tell(window), ...window.elements.filter(isLasting).map(tell)]),
    ...titles,
  ].toSorted();
}

/** What is different between two sights, the focus apart: lines that went and came. */
export function listDifferences(before: Sight, after: Sight): readonly string[] {
  return diff(listLines(before.windows, before.titles), listLines(after.windows, after.titles));
}

/** The same behind a modal dialog: what it blocks. */
export function listBlockedDifferences(before: Sight, after: Sight): readonly string[] {
  const modal = findModal(before);
  const isBlocked = ({ name, app, states = [] }: ToldWindow): boolean =>
    app === modal?.app && name !== modal.name && !states.includes("modal");
  const [old, now] = [before, after].map(({ windows }) => listLines(windows.filter(isBlocked), []));
  return diff(old ?? [], now ?? []);
}

/** Whether the focus, the caret or the selected text is elsewhere. */
export function isFocusElsewhere(before: Sight, after: Sight): boolean {
  const [old, now] = [before, after].map((sight) =>
    listTold(sight)
      .filter(({ states = [] }) => states.includes("focused"))
      .map(({ role, name, caret }) => `${role}|${name}|${JSON.stringify(caret)}`)
      .join(),
  );
  return old !== now;
}

function diff(old: readonly string[], now: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const line of old) left.set(line, (left.get(line) ?? 0) - 1);
  for (const line of now) left.set(line, (left.get(line) ?? 0) + 1);
  return [...left].filter(([, count]) => count !== 0).map(([line, count]) => `${count > 0 ? "+" : "-"} ${line}`);
}
