import { basename } from "node:path";
import page from "../../../web/index.html";
import { publishPage } from "../../guard/approval/pages.ts";
import { findPlaces } from "../../guard/places.ts";
import { nameFault } from "../../model/caught.ts";
import { type Result, succeed } from "../../model/failure.ts";
import { listenOnBoth, makeSecret, ownAddress, refuseForeign } from "../listen.ts";
import { Entry } from "./entry.ts";
import { ownWords } from "./own-words.ts";
import { type InspectorContext, PageSocket } from "./socket.ts";

const maxMessageBytes = 1 << 20;
const maxPages = 64;
/** Connections without proof. The oldest is closed to make room, so that idle ones cannot keep a page out. */
const maxUnproved = 8;
/** A page that has more to read is disconnected. */
const maxWaitingBytes = 64 << 20;

const ownNames = ["127.0.0.1", "localhost", "[::1]"];

export interface InspectorServer {
  /** With the token, which lets in the first page that uses it. */
  readonly url: string;
  readonly entry: Entry;
  close(): Promise<void>;
}

/** Serves the page and its socket on the loopback addresses. */
export async function serveInspector(
  given: Pick<InspectorContext, "host" | "env" | "version">,
  port: number,
): Promise<Result<InspectorServer>> {
  const entry = new Entry();
  const page = await loadPage();
  const sockets = new Set<PageSocket>();
  // Random: two inspectors tell their own windows apart, and no application can pass for one to be left out of reads.
  const ownTitle = `${ownWords} ${makeSecret(8)}`;
  const shared: InspectorContext = { ...given, entry, ownTitle };
  const listen = (hostname: string, wanted: number) =>
    Bun.serve<PageSocket>({
      hostname,
      port: wanted,
      development: false,
      maxRequestBodySize: 0,
      fetch: (request, server) => {
        const refused = refuseForeign(request, server.port ?? wanted);
        if (refused !== undefined) return answer(403, refused);
        if (request.method !== "GET") return answer(405, "Only GET is understood here.");
        const pathname = URL.parse(request.url)?.pathname ?? "";
        if (pathname !== "/socket") return giveFile(request, page.get(pathname));
        // A browser sends the origin of the page that opens a socket.
        if (request.headers.get("origin") === null)
          return answer(403, "Refused: only this server's page has a socket.");
        if (sockets.size >= maxPages + maxUnproved) return answer(503, "Too many pages are open.");
        if (server.upgrade(request, { data: new PageSocket(shared) })) return undefined;
        return answer(400, "This is the address of a socket.");
      },
      // Not the runtime's own report: it would fill the terminal at which a person is asked.
      error: (fault) => answer(500, `Deskmap itself failed: ${nameFault(fault)}`),
      websocket: {
        maxPayloadLength: maxMessageBytes,
        backpressureLimit: maxWaitingBytes,
        closeOnBackpressureLimit: true,
        // Pictures are compressed already, and nothing leaves this machine.
        perMessageDeflate: false,
        idleTimeout: 60,
        open: (socket) => {
          sockets.add(socket.data);
          socket.data.attach(socket);
          const unproved = [...sockets].filter(({ isLetIn }) => !isLetIn);
          for (const one of unproved.slice(0, -maxUnproved)) one.refuse();
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
  const unpublish = publishPage(findPlaces(given.env), words);
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

function giveFile(request: Request, file: PageFile | undefined): Response {
  if (file === undefined) return answer(404, "There is nothing here. The page is at /.");
  return new Response(file.body, { headers: { ...makeHeaders(request), "content-type": file.type } });
}

function answer(status: number, text: string): Response {
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
    // Pictures come over the socket and are shown as blobs.
    "img-src 'self' blob:",
    // Not every browser counts a socket to the same host as 'self'. The Host header was checked.
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

interface PageFile {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

const types: Readonly<Record<string, string>> = {
  html: "text/html;charset=utf-8",
  js: "text/javascript;charset=utf-8",
  css: "text/css;charset=utf-8",
  svg: "image/svg+xml",
};

/** The page's files by path. They are part of a compiled program; from source, they are bundled now. */
export async function loadPage(): Promise<ReadonlyMap<string, PageFile>> {
  const files = page.files === undefined ? await bundle(page.index) : await readAll(page.files);
  const isIndex = (name: string): boolean => name.endsWith(".html");
  return new Map(files.map(([name, body]) => [isIndex(name) ? "/" : `/${name}`, { type: typeOf(name), body }]));
}

type Named = readonly [string, Uint8Array<ArrayBuffer>];

async function bundle(index: string): Promise<readonly Named[]> {
  const { outputs } = await Bun.build({ entrypoints: [index], minify: true, publicPath: "/" });
  return Promise.all(
    outputs.map(async (one): Promise<Named> => [basename(one.path), new Uint8Array(await one.arrayBuffer())]),
  );
}

async function readAll(files: readonly { readonly path: string }[]): Promise<readonly Named[]> {
  return Promise.all(files.map(async ({ path }): Promise<Named> => [basename(path), await Bun.file(path).bytes()]));
}

function typeOf(name: string): string {
  return types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}
