import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from "@modelcontextprotocol/server";
import { cleanLine } from "../../model/plain-text.ts";

const maxLength = 60;

/** What the guard calls a client: by the name it gives itself, and never as one of another kind. */
export function nameClient(server: Server, context: ServerContext): string {
  const given = readEnvelope(context) ?? server.getClientVersion()?.name ?? "";
  const name = cleanLine(given).slice(0, maxLength).trim();
  return name === "" ? "mcp" : `mcp:${name}`;
}

/** Clients of the newer protocol say who they are with every request. */
function readEnvelope({ mcpReq }: ServerContext): string | undefined {
  const { envelope } = mcpReq;
  const info: unknown = envelope === undefined ? undefined : Object.entries(envelope).find(isInfo)?.[1];
  const name: unknown = typeof info === "object" && info !== null && "name" in info ? info.name : undefined;
  return typeof name === "string" ? name : undefined;
}

function isInfo([key]: [string, unknown]): boolean {
  return key === CLIENT_INFO_META_KEY;
}
