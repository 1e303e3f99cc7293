import type { CallReply, CallRequest } from "../host/port.ts";
import { openSession } from "../host/session.ts";
import { defaultTimeoutMs } from "../model/default-timeout.ts";
import { describeIssue, exitCodeOf } from "../model/failure.ts";
import { cleanLine } from "../model/plain-text.ts";
import { traced } from "../model/trace.ts";
import type { Tool } from "../tools/define.ts";
import { performTool } from "../tools/perform.ts";
import type { Session } from "../tools/session.ts";

/** Runs a tool in this process, from its first look to what is told of it. */
export async function callHere(
  tool: Tool,
  { input, formats, isPretty = false, timeoutMs = defaultTimeoutMs }: CallRequest,
  tell: (performed: CallReply) => Promise<number>,
): Promise<number> {
  const prepared = tool.prepare(input);
  if (!prepared.ok) {
    const failure = describeIssue(tool.name, prepared.issue);
    return tell({ outputs: {}, failure, exitCode: exitCodeOf(failure.code), warnings: [] });
  }
  const session = openSession(process.env, timeoutMs);
  try {
    const performed = await traced(
      "tool",
      () => [tool.name],
      () => performTool(prepared.call, session, { formats, isPretty }),
    );
    // What is still under way ends with this process, and lets go of everything.
    if (performed.isInterrupted) process.exit(await tell(performed));
    return await tell(performed);
  } finally {
    await settle(session);
    session.close();
  }
}

/** What was asked for has been told by now: that others do not know it yet is a remark. */
async function settle(session: Session): Promise<void> {
  const remark = await session.settle();
  if (remark !== undefined) process.stderr.write(`warning: ${cleanLine(remark)}\n`);
}
