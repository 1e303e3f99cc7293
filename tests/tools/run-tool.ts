import type { Result } from "../../src/model/failure.ts";
import { stringify } from "../../src/show/output.ts";
import type { Tool, ToolAnswer } from "../../src/tools/define.ts";
import type { Session } from "../../src/tools/session.ts";

/** Calls a tool as a host does. Every answer must match the tool's declaration, and its JSON must contain all of it. */
export async function runTool(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  session: Session,
): Promise<Result<ToolAnswer>> {
  const prepared = tool.prepare(input);
  if (!prepared.ok) throw new Error(`${tool.name}: ${prepared.issue.field} ${prepared.issue.message}`);
  const result = await prepared.call.run(session);
  if (result.ok) {
    tool.output().parse(result.value.data());
    tool.output().parse(toJson(result.value));
  }
  return result;
}

/** Parsed as a program would. */
export function toJson(answer: ToolAnswer) {
  return JSON.parse(stringify(answer.data(), false));
}
