import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { openScene, type Scene } from "../desktop/scene.ts";
import { launcher } from "../guard/terminal-session.ts";

// Any program of this machine, of any user, can send requests to these ports. The terminals in which the servers run are
// those at which a person is asked: a request must not be able to write there.

let scene: Scene;
const servers: Served[] = [];
beforeAll(async () => {
  scene = await openScene({ width: 200, height: 150 });
  servers.push(await serve("inspect", "--no-open"), await serve("mcp", "--http", "--port", "0"));
});
afterAll(async () => {
  for (const { child } of servers) {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }
  scene.deskmap("serve", "stop");
  await scene.close();
});

interface Served {
  readonly child: ChildProcess;
  readonly port: number;
  /** Everything after its address. */
  told(): string;
}

async function serve(...words: string[]): Promise<Served> {
  const child = scene.sandbox.spawn([launcher, ...words], { stdio: ["ignore", "pipe", "pipe"] });
  if (child.stdout === null || child.stderr === null) throw new Error("no output");
  let told = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    told += part;
  });
  const lines = createInterface({ input: child.stdout });
  const [first] = await once(lines, "line");
  lines.on("line", (line) => {
    told += line;
  });
  return { child, port: Number(new URL(JSON.parse(String(first)).url).port), told: () => told };
}

/** Sends bytes as they are, and returns the first line of the answer. */
async function send(port: number, head: readonly string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("latin1");
  socket.write(`${head.join("\r\n")}\r\n\r\n`, "latin1");
  let answer = "";
  for await (const part of socket) {
    answer += part;
    if (answer.includes("\r\n")) break;
  }
  socket.destroy();
  return answer.split("\r\n")[0] ?? "";
}

test("no request prints anything where the server runs, and none is a fault of the server", async () => {
  for (const { port, told } of servers) {
    const own = `127.0.0.1:${port}`;
    const upgrade = [
      ...["Upgrade: websocket", "Connection: Upgrade"],
      ...["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="],
    ];
    const requests = [
      ["GET / HTTP/1.1", `Host: evil@${own}`],
      ["GET / HTTP/1.1", `Host: ${own}/x`],
      ["GET / HTTP/1.1", `Host: ${own}?x`],
      ["GET / HTTP/1.1", `Host: ${own}#x`],
      ["GET / HTTP/1.1", "Host: [::1"],
      ["GET / HTTP/1.1", "Host: "],
      ["GET http://[/ HTTP/1.1", `Host: ${own}`],
      ["GET http://evil.example:99999/ HTTP/1.1", `Host: ${own}`],
      ["GET //[ HTTP/1.1", `Host: ${own}`],
      ["GET /socket HTTP/1.1", `Host: evil@${own}`, `Origin: http://evil@${own}`, ...upgrade],
      ["GET /socket HTTP/1.1", `Host: ${own}`, "Origin: http://[", ...upgrade],
      ["POST /mcp HTTP/1.1", `Host: evil@${own}`, "Content-Length: 0"],
      ["POST /mcp HTTP/1.1", `Host: ${own}`, "Authorization: Bearer \xff\xfe", "Content-Length: 0"],
    ];
    for (const request of requests) {
      const status = await send(port, request);
      expect([request, status]).toEqual([request, expect.stringMatching(/^HTTP\/1\.1 (?!5)/)]);
    }
    // It still answers, and what it had to say by then has been said.
    expect(await send(port, ["GET /nothing HTTP/1.1", `Host: ${own}`])).toStartWith("HTTP/1.1 4");
    expect(told()).toBe("");
  }
});
