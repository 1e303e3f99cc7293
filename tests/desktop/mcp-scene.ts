import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openScene, type Scene } from "./scene.ts";

const launcher = join(import.meta.dir, "../../deskmap");
const command = fileURLToPath(import.meta.resolve("./mcp-command.ts"));

/** A private desktop on which a single MCP client over HTTP performs every Deskmap action. */
export async function openMcpScene(...given: Parameters<typeof openScene>): Promise<Scene> {
  const scene = await openScene(...given);
  const server = spawn(launcher, ["mcp", "--http", "--tools", "all"], {
    env: scene.sandbox.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  const [line] = await once(createInterface({ input: server.stdout }), "line");
  const { url, token }: { url: string; token: string } = JSON.parse(String(line));
  const env = { MCP_URL: url, MCP_TOKEN: token, MCP_SESSION: await initialize(url, token) };
  // Called for every step: bundled into one file, it starts in a third of the time.
  const built = await Bun.build({ entrypoints: [command], target: "bun", outdir: scene.sandbox.env.HOME ?? "" });
  const program = built.outputs[0]?.path ?? command;
  const words = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return {
    ...scene,
    deskmap: (...args) => scene.run("env", ...words, process.execPath, program, ...args),
    async close() {
      server.kill("SIGTERM");
      await ended;
      await scene.close();
    },
  };
}

async function initialize(url: string, token: string): Promise<string> {
  const clientInfo = { name: "scripted", version: "1.0.0" };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
    }),
  });
  const session = response.headers.get("mcp-session-id");
  if (session === null) throw new Error(`${response.status} ${await response.text()}`);
  return session;
}
