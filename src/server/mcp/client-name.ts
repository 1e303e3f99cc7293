import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from "@modelcontextprotocol/server";
import { cleanLine } from "../../model/plain-text.ts";

const maxLength = 60;

/** What the guard calls a client: by the name it gives itself, and never as one of another kind. */
export function nameClient(server: Server, { mcpReq }: ServerContext): string {
  return toClientName(readInfo(mcpReq.envelope) ?? server.getClientVersion()?.name ?? "");
}

/** The same for a request of the newer protocol that no server has taken yet. */
export function nameSender(message: unknown): string {
  return toClientName(readInfo(readField(readField(message, "params"), "_meta")) ?? "");
}

function toClientName(given: string): string {
  const name = cleanLine(given).slice(0, maxLength).trim();
  return name === "" ? "mcp" : `mcp:${name}`;
}

/** Clients of the newer protocol say who they are with every request. */
function readInfo(envelope: unknown): string | undefined {
  const name = readField(readField(envelope, CLIENT_INFO_META_KEY), "name");
  return typeof name === "string" ? name : undefined;
}

function readField(holder: unknown, field: string): unknown {
  return typeof holder === "object" && holder !== null && Object.hasOwn(holder, field)
    ? Reflect.get(holder, field)
    : undefined;
}
