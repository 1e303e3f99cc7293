import { awaitCancel } from "../host/await-cancel.ts";
import { type CallReply, type CallRequest, replyWithFailure } from "../host/port.ts";
import { openSession } from "../host/session.ts";
import { defaultTimeoutMs } from "../model/default-timeout.ts";
import { describeIssue } from "../model/failure.ts";
import { cleanLine } from "../model/plain-text.ts";
import { traced } from "../model/trace.ts";
import type { Tool } from "../tools/define.ts";
import { performTool } from "../tools/perform.ts";

/** Runs a tool in this process, and passes the reply to `report`. */
export async function callHere(
  tool: Tool,
  { input, formats, isPretty = false, timeoutMs = defaultTimeoutMs }: CallRequest,
  report: (reply: CallReply) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  const prepared = tool.prepare(input);
  if (!prepared.ok) return report(replyWithFailure(describeIssue(tool.name, prepared.issue)));
  const session = openSession(process.env, timeoutMs, undefined, { signal });
  try {
    const performing = traced(
      "tool",
      () => [tool.name],
      () => performTool(prepared.call, session, { formats, isPretty }),
    );
    const cancelled = awaitCancel(signal, performing).then((reply) => ({ ...reply, isInterrupted: true }));
    const performed = await Promise.race([performing, cancelled]);
    // The action under way ends with this process; its watchdog releases keys and buttons.
    if (performed.isInterrupted) process.exit(await report(performed));
    return await report(performed);
  } finally {
    // The answer is printed by now: a failure to synchronise a shared map is only a warning.
    const remark = await session.settle();
    if (remark !== undefined) process.stderr.write(`warning: ${cleanLine(remark)}\n`);
    session.close();
  }
}
