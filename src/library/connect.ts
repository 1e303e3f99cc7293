import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DaemonConnection } from "../client/connection.ts";
import { Outbox } from "../client/connection-outbox.ts";
import { defer } from "../client/defer.ts";
import type { Env } from "../model/env.ts";
import { DeskmapError } from "./error.ts";

/** Where the program is: beside the source that this is, or beside the package that it was built into. */
function findProgram(): string {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const program = ["../..", ".."].map((up) => join(here, up, "deskmap")).find((path) => existsSync(path));
  if (program !== undefined) return program;
  throw unavailable(`the program that belongs to this library is not near ${here}`);
}

export interface Connected {
  readonly connection: DaemonConnection;
  /** Resolves when the process between here and the daemon has ended. */
  readonly ended: Promise<void>;
}

/** The daemon of this desktop, started where none runs, through a process of Deskmap's own that knows where it is. */
export async function connectThroughProgram(env: Env, program = findProgram()): Promise<Connected> {
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
  // Whoever has closed it writes no more; that the other end is gone is told by its end.
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

/** The program says in JSON why it could not connect. */
function readFailure(told: string): DeskmapError {
  try {
    const { error } = JSON.parse(told.trim().split("\n").at(-1) ?? "");
    if (typeof error?.message === "string") return new DeskmapError({ ...error, suggestion: error.try });
  } catch {
    // It said something else.
  }
  return unavailable(told.trim() || "the daemon could not be reached");
}

function unavailable(message: string): DeskmapError {
  return new DeskmapError({ code: "UNAVAILABLE", message, done: "nothing was done." });
}
