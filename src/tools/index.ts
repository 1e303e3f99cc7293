import { actingAliases, actingTools, type ToolName } from "../model/tool-name.ts";
import type { Tool } from "./define.ts";
import type { Tools } from "./steps.ts";

/** A tool by its name. Its code is loaded only when it is used, to keep every other start fast. */
export interface ToolEntry {
  readonly name: ToolName;
  /**
   * Whether it can change something. For a client that may only read, such a tool does not exist: help does not list it, and no
   * command or batch can call it. The guard would refuse its actions, too.
   */
  readonly acts: boolean;
  load(): Promise<Tool>;
}

/** The code of each tool, in the order of help and documentation. src/model/tool-name.ts says which of them act. */
const loaders: readonly (readonly [ToolName, () => Promise<Tool>])[] = [
  ["list", async () => (await import("./list.ts")).list],
  ["read", async () => (await import("./read.ts")).read],
  ["watch", async () => (await import("./watch.ts")).watch],
  ["find", async () => (await import("./find.ts")).find],
  ["at", async () => (await import("./at.ts")).at],
  ["element", async () => (await import("./element.ts")).element],
  ["locate", async () => (await import("./locate.ts")).locate],
  ["text", async () => (await import("./text.ts")).text],
  ["screenshot", async () => (await import("./screenshot.ts")).screenshot],
  ["click", async () => (await import("./click.ts")).click],
  ["type", async () => (await import("./type.ts")).type],
  ["set-value", async () => (await import("./set-value.ts")).setValue],
  ["fill-secret", async () => (await import("./fill-secret.ts")).fillSecret],
  ["toggle", async () => (await import("./states.ts")).toggle],
  ["check", async () => (await import("./states.ts")).check],
  ["uncheck", async () => (await import("./states.ts")).uncheck],
  ["expand", async () => (await import("./states.ts")).expand],
  ["collapse", async () => (await import("./states.ts")).collapse],
  ["select", async () => (await import("./states.ts")).select],
  ["action", async () => (await import("./states.ts")).action],
  ["hover", async () => (await import("./states.ts")).hover],
  ["scroll", async () => (await import("./scroll.ts")).scroll],
  ["drag", async () => (await import("./drag.ts")).drag],
  ["focus", async () => (await import("./focus.ts")).focus],
  ["window", async () => (await import("./window.ts")).window],
  ["open", async () => (await import("./open.ts")).open],
  ["quit", async () => (await import("./quit.ts")).quit],
  ["clipboard", async () => (await import("./clipboard.ts")).clipboard],
  ["wait", async () => (await import("./wait.ts")).wait],
  ["expect", async () => (await import("./wait.ts")).expect],
  ["get_screen_targets", async () => (await import("./screen-targets.ts")).getScreenTargets],
  ["get_screen_context", async () => (await import("./screen-targets.ts")).getScreenContext],
  ["click_element", async () => (await import("./elements.ts")).clickElement],
  ["type_in_element", async () => (await import("./elements.ts")).typeInElement],
  ["teach", async () => (await import("./teach.ts")).teach],
  ["teach_element", async () => (await import("./teach.ts")).teachElement],
  ["record_action_result", async () => (await import("./elements.ts")).recordActionResult],
  ["overlay", async () => (await import("./overlay.ts")).overlay],
  ["annotate", async () => (await import("./annotate.ts")).annotate],
  ["do", async () => (await import("./do.ts")).makeBatch(batchTools)],
  ["doctor", async () => (await import("./doctor.ts")).doctor],
];

const acting: ReadonlySet<string> = new Set([...actingTools, ...Object.keys(actingAliases)]);

export const toolEntries: readonly ToolEntry[] = loaders.map(([name, load]) => ({
  name,
  acts: acting.has(name),
  load,
}));

export function loadTools(): Promise<readonly Tool[]> {
  return Promise.all(toolEntries.map((entry) => entry.load()));
}

const batchTools: Tools = {
  names: toolEntries.map(({ name }) => name),
  acting,
  find: async (name) => toolEntries.find((entry) => entry.name === name)?.load(),
};
