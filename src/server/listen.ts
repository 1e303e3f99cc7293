import { timingSafeEqual } from "node:crypto";
import { type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { sockets } from "../os/index.ts";

/** The loopback addresses: servers listen on no other. */
export const ownAddress = "127.0.0.1";
const otherAddress = "::1";

/**
 * This machine as browsers write it. A foreign page can make a browser send requests here under any other name (DNS
 * rebinding). It is compared as it is written: what is read as an address here may be read otherwise elsewhere.
 */
const ownHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/i;
const ownOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
const usualPort = "80";

/**
 * Why a request is refused; undefined if it is not. A foreign page can make a browser send requests here. With a port, Host and
 * Origin must name exactly this server; without one, any server of this machine.
 */
export function refuseForeign(request: Request, port?: number): string | undefined {
  const host = request.headers.get("host") ?? "";
  const named = ownHost.exec(host);
  if (named === null || (port !== undefined && Number(named[1] ?? usualPort) !== port)) {
    const own = `http://${ownAddress}${port === undefined ? "" : `:${port}/`}`;
    return `Refused: the Host header names ${JSON.stringify(host)}. Use ${own}.`;
  }
  const origin = request.headers.get("origin");
  if (origin === null || (port === undefined ? ownOrigin.test(origin) : origin === `http://${host}`)) return undefined;
  return `Refused: pages of ${JSON.stringify(origin)} may not use this server.`;
}

export function makeSecret(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");
}

/** Constant time: the duration must not reveal where a guess is wrong. */
export function isSameSecret(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Listens on the same port of both addresses: a client that uses localhost would send its token to another user's server on one of them. */
export function listenOnBoth<
  One extends { readonly port?: number | undefined; stop(isAbrupt: boolean): Promise<void> },
>(
  wanted: number,
  listen: (hostname: string, port: number) => One,
  hasOther = sockets.hasIpv6Loopback(),
): Result<readonly [One, ...One[]]> {
  for (let attempt = 1; ; attempt += 1) {
    const first = tryTo(() => listen(ownAddress, wanted));
    if (first instanceof Error) return fail(describeTaken(ownAddress, wanted, first));
    if (!hasOther) return succeed([first]);
    const port = first.port ?? wanted;
    const second = tryTo(() => listen(otherAddress, port));
    if (!(second instanceof Error)) return succeed([first, second]);
    void first.stop(true);
    if (wanted !== 0 || attempt === maxAttempts) return fail(describeTaken(otherAddress, port, second));
  }
}

/** With port 0: how many free ports are tried. */
const maxAttempts = 20;

function tryTo<T>(make: () => T): T | Error {
  try {
    return make();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function describeTaken(host: string, port: number, { message }: Error): Failure {
  const problem = `port ${port} of ${host} cannot be listened on: ${message}`;
  return makeFailure("UNAVAILABLE", problem, "another one: --port 0 takes any that is free.");
}
