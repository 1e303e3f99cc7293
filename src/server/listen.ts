import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { sockets } from "../os/index.ts";

/** This machine alone, under both of its names; there is no way to ask for another. */
export const ownAddress = "127.0.0.1";
const otherAddress = "::1";

/** By these names this machine calls itself; a page from elsewhere can make a browser use any other. */
const ownNames: ReadonlySet<string> = new Set(["localhost", ownAddress, "[::1]"]);

/** Of an address such as http://localhost:8080. */
export function isOwnName(address: string): boolean {
  return URL.canParse(address) && ownNames.has(new URL(address).hostname);
}

/** As much of a server as is needed here. */
interface Listener {
  readonly port?: number | undefined;
  stop(isAbrupt: boolean): Promise<void>;
}

/**
 * The same port under both names, or none: what another user has under one of them would be sent the token by a client that
 * calls this machine localhost.
 */
export function listenOnBoth<One extends Listener>(
  wanted: number,
  listen: (hostname: string, port: number) => One,
): Result<readonly [One, ...One[]]> {
  for (let attempt = 1; ; attempt += 1) {
    const first = tryTo(() => listen(ownAddress, wanted));
    if (first instanceof Error) return fail(describeTaken(ownAddress, wanted, first));
    if (!sockets.hasIpv6Loopback()) return succeed([first]);
    const port = first.port ?? wanted;
    const second = tryTo(() => listen(otherAddress, port));
    if (!(second instanceof Error)) return succeed([first, second]);
    void first.stop(true);
    if (wanted !== 0 || attempt === maxAttempts) return fail(describeTaken(otherAddress, port, second));
  }
}

/** Any port will do: of so many one is free under both names. */
const maxAttempts = 20;

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
