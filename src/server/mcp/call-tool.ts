import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { CallOptions } from "../../client/host.ts";
import { describeReadOnly } from "../../tools/steps.ts";
import { toToolResult } from "./answer.ts";
import type { Desk, Means } from "./means.ts";
import { type Offered, toMcpName } from "./offer.ts";

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
  try {
    const request = {
      tool: offered.tool.name,
      input: readArguments(offered, params.arguments ?? {}),
      formats: ["text", "json"] as const,
    };
    const reply = await desk.call(client, request, { signal: context.mcpReq.signal, onProgress: progress.tell });
    for (const warning of reply.warnings) context.mcpReq.log("warning", warning, "deskmap").catch(() => undefined);
    return toToolResult(offered, reply, means.isStructured);
  } finally {
    progress.end();
  }
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
