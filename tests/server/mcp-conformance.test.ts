import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findPeers } from "./mcp-peers.ts";

// The complete conformance suite of the protocol's own project against the real server, and its inspector. The suite does not
// support tokens, so a proxy adds one and changes nothing else.

const launcher = join(import.meta.dir, "../../deskmap");

const fixture = (what: string): string => `asks for ${what}, which a server made for this suite alone has`;

/** Scenarios that only a special test server can pass, and why. Every other must pass. */
const inapplicable: Readonly<Record<string, string>> = {
  "tools-call-simple-text": fixture('the tool "test_simple_text"'),
  "tools-call-image": fixture('the tool "test_image_content"'),
  "tools-call-audio": fixture('the tool "test_audio_content"; Deskmap has no sound'),
  "tools-call-embedded-resource": fixture('the tool "test_embedded_resource"'),
  "tools-call-mixed-content": fixture('the tool "test_multiple_content_types"'),
  "tools-call-with-logging": fixture('the tool "test_tool_with_logging"'),
  "tools-call-error": fixture('the tool "test_error_handling"'),
  "tools-call-with-progress": fixture('the tool "test_tool_with_progress"'),
  "tools-call-sampling": "asks the client's model; Deskmap asks no model",
  "tools-call-elicitation": "asks the client for consent; only a person gives it, at deskmap approve",
  "elicitation-sep1034-defaults": "the same",
  "elicitation-sep1330-enums": "the same",
  "json-schema-2020-12": fixture('the tool "json_schema_2020_12_tool"'),
  "server-sse-polling": fixture('the tool "test_reconnection"'),
  "resources-read-text": fixture('the resource "test://static-text"'),
  "resources-read-binary": fixture('the resource "test://static-binary"'),
  "resources-templates-read": fixture('the resource "test://template/123/data"'),
  "prompts-get-simple": fixture('the prompt "test_simple_prompt"'),
  "prompts-get-with-args": fixture('the prompt "test_prompt_with_arguments"'),
  "prompts-get-embedded-resource": fixture('the prompt "test_prompt_with_embedded_resource"'),
  "prompts-get-with-image": fixture('the prompt "test_prompt_with_image"'),
};

const applicable = [
  "server-initialize",
  "logging-set-level",
  "ping",
  "completion-complete",
  "tools-list",
  "server-sse-multiple-streams",
  "resources-list",
  "resources-subscribe",
  "resources-unsubscribe",
  "prompts-list",
  "dns-rebinding-protection",
];

const home = mkdtempSync(join(tmpdir(), "deskmap-conformance-"));
const env = {
  ...process.env,
  HOME: home,
  XDG_STATE_HOME: home,
  XDG_CONFIG_HOME: home,
  DISPLAY: "",
  DESKMAP_DAEMON: "never",
};
const server = spawn(launcher, ["mcp", "--http"], { env, stdio: ["ignore", "pipe", "inherit"] });
const ended = once(server, "exit");
let url: string;
let token: string;
let proxy: ReturnType<typeof addToken>;
const peers = findPeers();

beforeAll(async () => {
  const [line] = await once(createInterface({ input: server.stdout }), "line");
  ({ url, token } = JSON.parse(String(line)));
  proxy = addToken();
});
afterAll(async () => {
  peers.remove();
  await proxy.stop(true);
  server.kill("SIGTERM");
  await ended;
  rmSync(home, { recursive: true, force: true });
});

function addToken() {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const headers = new Headers(request.headers);
      headers.set("authorization", `Bearer ${token}`);
      const body = request.method === "POST" ? await request.text() : null;
      return fetch(url, { method: request.method, headers, body, signal: request.signal });
    },
  });
}

async function run(
  program: string,
  ...args: string[]
): Promise<{ readonly status: number; readonly said: string; readonly errors: string }> {
  const child = spawn("node", [program, ...args], { stdio: ["ignore", "pipe", "pipe"], cwd: home });
  const [said, errors]: [string[], string[]] = [[], []];
  child.stdout.on("data", (piece) => said.push(String(piece)));
  child.stderr.on("data", (piece) => errors.push(String(piece)));
  const [status] = await once(child, "close");
  return { status, said: said.join(""), errors: errors.join("") };
}

/** The JSON that a program prints; if it prints something else, the reason. */
async function inspect(...args: string[]): Promise<unknown> {
  const common = [url, "--transport", "http", "--header", `Authorization: Bearer ${token}`];
  const { status, said, errors } = await run(peers.inspector, ...common, ...args);
  if (status !== 0 || said === "") throw new Error(`the inspector ended with ${status}: ${errors}${said}`);
  return JSON.parse(said);
}

test("every scenario of the suite either applies or is listed with the reason why it cannot", async () => {
  const { said, errors } = await run(peers.conformance, "list", "--server");
  expect(errors).toBe("");
  const offered = [...said.matchAll(/^ {2}- (\S+)/gm)].map(([, name = ""]) => name);
  expect(offered.length).toBeGreaterThan(30);
  const known = [...applicable, ...Object.keys(inapplicable)];
  expect(offered.toSorted()).toEqual(known.toSorted());
});

test("the server passes every scenario that applies, and fails exactly the others", async () => {
  const baseline = join(home, "inapplicable.yml");
  writeFileSync(
    baseline,
    `server:\n${Object.keys(inapplicable)
      .map((name) => `  - ${name}\n`)
      .join("")}`,
  );
  const { status, said, errors } = await run(
    peers.conformance,
    "server",
    "--url",
    `http://127.0.0.1:${proxy.port}/mcp`,
    "--suite",
    "all",
    "--expected-failures",
    baseline,
  );
  if (status !== 0) throw new Error(`${said.slice(-3000)}${errors}`);
  expect(said).not.toContain("Unexpected failures");
});

test("the inspector lists the tools and calls one", async () => {
  expect(await inspect("--method", "tools/list")).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ name: "click" })]),
  });
  // There is no display here, and the answer says so.
  expect(await inspect("--method", "tools/call", "--tool-name", "list")).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "UNAVAILABLE" } },
  });
});
