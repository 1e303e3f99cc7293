import type { CallReply } from "../../host/port.ts";
import { exitCodeOf, type Failure, nothingDone } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import type { Desk } from "./means.ts";
import type { Offered } from "./offered.ts";
import { defaultSeconds, defaultWaitSeconds } from "./turn-tools.ts";

/** Holds the desktop for a client, or gives it back. */
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

function answer(words: string, data: Readonly<Record<string, string>>): CallReply {
  return { outputs: { text: words }, data, exitCode: 0, warnings: [] };
}

function refuse(failure: Failure): CallReply {
  return { outputs: {}, failure, exitCode: exitCodeOf(failure.code), warnings: [] };
}

function describeInput(message: string): Failure {
  return { code: "USAGE", message, done: nothingDone };
}
