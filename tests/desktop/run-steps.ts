import { createInterface } from "node:readline";
import { openRuntime } from "../../src/host/runtime.ts";
import { openSession } from "../../src/host/session.ts";
import { exitCodeOf } from "../../src/model/failure.ts";
import { showFailure } from "../../src/show/failure.ts";
import { stringify } from "../../src/show/output.ts";
import type { ToolAnswer } from "../../src/tools/define.ts";
import { toolEntries } from "../../src/tools/index.ts";
import { runTool } from "../tools/run-tool.ts";

// A client that executes one step per line, each in its own session, and prints the result. It has no terminal, so a person
// cannot be asked through it.

for await (const line of createInterface({ input: process.stdin })) {
  const { tool: name, input, timeoutMs } = JSON.parse(line);
  const tool = await toolEntries.find((entry) => entry.name === name)?.load();
  // Only a watch needs a live runtime.
  const runtime = name === "watch" ? openRuntime(process.env, timeoutMs) : undefined;
  const session = openSession(process.env, timeoutMs, runtime);
  let told: unknown;
  try {
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const result = await runTool(tool, input, session);
    told = result.ok
      ? { exit: result.value.exitCode, json: stringify(result.value.data(), false), forms: listForms(result.value) }
      : { exit: exitCodeOf(result.failure.code), ...result.failure, forms: [showFailure(result.failure)] };
  } catch (error) {
    told = { exit: -1, message: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) };
  } finally {
    session.close();
    runtime?.close();
  }
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

function listForms({ text, csv }: ToolAnswer): readonly string[] {
  return [text(), csv()];
}
