import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Order, Told } from "./demo.ts";

const script = join(import.meta.dir, "robot.py");

/** What the robot did, and what was there by AT-SPI's own account. */
export interface Done extends Order {
  readonly role?: string | null;
  readonly name?: string | null;
  readonly extents?: readonly [number, number, number, number] | null;
  readonly point?: readonly [number, number];
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type Pace = "human" | "full";

/** robot.py on one desktop. One command at a time. */
export class Robot {
  private readonly child;
  private readonly lines;

  constructor(env: Record<string, string>) {
    this.child = spawn("/usr/bin/python3", ["-B", "-W", "ignore", script], { env, stdio: ["pipe", "pipe", "inherit"] });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  run(pid: number, title: string, orders: readonly Order[], pace: Pace): Promise<readonly Done[]> {
    return this.ask({ do: "run", pid, title, orders, pace });
  }

  /** How many orders a plain replayer could do. */
  repeat(pid: number, by: "names" | "points", done: readonly Done[]): Promise<number> {
    return this.ask({ do: by, pid, done });
  }

  look(pid: number): Promise<readonly Told[]> {
    return this.ask({ do: "look", pid });
  }

  close(): void {
    this.child.kill("SIGKILL");
  }

  private async ask<Answer>(command: object): Promise<Answer> {
    this.child.stdin.write(`${JSON.stringify(command)}\n`);
    const { value, done } = await this.lines.next();
    if (done === true) throw new Error("the robot ended");
    const reply: { readonly value: Answer; readonly error?: string } = JSON.parse(value);
    if (reply.error !== undefined) throw new Error(`the robot: ${reply.error}`);
    return reply.value;
  }
}
