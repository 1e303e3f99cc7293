import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { ClientCalls, type McpContext } from "./client-calls.ts";
import { type McpConnection, makeServer, nameSender } from "./server.ts";

/** Serves the one client at the other end of standard input and output, until it goes away. */
export async function serveOverStdio(context: McpContext): Promise<void> {
  const calls = new ClientCalls(context);
  const transport = new StdioServerTransport();
  const gone = Promise.withResolvers<void>();
  let connection: McpConnection | undefined;
  serveStdio(
    () => {
      connection = makeServer(context, calls);
      return connection.server;
    },
    { transport },
  );
  const { onmessage, onclose } = transport;
  transport.onmessage = (message) => {
    onmessage?.(message);
    // The library answers this request itself: the server does not see it.
    const asksToListen = "method" in message && message.method === "subscriptions/listen";
    if (asksToListen) queueMicrotask(() => connection?.subscribeAll(nameSender(message)));
  };
  transport.onclose = () => {
    onclose?.();
    gone.resolve();
  };
  await gone.promise;
  connection?.feed.close();
  await calls.close();
}
