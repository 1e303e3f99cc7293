import type { Tool } from "./define.ts";
import type { Tools } from "./steps.ts";

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
  { name: "click", load: async () => (await import("./click.ts")).click },
  { name: "type", load: async () => (await import("./type.ts")).type },
  { name: "set-value", load: async () => (await import("./set-value.ts")).setValue },
  { name: "fill-secret", load: async () => (await import("./fill-secret.ts")).fillSecret },
  { name: "toggle", load: async () => (await import("./states.ts")).toggle },
  { name: "check", load: async () => (await import("./states.ts")).check },
  { name: "uncheck", load: async () => (await import("./states.ts")).uncheck },
  { name: "expand", load: async () => (await import("./states.ts")).expand },
  { name: "collapse", load: async () => (await import("./states.ts")).collapse },
  { name: "select", load: async () => (await import("./states.ts")).select },
  { name: "action", load: async () => (await import("./action.ts")).action },
  { name: "hover", load: async () => (await import("./states.ts")).hover },
  { name: "scroll", load: async () => (await import("./scroll.ts")).scroll },
  { name: "drag", load: async () => (await import("./drag.ts")).drag },
  { name: "focus", load: async () => (await import("./focus.ts")).focus },
  { name: "window", load: async () => (await import("./window.ts")).window },
  { name: "open", load: async () => (await import("./open.ts")).open },
  { name: "quit", load: async () => (await import("./quit.ts")).quit },
  { name: "clipboard", load: async () => (await import("./clipboard.ts")).clipboard },
  { name: "wait", load: async () => (await import("./wait.ts")).wait },
  { name: "expect", load: async () => (await import("./expect.ts")).expect },
  { name: "do", load: async () => (await import("./do.ts")).makeBatch(batchTools) },
  { name: "doctor", load: async () => (await import("./doctor.ts")).doctor },
];

export function loadTools(): Promise<readonly Tool[]> {
  return Promise.all(toolEntries.map((entry) => entry.load()));
}

const batchTools: Tools = {
  names: toolEntries.map(({ name }) => name),
  find: async (name) => toolEntries.find((entry) => entry.name === name)?.load(),
};
