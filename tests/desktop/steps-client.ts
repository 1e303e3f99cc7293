import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Env } from "../../src/model/env.ts";

const runner = fileURLToPath(new URL("./run-steps.ts", import.meta.url));

/** The result of one tool call. */
export interface ToolResult {
  readonly exit: number;
  readonly code?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly json?: string;
  /** The same as text and as a table, or the failure as text. */
  readonly forms?: readonly string[];
}

/** A client without a terminal, so a person cannot be asked through it. One process runs each call in its own session. */
export class StepsClient {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;

  constructor(env: Env) {
    // A new session, so that the test runner's terminal is not its terminal.
    this.child = spawn(process.execPath, [runner], { env, detached: true, stdio: ["pipe", "pipe", "inherit"] });
    if (this.child.stdout === null) throw new Error("the client cannot be heard");
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  async call(tool: string, input: Record<string, unknown>, timeoutMs = 5000): Promise<ToolResult> {
    this.child.stdin?.write(`${JSON.stringify({ tool, input, timeoutMs })}\n`);
    const { value } = await this.lines.next();
    return JSON.parse(value ?? "{}") as ToolResult;
  }

  close(): void {
    this.child.stdin?.end();
  }
}
