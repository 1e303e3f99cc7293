import { spawn } from "node:child_process";

export interface ProgramRun {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly input: Uint8Array;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export type RunEnd =
  | { readonly how: "done"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly how: "missing" | "timeout" | "aborted" | "too-long" };

/** Runs a program with input and collects its output. Kills it if it takes too long or writes too much. */
export function runProgram(run: ProgramRun): Promise<RunEnd> {
  const { command, env, input, timeoutMs, maxOutputBytes, signal } = run;
  if (signal?.aborted === true) return Promise.resolve({ how: "aborted" });
  const [program, ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...env }, cwd: "/", stdio: ["pipe", "pipe", "pipe"] });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    let broken: Exclude<RunEnd["how"], "done"> | undefined;
    let bytes = 0;
    const breakOff = (how: Exclude<RunEnd["how"], "done">): void => {
      broken ??= how;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => breakOff("timeout"), timeoutMs);
    const stop = (): void => breakOff("aborted");
    signal?.addEventListener("abort", stop, { once: true });
    const collect = (parts: Buffer[]) => (part: Buffer) => {
      bytes += part.length;
      if (bytes > maxOutputBytes) breakOff("too-long");
      else parts.push(part);
    };
    child.stdout.on("data", collect(stdout));
    child.stderr.on("data", collect(stderr));
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    };
    child.once("error", (error: NodeJS.ErrnoException) => {
      finish();
      if (error.code === "ENOENT") resolve({ how: "missing" });
      else reject(error);
    });
    child.once("close", (code) => {
      finish();
      if (broken !== undefined) resolve({ how: broken });
      else resolve({ how: "done", code: code ?? -1, stdout: join(stdout), stderr: join(stderr) });
    });
    // If the program has already exited, "close" reports it.
    child.stdin.once("error", () => undefined);
    child.stdin.end(input);
  });
}

function join(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).toString("utf8");
}
