import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { processes } from "../../../../src/os/index.ts";
import { waitFor } from "../../../wait.ts";

const source = join(import.meta.dir, "../../../../src/platform/linux/x11");

/** Suspends itself between the question and the requests, while the server serves nobody else. */
const holder = `
const { XConnection } = await import("${source}/connection.ts");
const { sendIf } = await import("${source}/xtest.ts");
const x = await XConnection.connect(process.env, 5000);
const ask = async () => {
  await x.getInputFocus();
  console.log("grabbed");
  process.kill(process.pid, "SIGSTOP");
  await x.getInputFocus();
  return true;
};
await sendIf(x, ask, []);
console.log("done");
process.kill(process.pid, "SIGSTOP");
`;

let server: ChildProcess;
let env: Record<string, string>;
beforeAll(async () => {
  server = spawn("Xvfb", ["-displayfd", "1", "-nolisten", "tcp", "-noreset"], { stdio: ["ignore", "pipe", "ignore"] });
  const { PATH = "" } = process.env;
  env = { DISPLAY: `:${(await listen(server)())[0]}`, PATH, HOME: "/nowhere", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
});
afterAll(async () => {
  server.kill();
  await once(server, "exit");
});

/** Returns the lines that were written so far, once there is one. */
function listen({ stdout }: ChildProcess): () => Promise<readonly string[]> {
  const lines: string[] = [];
  if (stdout !== null) createInterface(stdout).on("line", (line) => lines.push(line));
  return async () => {
    await waitFor("a line", () => lines.length > 0);
    return lines;
  };
}

test("a process that is suspended while it has the server goes on; afterwards it may be suspended", async () => {
  const child = spawn(process.execPath, ["-e", holder], { env, stdio: ["ignore", "pipe", "inherit"] });
  const told = listen(child);
  let asking: ChildProcess | undefined;
  try {
    await told();
    asking = spawn("xinput", ["list"], { env, stdio: "ignore" });
    const answered = once(asking, "exit");
    await waitFor("an answer to another client", () => asking?.exitCode === 0);
    await answered;
    await waitFor("the end of the grab", async () => (await told()).includes("done"));
    await waitFor("its own suspension", () => processes.isSuspended(child.pid ?? 0));
    // Nothing is left that would end this one: a kernel lists the timers of a process, if it was built to.
    const timers = `/proc/${child.pid}/timers`;
    if (existsSync(timers)) expect(readFileSync(timers, "utf8")).toBe("");
  } finally {
    asking?.kill("SIGKILL");
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});
