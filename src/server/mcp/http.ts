import { existsSync, readFileSync } from "node:fs";
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
  const servers = listenOnBoth(wish.port, listen);
  if (!servers.ok) {
    void sessions.close();
    return servers;
  }
  const [{ port = wish.port }] = servers.value;
  const close = async (): Promise<void> => {
    await sessions.close();
    for (const server of servers.value) await server.stop(true);
  };
  return succeed({ url: `http://${main}:${port}${path}`, close });
}

type Listener = Bun.Server<undefined>;

/**
 * The same port under both names, or none: what another user has under one of them would be sent the token by a client that
 * calls this machine localhost.
 */
function listenOnBoth(
  wanted: number,
  listen: (hostname: string, port: number) => Listener,
): Result<readonly [Listener, ...Listener[]]> {
  for (let attempt = 1; ; attempt += 1) {
    const first = tryTo(() => listen(main, wanted));
    if (first instanceof Error) return fail(describeTaken(main, wanted, first));
    if (!hasOther()) return succeed([first]);
    const port = first.port ?? wanted;
    const second = tryTo(() => listen(other, port));
    if (!(second instanceof Error)) return succeed([first, second]);
    void first.stop(true);
    if (wanted !== 0 || attempt === maxAttempts) return fail(describeTaken(other, port, second));
  }
}

/** Any port will do: of so many one is free under both names. */
const maxAttempts = 20;

/** What the kernel calls ::1 in its list of addresses. */
const otherInTable = /^0{31}1 /m;

/**
 * A machine without the newer addresses is served by the other one. The kernel's table is read: to ask for the interfaces would
 * open a socket. Where there is no such folder they are there.
 */
function hasOther(): boolean {
  const table = "/proc/net/if_inet6";
  return existsSync(table) ? otherInTable.test(readFileSync(table, "utf8")) : !existsSync("/proc/net");
}

function tryTo<T>(make: () => T): T | Error {
  try {
    return make();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function describeTaken(host: string, port: number, { message }: Error): Failure {
  return {
    code: "UNAVAILABLE",
    message: `port ${port} of ${host} cannot be listened on: ${message}`,
    suggestion: "another one: --port 0 takes any that is free.",
    done: nothingDone,
  };
}
