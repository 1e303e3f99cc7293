import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Failure, makeFailure } from "../model/failure.ts";
import { chooseInside } from "./enter.ts";
import { applyInside } from "./environment.ts";
import type { SandboxRecord } from "./record.ts";

/** Runs a command within a boundary and waits for its end. Returns why it did not succeed. */
export async function runWithin(record: SandboxRecord, command: [string, ...string[]]): Promise<Failure | undefined> {
  const inside = chooseInside(record, command, "/");
  if (!inside.ok) return inside.failure;
  const [program, ...args] = inside.value.command;
  const child = spawn(program, args, { env: applyInside(record, process.env), cwd: "/", stdio: "ignore" });
  const [code, signal]: (number | string | null)[] = await once(child, "exit").catch((error: Error) => [error.message]);
  if (code === 0) return undefined;
  const message = `${command.join(" ")} failed in the sandbox ${record.name}: ${signal ?? code}`;
  return makeFailure("FAILED", message, `deskmap sandbox stop ${record.name} ends everything in it.`);
}
