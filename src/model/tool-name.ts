/** The tools that change nothing. src/tools/index.ts has a tool for each of these names. */
export const readingTools = [
  "list",
  "read",
  "find",
  "at",
  "text",
  "screenshot",
  "wait",
  "expect",
  "do",
  "doctor",
] as const;

/** The tools that can change something: those that rules may speak of. */
export const actingTools = [
  "click",
  "type",
  "set-value",
  "fill-secret",
  "toggle",
  "check",
  "uncheck",
  "expand",
  "collapse",
  "select",
  "action",
  "hover",
  "scroll",
  "drag",
  "focus",
  "window",
  "open",
  "quit",
  "clipboard",
] as const;

export type ToolName = (typeof readingTools)[number] | (typeof actingTools)[number];
