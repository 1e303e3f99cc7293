import * as z from "zod/mini";
import { number, text } from "../../tools/fields.ts";
import type { Offered } from "./offered.ts";

export const [defaultSeconds, defaultWaitSeconds] = [30, 5];
const [longestSeconds, longestWaitSeconds] = [300, 600];

/**
 * Tools that MCP alone has: a command line has its own commands for it. The turn is named in every call that belongs to it, and
 * not taken for granted: several agents may share one connection, and in the newer protocol there is none.
 */
export const turnTools: readonly Offered[] = [
  {
    name: "begin_turn",
    acts: true,
    isBrief: false,
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
    isBrief: false,
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
];
