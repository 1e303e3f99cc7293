import type { CallReply } from "../../client/host.ts";
import { exitCodeOf, type Failure, nothingDone } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { number, text } from "../../tools/fields.ts";
import * as z from "zod/mini";
import type { Desk } from "./means.ts";
import type { Offered } from "./offer.ts";

const [defaultSeconds, longestSeconds] = [30, 300];
const [defaultWaitSeconds, longestWaitSeconds] = [5, 600];

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
    },
  },
];

/** Runs one of them. */
export async function callTurnTool(
  { tool, turn: kind }: Offered,
  desk: Desk,
  client: string,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CallReply> {
  const parsed = tool.input.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refuse(describeInput(`${tool.name}: ${String(issue?.path[0] ?? "")}: ${issue?.message ?? "not accepted"}`));
  }
  const { seconds, waitSeconds, turn }: Readonly<Record<string, unknown>> = parsed.data;
  if (kind === "end") {
    if (typeof turn !== "string") return refuse(describeInput("end_turn: turn: what begin_turn answered"));
    const ended = await desk.endTurn(client, turn);
    return ended.ok ? answer("the desktop is given back", { ended: turn }) : refuse(ended.failure);
  }
  const forMs = (typeof seconds === "number" ? seconds : defaultSeconds) * 1000;
  const waitMs = (typeof waitSeconds === "number" ? waitSeconds : defaultWaitSeconds) * 1000;
  const begun = await desk.beginTurn(client, forMs, waitMs, signal);
  if (!begun.ok) return refuse(begun.failure);
  const until = showLocalTime(begun.value.untilMs);
  return answer(`the desktop is held until ${until}\nturn ${begun.value.turn}`, { turn: begun.value.turn, until });
}

function answer(words: string, json: Readonly<Record<string, string>>): CallReply {
  return { outputs: { text: words, json: JSON.stringify(json) }, exitCode: 0, warnings: [] };
}

function refuse(failure: Failure): CallReply {
  return { outputs: {}, failure, exitCode: exitCodeOf(failure.code), warnings: [] };
}

function describeInput(message: string): Failure {
  return { code: "USAGE", message, done: nothingDone };
}
