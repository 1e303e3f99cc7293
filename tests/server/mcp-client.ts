import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Env } from "../../src/model/env.ts";

const launcher = join(import.meta.dir, "../../deskmap");

interface Content {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

export interface ToolAnswer {
  readonly content: readonly Content[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

interface Notice {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** An MCP client that knows only the protocol, written without its libraries. */
export interface McpClient {
  readonly pid: number;
  /** Everything received over the wire, unparsed. */
  readonly heard: readonly string[];
  readonly notices: readonly Notice[];
  /** Sends a request; the answer is assumed to have the caller's type. */
  ask<Result = unknown>(method: string, params?: Record<string, unknown>): Promise<Result>;
  call(name: string, given?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<ToolAnswer>;
  /** Begins a call that can be cancelled. */
  begin(
    name: string,
    given: Record<string, unknown>,
    meta?: Record<string, unknown>,
  ): { readonly answer: Promise<ToolAnswer>; cancel(): void };
  /** Waits for a matching notification, including one that already arrived. */
  hear(fits: (notice: Notice) => boolean): Promise<Notice>;
  close(): Promise<number | null>;
}

export async function openMcp(
  env: Env,
  {
    name = "scripted",
    args = [],
    folder,
  }: { readonly name?: string; readonly args?: readonly string[]; readonly folder?: string } = {},
): Promise<McpClient> {
  const child = spawn(launcher, ["mcp", ...args], { env: { ...env }, stdio: ["pipe", "pipe", "inherit"], cwd: folder });
  const ended = once(child, "exit");
  const heard: string[] = [];
  const notices: Notice[] = [];
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const listeners = new Set<() => void>();
  let lastId = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    heard.push(line);
    const message: Message = JSON.parse(line);
    if (message.method !== undefined) notices.push({ method: message.method, params: message.params ?? {} });
    const asked = message.method === undefined ? waiting.get(message.id ?? -1) : undefined;
    if (message.error === undefined) asked?.resolve(message.result);
    else asked?.reject(new Error(`${message.error.code} ${message.error.message}`));
    for (const listener of listeners) listener();
  });
  const send = (message: Record<string, unknown>): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const ask = <Result>(method: string, params: Record<string, unknown> = {}): Promise<Result> => {
    lastId += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(lastId, answer);
    send({ id: lastId, method, params });
    return answer.promise as Promise<Result>;
  };
  const clientInfo = { name, version: "1.0.0" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  return {
    pid: child.pid ?? 0,
    heard,
    notices,
    ask,
    call: (tool, given = {}, _meta) =>
      ask("tools/call", { name: tool, arguments: given, ...(_meta === undefined ? {} : { _meta }) }),
    begin: (tool, given, _meta = {}) => {
      const answer = ask<ToolAnswer>("tools/call", { name: tool, arguments: given, _meta });
      const requestId = lastId;
      return { answer, cancel: () => send({ method: "notifications/cancelled", params: { requestId } }) };
    },
    hear: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = notices.find(fits);
          if (found === undefined) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      }),
    async close() {
      child.stdin.end();
      const [code] = await ended;
      return code;
    },
  };
}

/** The text of an answer. */
export function textOf({ content }: ToolAnswer): string {
  return content.map(({ text = "" }) => text).join("\n");
}
