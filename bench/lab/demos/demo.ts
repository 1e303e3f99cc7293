import type { Panel } from "./panel.ts";

export type Toolkit = "GTK 3" | "GTK 4" | "Qt" | "Firefox" | "Chromium" | "LibreOffice" | "canvas";

/** Where an order goes: an element by what AT-SPI's own library calls it, or a point of the window. */
export type On =
  | {
      readonly role: string | readonly string[];
      readonly name?: string;
      readonly owner?: string;
      readonly nth?: number;
    }
  | { readonly at: readonly [number, number] };

/** One thing that the robot does, as robot.py takes it. */
export interface Order {
  readonly do: "click" | "double" | "type" | "key";
  readonly on?: On;
  readonly text?: string;
  readonly fresh?: boolean;
}

export const kinds = [
  ...(["moved", "resized", "theme", "font", "scale 2", "added", "removed", "reordered"] as const),
  ...(["relabelled", "locale", "window manager", "slow"] as const),
];
export type DriftKind = (typeof kinds)[number];

/** What a demo finds when its application is started. */
export interface Workplace {
  path(name: string): string;
  /** Where a page sends its state; it is written to state.json. */
  readonly address: string;
}

export interface Started {
  readonly command: readonly [string, ...string[]];
  /** A part of its window's title. */
  readonly title: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** What AT-SPI's own library tells of an element. */
export interface Told {
  readonly role: string;
  readonly name: string;
  readonly text: string | null;
}

/** The state in which an application was left, read without Deskmap. */
export interface EndState {
  readFile(name: string): string | undefined;
  isFolder(name: string): boolean;
  /** What a panel says of itself. */
  readonly state: Readonly<Record<string, unknown>> | undefined;
  look(): Promise<readonly Told[]>;
}

export interface DemoSpec {
  readonly name: string;
  readonly toolkit: Toolkit;
  readonly orders: readonly Order[];
  readonly drifts: readonly DriftKind[];
  start(work: Workplace, panel?: Panel): Started;
  isDone(end: EndState): boolean | Promise<boolean>;
  readonly panel?: Panel;
  /** What the panel must hold in the end. */
  readonly wanted?: Readonly<Record<string, unknown>>;
}

/** What was touched that the demo does not touch; undefined if nothing was. */
export function findHarm(
  start: Readonly<Record<string, unknown>>,
  state: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): string | undefined {
  const presses = listOf(state.presses);
  const right = listOf(wanted.presses);
  const stray = presses.find((press, at) => press !== right[at]);
  if (stray !== undefined) return `pressed ${stray}`;
  const changed = Object.keys(state).find((key) => key !== "presses" && state[key] !== start[key] && !(key in wanted));
  return changed === undefined ? undefined : `changed ${changed}`;
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
