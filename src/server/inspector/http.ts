import { publishPage } from "../../guard/approval/pages.ts";
import { findPlaces } from "../../guard/places.ts";
import type { Env } from "../../model/env.ts";
import { type Result, succeed } from "../../model/failure.ts";
import { listenOnBoth, ownAddress } from "../listen.ts";
import { Entry, refuseAddress } from "./entry.ts";
import type { KeptHost } from "./keep-host.ts";
import { loadPage, type PageFile } from "./page.ts";
import { PageSocket, type SocketMeans } from "./socket.ts";

const maxMessageBytes = 1 << 20;
const maxPages = 64;
/** Of those that have not proved yet who they are; the oldest makes room, so that nobody keeps a page out by waiting. */
const maxStrangers = 8;
/** A page that takes nothing any more is let go of. */
const maxWaitingBytes = 64 << 20;

/** In the title of every window that shows the page, before it is let in, too; or, of a debugger's, its address. */
const ownWords = "Deskmap inspector";
const ownNames = ["127.0.0.1", "localhost", "[::1]"];

export interface InspectorServer {
  /** With the token that lets in whoever comes first. */
  readonly url: string;
  readonly entry: Entry;
  close(): Promise<void>;
}

interface InspectorMeans {
  readonly host: KeptHost;
  readonly env: Env;
  readonly version: string;
}

/** Serves the page and its socket to this machine alone. */
export async function serveInspector(means: InspectorMeans, port: number): Promise<Result<InspectorServer>> {
  const entry = new Entry();
  const page = await loadPage();
  const sockets = new Set<PageSocket>();
  const shared: SocketMeans = { ...means, entry, ownTitle: `${ownWords} ${makeName()}` };
  const listen = (hostname: string, wanted: number) =>
    Bun.serve<PageSocket>({
      hostname,
      port: wanted,
      development: false,
      maxRequestBodySize: 0,
      fetch: (request, server) => {
        const refused = refuseAddress(request, server.port ?? wanted);
        if (refused !== undefined) return tell(403, refused);
        if (request.method !== "GET") return tell(405, "Only GET is understood here.");
        const { pathname } = new URL(request.url);
        if (pathname !== "/socket") return giveFile(request, page.get(pathname));
        // A browser names the page that opens a socket; what does not is no page.
        if (request.headers.get("origin") === null) return tell(403, "Refused: only this server's page has a socket.");
        if (sockets.size >= maxPages + maxStrangers) return tell(503, "Too many pages are open.");
        if (server.upgrade(request, { data: new PageSocket(shared) })) return undefined;
        return tell(400, "This is the address of a socket.");
      },
      websocket: {
        maxPayloadLength: maxMessageBytes,
        backpressureLimit: maxWaitingBytes,
        closeOnBackpressureLimit: true,
        // Pictures are compressed already, and texts go to this machine only.
        perMessageDeflate: false,
        idleTimeout: 60,
        open: (socket) => {
          sockets.add(socket.data);
          socket.data.attach(socket);
          const strangers = [...sockets].filter(({ isLetIn }) => !isLetIn);
          for (const one of strangers.slice(0, -maxStrangers)) one.giveWay();
        },
        message: (socket, message) => socket.data.hear(message),
        drain: (socket) => socket.data.drain(),
        close: (socket) => {
          sockets.delete(socket.data);
          socket.data.end();
        },
      },
    });
  const servers = listenOnBoth(port, listen);
  if (!servers.ok) return servers;
  const [{ port: taken = port }] = servers.value;
  const words = [ownWords, ...ownNames.map((name) => `${name}:${taken}`)];
  const unpublish = publishPage(findPlaces(means.env), words);
  return succeed({
    url: `http://${ownAddress}:${taken}/#${entry.token}`,
    entry,
    async close() {
      unpublish();
      for (const one of sockets) one.end();
      for (const server of servers.value) await server.stop(true);
    },
  });
}

/** So that two inspectors on one screen know their windows apart, and nobody guesses it: that window is not looked at. */
function makeName(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString("hex");
}

function giveFile(request: Request, file: PageFile | undefined): Response {
  if (file === undefined) return tell(404, "There is nothing here. The page is at /.");
  return new Response(file.body, { headers: { ...makeHeaders(request), "content-type": file.type } });
}

function tell(status: number, text: string): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { ...plainHeaders, "content-type": "text/plain;charset=utf-8" },
  });
}

const plainHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
} as const;

/** The page loads nothing but its own files, and talks to nobody but this server. */
function makeHeaders(request: Request): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Pictures come over the socket, and are shown from memory.
    "img-src 'self' blob:",
    // Not every browser counts a socket to the same place as 'self'. The host was checked.
    `connect-src 'self' ws://${request.headers.get("host")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    ...plainHeaders,
    "content-security-policy": policy.join("; "),
    "permissions-policy": "camera=(), microphone=(), geolocation=(), display-capture=()",
  };
}
