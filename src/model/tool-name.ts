/** The tools that change nothing. src/tools/index.ts has a tool for each name. */
export const readingTools = [
  "list",
  "read",
  "watch",
  "find",
  "at",
  "element",
  "locate",
  "text",
  "screenshot",
  "wait",
  "expect",
  "get_screen_targets",
  "get_screen_context",
  "teach",
  "teach_element",
  "record_action_result",
  "overlay",
  "annotate",
  "do",
  "doctor",
] as const;

/** The tools that can change something; rules may refer to them. */
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

/** Learner names of acting tools; rules for the original apply. */
export const actingAliases = { click_element: "click", type_in_element: "type" } as const satisfies Record<
  string,
  (typeof actingTools)[number]
>;

export type ToolName = (typeof readingTools)[number] | (typeof actingTools)[number] | keyof typeof actingAliases;

/** What a model may be given: each answers with what its recipient may see, and nothing else. */
const toolsForModels: readonly string[] = [
  ...(["list", "read", "find", "element", "text", "wait", "click", "type", "set-value", "toggle", "check"] as const),
  ...([
    "uncheck",
    "expand",
    "collapse",
    "select",
    "hover",
    "scroll",
    "drag",
    "focus",
    "window",
    "open",
    "quit",
  ] as const),
] satisfies readonly ToolName[];

export function isForModels(tool: string): boolean {
  return toolsForModels.includes(tool);
}
