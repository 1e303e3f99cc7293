import { readFileSync } from "node:fs";
import { exitCodeOf, type FailureCode } from "../../src/model/failure.ts";
import { toolEntries } from "../../src/tools/index.ts";
import { readWords } from "../../src/tools/steps.ts";
import type { ToolAnswer } from "../server/mcp-client.ts";

// Stands in for the command line when a task must be done through MCP alone: the words of a command become one tool call over
// HTTP, and its answer is printed as the command would print it.

const { MCP_URL = "", MCP_TOKEN = "", MCP_SESSION = "" } = process.env;
const [name = "", ...words] = process.argv.slice(2);
const entry = toolEntries.find((one) => one.name === name);
if (entry === undefined) throw new Error(`no tool is called ${name}`);
const tool = await entry.load();
const format = words.indexOf("--format");
const given = readWords(tool, format < 0 ? words : words.toSpliced(format, 2));
if (!given.ok) throw new Error(given.failure.message);
// Files on the client's disk are not on the server's.
const { file, ...rest } = given.value;
const input = name === "do" && typeof file === "string" ? { steps: readFileSync(file, "utf8") } : given.value;
const response = await fetch(MCP_URL, {
  method: "POST",
  headers: {
    authorization: `Bearer ${MCP_TOKEN}`,
    "mcp-session-id": MCP_SESSION,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: name.replaceAll("-", "_"), arguments: name === "do" ? input : { ...rest, ...input } },
  }),
});
const body = await response.text();
const line = /^data: (\{.*\})$/m.exec(body)?.[1];
if (line === undefined) throw new Error(`${response.status} ${body}`);
const { result, error }: { result?: ToolAnswer; error?: unknown } = JSON.parse(line);
if (result?.structuredContent === undefined) throw new Error(JSON.stringify(error ?? result));
const answer = result.structuredContent as {
  error?: { code: FailureCode };
  effect?: string;
  delivered?: boolean;
};
if (answer.error !== undefined) {
  console.error(JSON.stringify(answer));
  process.exitCode = exitCodeOf(answer.error.code);
} else {
  console.log(JSON.stringify(answer));
  if (answer.effect !== undefined && answer.effect !== "confirmed") process.exitCode = answer.delivered ? 4 : 1;
  else if (result.isError === true) process.exitCode = 1;
}
