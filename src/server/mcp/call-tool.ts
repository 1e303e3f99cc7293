import {
  type CallToolRequest,
  type CallToolResult,
  type ContentBlock,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import { type CallOptions, type CallReply, replyWithFailure } from "../../host/port.ts";
import { describeIssue, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { cleanLine } from "../../model/plain-text.ts";
import { enclose } from "../../show/envelope.ts";
import { failureToData, showFailure } from "../../show/failure.ts";
import { findIssue } from "../../tools/define.ts";
import { describeReadOnly } from "../../tools/steps.ts";
import type { ClientCalls, McpContext } from "./client-calls.ts";
import { callDemoTool } from "./demo-tools.ts";
import { defaultSeconds, defaultWaitSeconds, isStateTool, type OfferedTool } from "./own-tools.ts";
import { mayAct, toMcpName } from "./tools.ts";

type Data = Readonly<Record<string, unknown>>;

/** How often a client that asked for progress hears that its call is still under way. */
const heartbeatMs = 1000;

interface Caller {
  readonly context: McpContext;
  readonly calls: ClientCalls;
  readonly client: string;
}

export async function callTool(
  { context, calls, client }: Caller,
  { params }: CallToolRequest,
  request: ServerContext,
): Promise<CallToolResult> {
  const called = toMcpName(params.name);
  // Failures suggest commands by their own names, such as expand.
  const offered =
    context.tools.find(({ name }) => name === called) ??
    context.tools.find(({ choice }) => choice !== undefined && isStateTool(called));
  if (offered === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
  const toResult = (reply: CallReply): CallToolResult => toToolResult(offered, reply, context.isStructured);
  const readOnly = offered.acts ? await context.findReadOnly(client) : undefined;
  if (readOnly !== undefined) return toResult(replyWithFailure(describeReadOnly(offered.name, readOnly)));
  const progress = reportProgress(request, offered.name);
  const input = readArguments(offered, params.arguments ?? {});
  const { signal } = request.mcpReq;
  try {
    if (offered.turn !== undefined) return toResult(await callTurnTool(offered, calls, client, input, signal));
    if (offered.demo !== undefined) {
      const job = { calls, client, input, signal, onProgress: progress.report };
      return toResult(await callDemoTool(offered, job));
    }
    const formats = ["text", "data"] as const;
    const chosen = chooseCall(offered, called, input);
    if (!chosen.ok) return toResult(replyWithFailure(chosen.failure));
    const { reach } = offered;
    const call = { tool: chosen.value.tool, formats, reach, ...takeTurn(offered, chosen.value.input) };
    const reply = await calls.call(client, call, { signal, onProgress: progress.report });
    for (const warning of reply.warnings) request.mcpReq.log("warning", warning, "deskmap").catch(() => undefined);
    return toResult(reply);
  } finally {
    progress.end();
  }
}

/** The tool that is called: the one that was offered, or the one of several that a field chooses. */
function chooseCall(
  { name, tool, choice }: OfferedTool,
  called: string,
  input: Record<string, unknown>,
): Result<{ readonly tool: string; readonly input: Record<string, unknown> }> {
  if (choice === undefined) return succeed({ tool: tool.name, input });
  if (called !== name) return succeed({ tool: called, input });
  const { [choice]: chosen, ...rest } = input;
  const parsed = z.pick(tool.input, { [choice]: true }).safeParse({ [choice]: chosen });
  if (!parsed.success) return fail(describeIssue(tool.name, findIssue(parsed.error)));
  return succeed({ tool: String(chosen), input: rest });
}

/** The turn of a call is not a field of its tool. */
function takeTurn({ tool }: OfferedTool, input: Record<string, unknown>) {
  const { turn, ...rest } = input;
  return typeof turn === "string" && !("turn" in tool.input.shape) ? { input: rest, turn } : { input };
}

/** Fields that are written with commas. */
const separated = /^(roles?|at|bbox)$|(Role|At)$/;

/** Takes field names also with underscores, as other servers have them, and lists for what is written with commas. */
function readArguments({ tool }: OfferedTool, given: Data): Record<string, unknown> {
  const fields = Object.entries(given).map(([name, value]) => {
    const isKnown = name in tool.input.shape;
    const field = isKnown ? name : name.replaceAll(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [field, Array.isArray(value) && separated.test(field) ? value.join(",") : value];
  });
  return Object.fromEntries(fields);
}

interface Progress {
  readonly report: NonNullable<CallOptions["onProgress"]>;
  end(): void;
}

/** Progress must increase with each report, so it is the time in seconds, with the latest words of the call. */
function reportProgress({ mcpReq }: ServerContext, name: string): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { report: () => {}, end: () => {} };
  const startedAt = performance.now();
  let message = `${name} is under way`;
  const send = (): void => {
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    const params = { progressToken, progress: seconds, message };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
  const timer = setInterval(send, heartbeatMs);
  return {
    report: (_done, _total, words) => {
      message = words;
      send();
    },
    end: () => clearInterval(timer),
  };
}

async function callTurnTool(
  { tool, turn: kind }: OfferedTool,
  calls: ClientCalls,
  client: string,
  given: Data,
  signal: AbortSignal,
): Promise<CallReply> {
  const parsed = tool.input.safeParse(given);
  if (!parsed.success) return replyWithFailure(describeIssue(tool.name, findIssue(parsed.error)));
  const { seconds, waitSeconds, turn }: Data = parsed.data;
  if (kind === "end") {
    if (typeof turn !== "string") {
      return replyWithFailure(makeFailure("USAGE", "end_turn: turn: what begin_turn answered"));
    }
    const ended = await calls.endTurn(client, turn);
    return ended.ok ? answerTurn("the desktop is given back", { ended: turn }) : replyWithFailure(ended.failure);
  }
  const forMs = (typeof seconds === "number" ? seconds : defaultSeconds) * 1000;
  const waitMs = (typeof waitSeconds === "number" ? waitSeconds : defaultWaitSeconds) * 1000;
  const begun = await calls.beginTurn(client, forMs, waitMs, signal);
  if (!begun.ok) return replyWithFailure(begun.failure);
  const until = showLocalTime(begun.value.untilMs);
  return answerTurn(`the desktop is held until ${until}\nturn ${begun.value.turn}`, { turn: begun.value.turn, until });
}

function answerTurn(text: string, data: Readonly<Record<string, string>>): CallReply {
  return { outputs: { text }, data, exitCode: 0, warnings: [] };
}

/** The text between the two lines that enclose words of applications, and data. A failure is a result, too. */
export function toToolResult(offered: OfferedTool, reply: CallReply, isStructured: boolean): CallToolResult {
  const { failure, outputs } = reply;
  const warnings = reply.warnings.map((warning) => toText(`warning: ${cleanLine(warning)}`));
  if (failure !== undefined) {
    const content = [...warnings, toText(enclose(showFailure(failure)))];
    return { content, isError: true, ...(isStructured ? { structuredContent: failureToData(failure) } : {}) };
  }
  const { picture, data } = takePicture(reply.data ?? {});
  const words = picture === undefined ? (outputs.text ?? "") : (outputs.text ?? "").replace(unwritten, "picture");
  const content = [...warnings, ...(picture === undefined ? [] : [picture]), toText(enclose(words))];
  return {
    content,
    ...(isStructured ? { structuredContent: offered.isBrief ? shortenControls(data) : data } : {}),
    // A question may be answered with no; an action that was not done is an error.
    ...(undone.has(reply.exitCode) && mayAct(offered) ? { isError: true } : {}),
  };
}

const unwritten = "(not written)";
/** Exit codes of what was not done; with 4 (done, but not confirmed) the answer itself says so. */
const undone: ReadonlySet<number> = new Set([1, 2, 3]);

/** A picture becomes an image block: as text, it would fill the reader's context. */
function takePicture(answer: Data): { readonly picture?: ContentBlock; readonly data: Data } {
  const { data, ...rest } = answer;
  const { format } = answer;
  if (typeof data !== "string" || (format !== "png" && format !== "jpg")) return { data: answer };
  return { picture: { type: "image", data, mimeType: format === "png" ? "image/png" : "image/jpeg" }, data: rest };
}

function toText(text: string): ContentBlock {
  return { type: "text", text };
}

/** A control's bounds and actions, which no daily tool takes. They are half of a read. */
const rare: ReadonlySet<string> = new Set(["b", "a"]);

/** Of brief tools: says no more of controls than the text does. Without any place left, the space is left out, too. */
function shortenControls(answer: Data): Data {
  const found = new Set<string>();
  const shorten = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(shorten);
    if (!isRecord(part)) return part;
    const entries = Object.entries(part).filter(([key, value]) => {
      if (value !== undefined) found.add(key);
      return !rare.has(key);
    });
    return Object.fromEntries(entries.map(([key, value]) => [key, shorten(value)]));
  };
  const short = Object.fromEntries(Object.entries(answer).map(([key, value]) => [key, shorten(value)]));
  const { space: _space, ...rest } = short;
  return found.has("b") && !found.has("p") && !found.has("place") ? rest : short;
}

function isRecord(value: unknown): value is Data {
  return typeof value === "object" && value !== null;
}
