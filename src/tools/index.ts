import type { Tool } from "./define.ts";

/** A tool by its name; what it needs is loaded only when it is used, since every start pays for what is loaded. */
export interface ToolEntry {
  readonly name: string;
  load(): Promise<Tool>;
}

/** The only list of tools. */
export const toolEntries: readonly ToolEntry[] = [
  { name: "list", load: async () => (await import("./list.ts")).list },
  { name: "read", load: async () => (await import("./read.ts")).read },
  { name: "find", load: async () => (await import("./find.ts")).find },
  { name: "at", load: async () => (await import("./at.ts")).at },
  { name: "text", load: async () => (await import("./text.ts")).text },
  { name: "screenshot", load: async () => (await import("./screenshot.ts")).screenshot },
  { name: "focus", load: async () => (await import("./focus.ts")).focus },
  { name: "window", load: async () => (await import("./window.ts")).window },
  { name: "open", load: async () => (await import("./open.ts")).open },
  { name: "quit", load: async () => (await import("./quit.ts")).quit },
  { name: "clipboard", load: async () => (await import("./clipboard.ts")).clipboard },
  { name: "doctor", load: async () => (await import("./doctor.ts")).doctor },
];

export function loadTools(): Promise<readonly Tool[]> {
  return Promise.all(toolEntries.map((entry) => entry.load()));
}
