import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../../../package.json" with { type: "json" };
import { findPlaces } from "../../guard/places.ts";
import { memoryVariable } from "../../model/env.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { listConfigs, showConfig } from "../../server/mcp/client-configs.ts";
import type { OpenContext } from "../../server/mcp/open-host.ts";
import { defineCommand } from "../define.ts";
import { isTerminal } from "../output.ts";
import { closeAtEnd, readPort } from "./inspect.ts";

interface McpOptions {
  readonly http?: true;
  readonly port?: string;
  readonly newToken?: true;
  readonly tools?: string;
  readonly demos?: string;
  readonly readOnly?: true;
  readonly memory: boolean;
  readonly structured: boolean;
  readonly outputSchemas?: true;
  readonly printConfig?: string;
}

export const mcp = defineCommand({
  name: "mcp",
  summary: "Serve the tools by the Model Context Protocol: over standard input and output, or over HTTP.",
  description:
    "Serve the tools by the Model Context Protocol (MCP).\n\nWithout --http a client starts this command itself and talks " +
    "to it over standard input and output. With --http it listens on this machine alone (127.0.0.1 and ::1) and " +
    "lets in whoever sends the token that it prints.",
  options: [
    ["--http", "listen on this machine, for clients that do not start programs"],
    ["--port <n>", "with --http: the port; 0 takes any that is free (0)"],
    ["--new-token", "with --http: another token from now on; what knew the old one is not let in any more"],
    [
      "--tools <names>",
      "sets (daily, the default; learn, show, turns, demo, all), single tools and demo:NAME, separated by commas",
    ],
    ["--demos <names>", "stored demos, separated by commas: each is a tool whose input are its parameters"],
    ["--read-only", "no tool that acts exists"],
    ["--no-memory", "do not write the map: new marks are temporary"],
    ["--no-structured", "answers as text alone, for clients that would read everything twice"],
    ["--output-schemas", "list with each tool what its answers look like: more tokens in every list"],
    ["--print-config <client>", `print what to write into the settings of a client (${listConfigs().join(", ")})`],
  ],
  run: async (options: McpOptions) =>
    options.printConfig === undefined ? serve(options) : describeConfig(options.printConfig),
});

async function serve(options: McpOptions): Promise<Result<string>> {
  const port = readPort(options.port);
  if (!port.ok) return port;
  if (options.outputSchemas === true && !options.structured) {
    return fail(describeUsage("--output-schemas and --no-structured exclude each other", "give one of them."));
  }
  const { openContext } = await import("../../server/mcp/open-host.ts");
  const context = await openContext({
    env: options.memory ? process.env : { ...process.env, [memoryVariable]: "off" },
    version: packageJson.version,
    tools: chooseSets(options),
    isReadOnly: options.readOnly === true,
    isShared: options.http === true,
    isStructured: options.structured,
    hasOutputs: options.outputSchemas === true,
  });
  if (!context.ok) return context;
  // Closing writes the log of reads.
  closeAtEnd(async () => context.value.close());
  if (options.http === true) return serveHttp(context.value, port.value, options.newToken === true);
  const { serveOverStdio } = await import("../../server/mcp/stdio.ts");
  await serveOverStdio(context.value);
  context.value.close();
  // The client is gone; nothing that is still open matters.
  process.exit(0);
}

/** Each demo is a tool that `--tools` takes as demo:NAME. */
function chooseSets({ tools = "daily", demos = "" }: McpOptions): string {
  const named = demos.split(",").flatMap((name) => (name.trim() === "" ? [] : [`demo:${name.trim()}`]));
  return [tools, ...named].join(",");
}

async function serveHttp(context: OpenContext, port: number, isFresh: boolean): Promise<Result<string>> {
  const { findToken, serveOverHttp } = await import("../../server/mcp/http.ts");
  const token = findToken(findPlaces(process.env), isFresh);
  if (!token.ok) return token;
  const server = serveOverHttp(context, { port, token: token.value.token });
  if (!server.ok) return server;
  const { url } = server.value;
  const { file } = token.value;
  const lines = [url, `Authorization: Bearer ${token.value.token}`, `the token is in ${file}, too`];
  return succeed(isTerminal() ? lines.join("\n") : JSON.stringify({ url, token: token.value.token, file }));
}

function describeConfig(client: string): Result<string> {
  const config = showConfig(client, findLauncher());
  if (config !== undefined) return succeed(config);
  return fail(describeUsage(`no client is called "${client}" here`, `--print-config ${listConfigs().join(", ")}`));
}

/** Beside a program that the launcher has compiled, the file `stamp` names the launcher's folder. */
function findLauncher(): string {
  const note = join(dirname(process.execPath), "stamp");
  const folder = existsSync(note) ? readFileSync(note, "utf8").split("\n")[0] : undefined;
  if (folder !== undefined) return join(folder, "deskmap");
  const source = fileURLToPath(new URL("../../../deskmap", import.meta.url));
  return existsSync(source) ? source : process.execPath;
}
