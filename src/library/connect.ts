import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DaemonConnection } from "../client/connection.ts";
import { defer, Outbox } from "../client/connection-outbox.ts";
import type { Env } from "../model/env.ts";
import { DeskmapError } from "./error.ts";

/** The program is beside the source, or beside the built package. */
function findProgram(): string {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const program = ["../..", ".."].map((up) => join(here, up, "deskmap")).find((path) => existsSync(path));
  if (program !== undefined) return program;
  throw unavailable(`the deskmap program was not found near ${here}`);
}

/** Connects to the daemon through `deskmap relay`, which finds or starts it; `ended` resolves when that process has ended. */
export async function connectThroughProgram(
  env: Env,
  program = findProgram(),
): Promise<{ readonly connection: DaemonConnection; readonly ended: Promise<void> }> {
  const child = spawn(program, ["relay"], { env: { ...env }, stdio: ["pipe", "pipe", "pipe"] });
  const outbox = new Outbox();
  const line = DaemonConnection.over(outbox, () => child.stdout);
  const ended = defer<void>();
  let told = "";
  child.stderr.on("data", (bytes: Buffer) => {
    told = `${told}${bytes.toString("utf8")}`.slice(-maxTold);
  });
  child.stdout.on("data", (bytes: Buffer) => {
    if (!line.take(bytes)) child.kill();
  });
  child.once("error", (error) => line.lose(error.message));
  child.once("close", () => {
    line.lose("the connection has ended");
    ended.resolve();
  });
  // Ignored: the end of the process is reported by "close".
  child.stdin.on("error", () => undefined);
  outbox.attach({
    write: (bytes) => {
      child.stdin.write(bytes);
      return bytes.length;
    },
    end: () => child.stdin.end(),
  });
  try {
    await line.connection.hello;
  } catch {
    await ended.promise;
    throw readFailure(told);
  }
  return { connection: line.connection, ended: ended.promise };
}

const maxTold = 4000;

/** The program reports in JSON why it could not connect. */
function readFailure(told: string): DeskmapError {
  try {
    const { error } = JSON.parse(told.trim().split("\n").at(-1) ?? "");
    if (typeof error?.message === "string") return new DeskmapError({ ...error, suggestion: error.try });
  } catch {
    // Not JSON.
  }
  return unavailable(told.trim() || "the daemon could not be reached");
}

function unavailable(message: string): DeskmapError {
  return new DeskmapError({ code: "UNAVAILABLE", message, done: "nothing was done." });
}
