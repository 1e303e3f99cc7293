import { type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import { path, refuseEntry, tell } from "./entry-check.ts";
import { HttpSessions } from "./http-sessions.ts";
import type { Means } from "./means.ts";

/** This machine alone, under both of its names; there is no way to ask for another. */
const [main, other] = ["127.0.0.1", "::1"];
const maxBodyBytes = 4 << 20;

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

export function serveOverHttp(
  means: Means,
  wish: { readonly port: number; readonly token: string },
): Result<HttpServer> {
  const sessions = new HttpSessions(means);
  const answer = async (request: Request): Promise<Response> => {
    const refused = refuseEntry(request, wish.token);
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
  try {
    const first = listen(main, wish.port);
    const port = first.port ?? wish.port;
    const servers = [first, ...listenToo(() => listen(other, port))];
    const close = async (): Promise<void> => {
      await sessions.close();
      for (const server of servers) await server.stop(true);
    };
    return succeed({ url: `http://${main}:${port}${path}`, close });
  } catch (error) {
    return fail(describeTaken(wish.port, error));
  }
}

/** A machine without the newer addresses is served by the other one. */
function listenToo<Server>(listen: () => Server): Server[] {
  try {
    return [listen()];
  } catch {
    return [];
  }
}

function describeTaken(port: number, error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  return {
    code: "UNAVAILABLE",
    message: `port ${port} of ${main} cannot be listened on: ${why}`,
    suggestion: "another one: --port 0 takes any that is free.",
    done: nothingDone,
  };
}
