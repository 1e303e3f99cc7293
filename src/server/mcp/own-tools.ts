import * as z from "zod/mini";
import { dailyTarget } from "../../tools/acting.ts";
import type { ToolDescription } from "../../tools/define.ts";
import { number, text } from "../../tools/fields.ts";
import { check } from "../../tools/states.ts";

export interface OfferedTool {
  /** With underscores: dashes are allowed, but some clients refuse them. */
  readonly name: string;
  readonly tool: ToolDescription;
  readonly acts: boolean;
  /** Lists only the fields that are needed every day. */
  readonly isBrief: boolean;
  /** Of begin_turn and end_turn, which are not in the list of tools. */
  readonly turn?: "begin" | "end";
  /** Of list_demos and replay, which are not in the list of tools. */
  readonly demo?: "list" | "replay";
  /** Of a demo that is a tool of its own: its name. */
  readonly stored?: string;
  /** Of a tool that stands for several: the field that says which one is called. */
  readonly choice?: string;
  /** Of a batch that was offered by its name: the only tools that its steps may use. */
  readonly reach?: readonly string[];
}

export const [defaultSeconds, defaultWaitSeconds] = [30, 5];
const [longestSeconds, longestWaitSeconds] = [300, 600];

/** The commands that change the state of one control; MCP has set_state for all of them. */
const stateTools = ["check", "uncheck", "toggle", "expand", "collapse", "select"] as const;

/** The tools that a call of an offered one can run. */
export function listCalled({ tool, choice }: OfferedTool): readonly string[] {
  return choice === undefined ? [tool.name] : stateTools;
}

export function isStateTool(name: string): boolean {
  return stateTools.some((one) => one === name);
}

/**
 * Only MCP has these tools; the command line has commands of its own. Every call that belongs to a turn names it: several
 * agents may share one connection, and the newer protocol has no connections.
 */
export const ownTools: readonly Omit<OfferedTool, "isBrief">[] = [
  {
    name: "begin_turn",
    acts: true,
    turn: "begin",
    tool: {
      name: "begin_turn",
      summary: "Hold the desktop for a short workflow: nobody else acts until end_turn, or until its time is up.",
      description:
        "Answers with a turn: give it as turn to every tool that acts and to do. Everybody may read meanwhile. It ends with this " +
        "connection, too. For steps that are known beforehand, do is simpler.",
      examples: [],
      hints: { isDestructive: false },
      input: z.object({
        seconds: number(1, longestSeconds, `how long at most (${defaultSeconds})`),
        waitSeconds: number(0.1, longestWaitSeconds, `how long to wait for another client (${defaultWaitSeconds})`),
      }),
      output: () => z.strictObject({ turn: z.string(), until: z.string() }),
    },
  },
  {
    name: "end_turn",
    acts: true,
    turn: "end",
    tool: {
      name: "end_turn",
      summary: "Give the desktop back that begin_turn holds.",
      description: "What is under way in it ends by itself.",
      examples: [],
      hints: { isDestructive: false, isIdempotent: true },
      input: z.object({ turn: text("what begin_turn answered") }),
      output: () => z.strictObject({ ended: z.string() }),
    },
  },
  {
    name: "set_state",
    acts: true,
    choice: "to",
    tool: {
      ...check,
      name: "set_state",
      summary: "Check, uncheck or toggle a box, switch or radio; expand or collapse; select a row, tab or option.",
      description: "Nothing is done if it is so already. The answer is confirmed when the new state was seen.",
      examples: [],
      daily: {
        says: "Check, uncheck or toggle a box, switch or radio; expand or collapse; select a row, tab or option.",
        fields: { to: "", ...dailyTarget },
      },
      hints: { isDestructive: false },
      input: z.object({
        to: z.enum(stateTools, `takes one of ${stateTools.join(", ")}`),
        ...check.input.shape,
      }),
    },
  },
];
