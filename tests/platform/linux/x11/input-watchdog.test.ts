import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";

const source = join(import.meta.dir, "../../../../src/platform/linux/x11");

/** Tells a watchdog what to undo, and more when asked to. */
const holder = `
const { InputWatchdog } = await import("${source}/input-watchdog.ts");
const { nothingToUndo } = await import("${source}/undo.ts");
const watchdog = InputWatchdog.start(process.env);
await watchdog.keep({ ...nothingToUndo, releaseKeys: [38] });
console.log("kept");
for await (const _ of console) {
  void watchdog.keep({ ...nothingToUndo, releaseKeys: [38, 39] });
  setTimeout(() => console.log("asked"), 50);
}`;

let server: ChildProcess;
let env: Record<string, string>;
beforeAll(async () => {
  server = spawn("Xvfb", ["-displayfd", "1", "-nolisten", "tcp", "-noreset"], { stdio: ["ignore", "pipe", "ignore"] });
  const number = await hear(listenTo(server));
  const { PATH = "" } = process.env;
  env = { DISPLAY: `:${number}`, PATH, HOME: "/nowhere", BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
});
afterAll(async () => {
  server.kill();
  await once(server, "exit");
});

function listenTo({ stdout }: ChildProcess): Interface {
  if (stdout === null) throw new Error("it has no voice");
  return createInterface(stdout);
}

async function hear(lines: Interface): Promise<string> {
  const [line] = await once(lines, "line");
  return String(line);
}

function listKeysDown(): string[] {
  const { stdout } = spawnSync("xinput", ["query-state", "Virtual core XTEST keyboard"], { env, encoding: "utf8" });
  return stdout.match(/key\[\d+\]=down/g) ?? [];
}

/** The watchdog of this display. */
function findWatchdog(): number {
  const found = readdirSync("/proc").find((entry) => {
    try {
      const isOurs = readFileSync(`/proc/${entry}/environ`, "utf8").includes(`DISPLAY=${env.DISPLAY}\0`);
      return isOurs && readFileSync(`/proc/${entry}/cmdline`, "utf8").includes("deskmap-input-watchdog");
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error("no watchdog");
  return Number(found);
}

test("a watchdog whose parent is gone still undoes everything", async () => {
  spawnSync("xdotool", ["keydown", "38", "keydown", "39"], { env });
  expect(listKeysDown()).toEqual(["key[38]=down", "key[39]=down"]);
  const child = spawn(process.execPath, ["-e", holder], { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = listenTo(child);
  expect(await hear(lines)).toBe("kept");
  const watchdog = findWatchdog();
  process.kill(watchdog, "SIGSTOP");
  child.stdin?.write("more\n");
  expect(await hear(lines)).toBe("asked");
  child.kill("SIGKILL");
  await once(child, "exit");
  process.kill(watchdog, "SIGCONT");
  const deadline = performance.now() + 20_000;
  while (listKeysDown().length > 0 && performance.now() < deadline) await Bun.sleep(20);
  expect(listKeysDown()).toEqual([]);
});
