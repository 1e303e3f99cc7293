import { timingSafeEqual } from "node:crypto";
import { isOwnName } from "../listen.ts";

export const path = "/mcp";

/** Who is not let in, and why; undefined for who is. Where a request comes from is asked before what it knows. */
export function refuseEntry(request: Request, token: string): Response | undefined {
  const host = request.headers.get("host") ?? "";
  if (!isOwnName(`http://${host}`)) {
    return tell(
      403,
      `Refused: the Host header names ${JSON.stringify(host)}. Use http://127.0.0.1 or http://localhost.`,
    );
  }
  const origin = request.headers.get("origin");
  if (origin !== null && !isOwnName(origin)) {
    return tell(403, `Refused: pages of ${JSON.stringify(origin)} may not use this server.`);
  }
  if (!isTokenRight(request.headers.get("authorization"), token)) {
    return tell(
      401,
      "Refused: send the header Authorization: Bearer TOKEN, with the token that deskmap mcp --http prints.",
      {
        "www-authenticate": 'Bearer realm="deskmap"',
      },
    );
  }
  return new URL(request.url).pathname === path ? undefined : tell(404, `MCP is at ${path}.`);
}

/** In the same time whatever is wrong with it. */
function isTokenRight(header: string | null, token: string): boolean {
  const given = Buffer.from(/^Bearer +(\S+)$/i.exec(header ?? "")?.[1] ?? "");
  const right = Buffer.from(token);
  return given.length === right.length && timingSafeEqual(given, right);
}

/** As JSON-RPC says it: clients show the message. */
export function tell(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }, { status, headers });
}
