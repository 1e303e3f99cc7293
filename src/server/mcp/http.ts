import { type Result, succeed } from "../../model/failure.ts";
import { listenOnBoth, ownAddress } from "../listen.ts";
import { path, refuseEntry, tell } from "./entry-check.ts";
import { HttpSessions } from "./http-sessions.ts";
import type { Means } from "./means.ts";

const maxBodyBytes = 4 << 20;

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

export function serveOverHttp(
  means: Means,
  query: { readonly port: number; readonly token: string },
): Result<HttpServer> {
  const sessions = new HttpSessions(means);
  const answer = async (request: Request): Promise<Response> => {
    const refused = refuseEntry(request, query.token);
    if (refused !== undefined) return refused;
    try {
      return await sessions.handle(request);
    } catch (error) {
      return tell(500, `Deskmap itself failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const listen = (hostname: string, port: number) =>
    // Streams stay open as long as their client does.
    Bun.serve({ hostname, port, idleTimeout: 0, maxRequestBodySize: maxBodyBytes, fetch: answer, development: false });
  const servers = listenOnBoth(query.port, listen);
  if (!servers.ok) {
    void sessions.close();
    return servers;
  }
  const [{ port = query.port }] = servers.value;
  const close = async (): Promise<void> => {
    await sessions.close();
    for (const server of servers.value) await server.stop(true);
  };
  return succeed({ url: `http://${ownAddress}:${port}${path}`, close });
}
