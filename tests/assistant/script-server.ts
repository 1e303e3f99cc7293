/** One answer of the scripted model. */
export interface ScriptedReply {
  readonly say?: string | readonly string[];
  /** "@Name" in the arguments is the mark of what the UI structure calls so. */
  readonly call?: readonly { readonly tool: string; readonly args: object | string; readonly pieces?: number }[];
  readonly status?: number;
  readonly error?: string;
  /** Says nothing more after what it has said, and keeps the connection. */
  readonly stalls?: true;
  /** Ends the connection in the middle. */
  readonly drops?: true;
  /** A line that is no JSON comes first. */
  readonly isGarbled?: true;
  readonly finish?: string;
}

export interface ScriptServer {
  readonly url: string;
  readonly origin: string;
  /** Everything that arrived: request lines, headers and bodies. */
  readonly received: string[];
  /** The instructions of each request since `play`. */
  readonly instructions: string[];
  /** The last request's messages, as JSON. */
  lastBody(): string;
  /** When the last connection was ended by the client. */
  readonly ended: { atMs: number };
  /** `numbers` has what "@Name" means where it is no control. */
  play(replies: readonly ScriptedReply[], numbers?: Readonly<Record<string, number>>): void;
  close(): Promise<void>;
}

const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110, cost: 0.001 };

/** A server on loopback that speaks OpenAI's streaming protocol from a script. */
export function startScriptServer(): ScriptServer {
  const received: string[] = [];
  const instructions: string[] = [];
  const ended = { atMs: 0 };
  let replies: ScriptedReply[] = [];
  let body = "";
  let known: Readonly<Record<string, number>> = {};
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 120,
    async fetch(request) {
      body = await request.text();
      received.push(`${request.method} ${request.url}\n${JSON.stringify([...request.headers])}\n${body}`);
      const system: string = JSON.parse(body).messages[0]?.content ?? "";
      instructions.push(system);
      const reply = replies.shift() ?? { say: "Done." };
      if (reply.status !== undefined) {
        const error = { message: reply.error ?? "scripted" };
        return new Response(JSON.stringify({ error }), { status: reply.status, headers: json });
      }
      request.signal.addEventListener("abort", () => {
        ended.atMs = performance.now();
      });
      return new Response(stream(listChunks(reply, system, known), reply), {
        headers: { "content-type": "text/event-stream" },
      });
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    url: `${origin}/v1/chat/completions`,
    origin,
    received,
    instructions,
    lastBody: () => body,
    ended,
    play(script, numbers = {}) {
      replies = [...script];
      known = numbers;
      instructions.length = 0;
    },
    close: () => server.stop(true),
  };
}

const json = { "content-type": "application/json" };

function stream(chunks: readonly string[], { stalls, drops }: ScriptedReply): ReadableStream<Uint8Array> {
  const rest = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const next = rest.shift();
      if (next !== undefined) return controller.enqueue(new TextEncoder().encode(next));
      if (stalls === true) return new Promise(() => undefined);
      if (drops === true) return controller.error(new Error("dropped"));
      return controller.close();
    },
  });
}

function listChunks(reply: ScriptedReply, system: string, known: Readonly<Record<string, number>>): readonly string[] {
  const { say = [], call = [], isGarbled, finish, stalls, drops } = reply;
  const delta = (part: object, reason: string | null = null): string =>
    toEvent({ id: "1", choices: [{ index: 0, delta: part, finish_reason: reason }] });
  const texts = (typeof say === "string" ? [say] : say).map((content) => delta({ role: "assistant", content }));
  const calls = call.flatMap(({ tool, args, pieces = 1 }, index) => {
    const text = resolveMarks(typeof args === "string" ? args : JSON.stringify(args), system, known);
    return cut(text, pieces).map((part, at) => {
      const named = at === 0 ? { id: `call-${index}`, type: "function" } : {};
      const fn = at === 0 ? { name: tool, arguments: part } : { arguments: part };
      return delta({ tool_calls: [{ index, ...named, function: fn }] });
    });
  });
  const isCut = stalls === true || drops === true;
  const reason = finish ?? (call.length > 0 ? "tool_calls" : "stop");
  const end = isCut ? [] : [delta({}, reason), toEvent({ id: "1", choices: [], usage }), "data: [DONE]\n\n"];
  return [...(isGarbled === true ? ["data: {not json\n\n"] : []), ...texts, ...calls, ...end];
}

function toEvent(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function cut(text: string, pieces: number): readonly string[] {
  const size = Math.ceil(text.length / pieces);
  return Array.from({ length: pieces }, (_, at) => text.slice(at * size, (at + 1) * size));
}

function resolveMarks(args: string, system: string, known: Readonly<Record<string, number>>): string {
  return args.replace(/"@([^"]+)"/g, (whole, name: string) => {
    const line = system.split("\n").find((one) => one.includes(`["${name}"`) && / #\d+$/.test(one));
    return String(known[name] ?? / #(\d+)$/.exec(line ?? "")?.[1] ?? whole);
  });
}
