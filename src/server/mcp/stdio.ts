import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { nameSender } from "./client-name.ts";
import { Desk, type Means } from "./means.ts";
import { makeServer, type Served } from "./server.ts";

/** Serves the one client at the other end of standard input and output, until it goes away. */
export async function serveOverStdio(means: Means): Promise<void> {
  const desk = new Desk(means);
  const wire = new StdioServerTransport();
  const gone = Promise.withResolvers<void>();
  let served: Served | undefined;
  serveStdio(
    () => {
      served = makeServer(means, desk);
      return served.server;
    },
    { transport: wire },
  );
  const { onmessage: take, onclose: end } = wire;
  wire.onmessage = (message) => {
    take?.(message);
    // Answered before it reaches the server: this alone shows that somebody wants to know.
    if (asksToListen(message)) queueMicrotask(() => served?.followAll(nameSender(message)));
  };
  wire.onclose = () => {
    end?.();
    gone.resolve();
  };
  await gone.promise;
  served?.feed.close();
  await desk.close();
}

function asksToListen(message: JSONRPCMessage): boolean {
  return "method" in message && message.method === "subscriptions/listen";
}
