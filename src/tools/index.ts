import type { ToolName } from "../model/tool-name.ts";
import type { Tool } from "./define.ts";
import type { Tools } from "./steps.ts";

/** A tool by its name; what it needs is loaded only when it is used, since every start pays for what is loaded. */
export interface ToolEntry {
  readonly name: ToolName;
  /**
   * Whether it can change something, as src/model/tool-name.ts says, too. Where nothing may be done, such a tool does not exist: no help lists it, no command
   * and no batch can call it. What it does goes through the guard all the same, which would refuse it.
   */
  readonly acts: boolean;
  load(): Promise<Tool>;
}

/** The only list of tools. */
export const toolEntries: readonly ToolEntry[] = [
  { name: "list", acts: false, load: async () => (await import("./list.ts")).list },
  { name: "read", acts: false, load: async () => (await import("./read.ts")).read },
  { name: "watch", acts: false, load: async () => (await import("./watch.ts")).watch },
  { name: "find", acts: false, load: async () => (await import("./find.ts")).find },
  { name: "at", acts: false, load: async () => (await import("./at.ts")).at },
  { name: "element", acts: false, load: async () => (await import("./element.ts")).element },
  { name: "text", acts: false, load: async () => (await import("./text.ts")).text },
  { name: "screenshot", acts: false, load: async () => (await import("./screenshot.ts")).screenshot },
  { name: "click", acts: true, load: async () => (await import("./click.ts")).click },
  { name: "type", acts: true, load: async () => (await import("./type.ts")).type },
  { name: "set-value", acts: true, load: async () => (await import("./set-value.ts")).setValue },
  { name: "fill-secret", acts: true, load: async () => (await import("./fill-secret.ts")).fillSecret },
  { name: "toggle", acts: true, load: async () => (await import("./states.ts")).toggle },
  { name: "check", acts: true, load: async () => (await import("./states.ts")).check },
  { name: "uncheck", acts: true, load: async () => (await import("./states.ts")).uncheck },
  { name: "expand", acts: true, load: async () => (await import("./states.ts")).expand },
  { name: "collapse", acts: true, load: async () => (await import("./states.ts")).collapse },
  { name: "select", acts: true, load: async () => (await import("./states.ts")).select },
  { name: "action", acts: true, load: async () => (await import("./action.ts")).action },
  { name: "hover", acts: true, load: async () => (await import("./states.ts")).hover },
  { name: "scroll", acts: true, load: async () => (await import("./scroll.ts")).scroll },
  { name: "drag", acts: true, load: async () => (await import("./drag.ts")).drag },
  { name: "focus", acts: true, load: async () => (await import("./focus.ts")).focus },
  { name: "window", acts: true, load: async () => (await import("./window.ts")).window },
  { name: "open", acts: true, load: async () => (await import("./open.ts")).open },
  { name: "quit", acts: true, load: async () => (await import("./quit.ts")).quit },
  { name: "clipboard", acts: true, load: async () => (await import("./clipboard.ts")).clipboard },
  { name: "wait", acts: false, load: async () => (await import("./wait.ts")).wait },
  { name: "expect", acts: false, load: async () => (await import("./expect.ts")).expect },
  {
    name: "get_screen_targets",
    acts: false,
    load: async () => (await import("./screen-targets.ts")).getScreenTargets,
  },
  {
    name: "get_screen_context",
    acts: false,
    load: async () => (await import("./screen-targets.ts")).getScreenContext,
  },
  { name: "click_element", acts: true, load: async () => (await import("./elements.ts")).clickElement },
  { name: "type_in_element", acts: true, load: async () => (await import("./elements.ts")).typeInElement },
  { name: "teach", acts: false, load: async () => (await import("./teach.ts")).teach },
  { name: "teach_element", acts: false, load: async () => (await import("./teach.ts")).teachElement },
  { name: "record_action_result", acts: false, load: async () => (await import("./elements.ts")).recordActionResult },
  { name: "overlay", acts: false, load: async () => (await import("./overlay.ts")).overlay },
  { name: "annotate", acts: false, load: async () => (await import("./annotate.ts")).annotate },
  { name: "do", acts: false, load: async () => (await import("./do.ts")).makeBatch(batchTools) },
  { name: "doctor", acts: false, load: async () => (await import("./doctor.ts")).doctor },
];

export function loadTools(): Promise<readonly Tool[]> {
  return Promise.all(toolEntries.map((entry) => entry.load()));
}

const batchTools: Tools = {
  names: toolEntries.map(({ name }) => name),
  acting: new Set(toolEntries.filter(({ acts }) => acts).map(({ name }) => name)),
  find: async (name) => toolEntries.find((entry) => entry.name === name)?.load(),
};
