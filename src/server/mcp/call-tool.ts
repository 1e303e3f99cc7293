import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { CallOptions } from "../../host/port.ts";
import { describeReadOnly } from "../../tools/steps.ts";
import { toToolResult } from "./answer.ts";
import { callTurnTool } from "./call-turn.ts";
import type { Desk, Means } from "./means.ts";
import { toMcpName } from "./offer.ts";
import type { Offered } from "./offered.ts";

/** How often a client that wants to know hears that its call is still under way. */
const heartbeatMs = 1000;

export async function callTool(
  { means, desk, client }: { readonly means: Means; readonly desk: Desk; readonly client: string },
  { params }: CallToolRequest,
  context: ServerContext,
): Promise<CallToolResult> {
  const offered = means.offers.find(({ name }) => name === toMcpName(params.name));
  if (offered === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
  const readOnly = offered.acts ? await means.findReadOnly(client) : undefined;
  if (readOnly !== undefined) {
    const failure = describeReadOnly(offered.name, readOnly);
    return toToolResult(offered, { outputs: {}, failure, exitCode: 3, warnings: [] }, means.isStructured);
  }
  const progress = followProgress(context, offered.name);
  const input = readArguments(offered, params.arguments ?? {});
  const { signal } = context.mcpReq;
  try {
    if (offered.turn !== undefined) {
      const held = await callTurnTool(offered, desk, client, input, signal);
      return toToolResult(offered, held, means.isStructured);
    }
    const formats = ["text", "data"] as const;
    const request = { tool: offered.tool.name, formats, ...takeTurn(offered, input) };
    const reply = await desk.call(client, request, { signal, onProgress: progress.tell });
    for (const warning of reply.warnings) context.mcpReq.log("warning", warning, "deskmap").catch(() => undefined);
    return toToolResult(offered, reply, means.isStructured);
  } finally {
    progress.end();
  }
}

/** The turn that a call belongs to is no field of its tool. */
function takeTurn({ tool }: Offered, input: Record<string, unknown>) {
  const { turn, ...rest } = input;
  return typeof turn === "string" && !("turn" in tool.input.shape) ? { input: rest, turn } : { input };
}

/** Fields go by their names, and by the same with underscores, as other servers have them. */
function readArguments({ tool }: Offered, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = Object.entries(given).map(([field, value]) => {
    const isKnown = field in tool.input.shape;
    return [isKnown ? field : field.replaceAll(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase()), value];
  });
  return Object.fromEntries(fields);
}

interface Progress {
  readonly tell: NonNullable<CallOptions["onProgress"]>;
  end(): void;
}

/** Time is what always goes on: it is told with the words that were heard last. */
function followProgress({ mcpReq }: ServerContext, name: string): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { tell: () => {}, end: () => {} };
  const startedAt = performance.now();
  let message = `${name} is under way`;
  const send = (): void => {
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    const params = { progressToken, progress: seconds, message };
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
  const timer = setInterval(send, heartbeatMs);
  return {
    tell: (_done, _total, words) => {
      message = words;
      send();
    },
    end: () => clearInterval(timer),
  };
}
