import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/server";
import type { CallOptions, CallReply, CallRequest } from "../../src/host/port.ts";
import type { ChangeLine } from "../../src/model/change-line.ts";
import { type Result, succeed } from "../../src/model/failure.ts";
import type { McpContext, McpHost } from "../../src/server/mcp/client-calls.ts";
import { makeServer } from "../../src/server/mcp/server.ts";
import { chooseTools } from "../../src/server/mcp/tools.ts";

/** The calls that a host received, and from which client. */
interface Asked extends CallRequest {
  readonly client: string;
  readonly options: CallOptions;
}

export interface FakeDesk {
  readonly context: McpContext;
  readonly asked: Asked[];
  /** Sends changes to all watchers. */
  tell(...lines: ChangeLine[]): void;
  /** The same to one client alone. */
  tellTo(client: string, ...lines: ChangeLine[]): void;
  watchers(): number;
  /** The clients whose hosts were opened and closed, in order. */
  readonly opened: string[];
  readonly closed: string[];
  /** Turns that were begun, and those that were ended. */
  readonly begun: { readonly client: string; readonly forMs: number; readonly waitMs: number | undefined }[];
  readonly ended: string[];
  answer: (asked: Asked) => CallReply | Promise<CallReply>;
  readOnly: string | undefined;
}

export const done: CallReply = { outputs: { text: "done" }, data: {}, exitCode: 0, warnings: [] };

/** Hosts with scripted answers. */
export async function makeDesk(tools?: string): Promise<FakeDesk> {
  const offers = await chooseTools(tools);
  if (!offers.ok) throw new Error(offers.failure.message);
  const watchers = new Map<(lines: readonly ChangeLine[]) => void, string>();
  const openHost = (client: string): McpHost => ({
    call: async (request, options = {}) => {
      const one = { ...request, client, options };
      desk.asked.push(one);
      return desk.answer(one);
    },
    watch: (_request, signal) => watch(watchers, client, signal),
    begin: async (forMs, options) => {
      desk.begun.push({ client, forMs, waitMs: options?.waitMs });
      return succeed({ turn: `turn of ${client}`, untilMs: Date.now() + forMs });
    },
    end: async (turn) => {
      desk.ended.push(turn);
      return succeed(undefined);
    },
    close: async () => void desk.closed.push(client),
  });
  const desk: FakeDesk = {
    context: {
      tools: offers.value,
      version: "1.2.3",
      isStructured: true,
      openHost: async (client) => {
        desk.opened.push(client);
        return openHost(client);
      },
      findReadOnly: () => Promise.resolve(desk.readOnly),
    },
    asked: [],
    opened: [],
    closed: [],
    begun: [],
    ended: [],
    tell: (...lines) => {
      for (const watcher of watchers.keys()) watcher(lines);
    },
    tellTo: (client, ...lines) => {
      for (const [watcher, name] of watchers) if (name === client) watcher(lines);
    },
    watchers: () => watchers.size,
    answer: () => done,
    readOnly: undefined,
  };
  return desk;
}

async function* watch(
  watchers: Map<(lines: readonly ChangeLine[]) => void, string>,
  client: string,
  signal: AbortSignal,
): AsyncIterable<Result<readonly ChangeLine[]>> {
  const batches: (readonly ChangeLine[])[] = [];
  let wake = Promise.withResolvers<void>();
  const watcher = (lines: readonly ChangeLine[]): void => {
    batches.push(lines);
    wake.resolve();
  };
  watchers.set(watcher, client);
  yield succeed([{ kind: "start", reason: "first" }]);
  signal.addEventListener("abort", () => {
    watchers.delete(watcher);
    wake.resolve();
  });
  while (!signal.aborted) {
    for (const batch of batches.splice(0)) yield succeed(batch);
    await wake.promise;
    wake = Promise.withResolvers();
  }
}

export interface Line {
  readonly heard: JSONRPCMessage[];
  ask(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Sends without waiting; returns the id of the message. */
  send(method: string, params: Record<string, unknown>, isRequest?: boolean): Promise<number>;
  /** Waits for a matching message, including one that already arrived. */
  hear(fits: (message: JSONRPCMessage) => boolean): Promise<JSONRPCMessage>;
  close(): Promise<void>;
}

/** One client's connection to a server in this process, after initialization. */
export async function connect({ context }: FakeDesk, name = "tester"): Promise<Line> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const heard: JSONRPCMessage[] = [];
  const listeners = new Set<() => void>();
  here.onmessage = (message) => {
    heard.push(message);
    for (const listener of listeners) listener();
  };
  await makeServer(context).server.connect(there);
  await here.start();
  let lastId = 0;
  const hear: Line["hear"] = (fits) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = heard.find(fits);
        if (found === undefined) return;
        listeners.delete(look);
        resolve(found);
      };
      listeners.add(look);
      look();
    });
  const send: Line["send"] = async (method, params, isRequest = false) => {
    lastId += isRequest ? 1 : 0;
    await here.send({ jsonrpc: "2.0", ...(isRequest ? { id: lastId } : {}), method, params });
    return lastId;
  };
  const ask: Line["ask"] = async (method, params = {}) => {
    const id = await send(method, params, true);
    const message = await hear((one) => "id" in one && one.id === id && !("method" in one));
    if ("error" in message) throw new Error(`${message.error.code} ${message.error.message}`);
    return "result" in message ? message.result : {};
  };
  const clientInfo = { name, version: "1" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  await send("notifications/initialized", {});
  return { heard, ask, send, hear, close: () => here.close() };
}

export function isNotice(message: JSONRPCMessage, method: string): boolean {
  return "method" in message && message.method === method;
}
