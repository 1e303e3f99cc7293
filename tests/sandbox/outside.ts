import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Looks at sandboxes by other routes than Deskmap's own: ps, /proc, the file system, X and D-Bus tools.

const CLI_ENTRY = join(import.meta.dir, "../../src/cli/main.ts");

/** A registry of the test's own, so that sandboxes of other users of this machine are neither seen nor counted. */
export function isolateRegistry(): { directory: string; restore: () => void } {
  const before = process.env.XDG_RUNTIME_DIR;
  const directory = mkdtempSync(join(tmpdir(), "dm-test-"));
  process.env.XDG_RUNTIME_DIR = directory;
  return {
    directory,
    restore: () => {
      if (before === undefined) delete process.env.XDG_RUNTIME_DIR;
      else process.env.XDG_RUNTIME_DIR = before;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export async function waitUntil(what: string, isTrue: () => boolean, timeoutMs = 8000): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!isTrue()) {
    if (performance.now() > deadlineMs) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await Bun.sleep(10);
  }
}

export function runTool(env: Record<string, string>, command: string, ...args: string[]): SpawnSyncReturns<string> {
  return spawnSync(command, args, { env, encoding: "utf8", timeout: 10_000 });
}

export function runCli(args: string[], env: NodeJS.ProcessEnv = process.env): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [CLI_ENTRY, "sandbox", ...args], { env, encoding: "utf8", timeout: 20_000 });
}

export function startCli(args: string[]) {
  const child = spawn(process.execPath, [CLI_ENTRY, "sandbox", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output.stderr += chunk;
  });
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, output, exited };
}

export function listWindowNames(env: Record<string, string>): string[] {
  const ids = runTool(env, "xdotool", "search", "--onlyvisible", "--name", ".").stdout.split("\n").filter(Boolean);
  return ids.map((id) => runTool(env, "xdotool", "getwindowname", id).stdout.trim());
}

type Remains = { root: string; display: string; pids: number[] };

/** What must be gone later: taken while the sandbox runs. */
export function noteWhatRuns(supervisorPid: number, env: Record<string, string>): Remains {
  const rows = spawnSync("ps", ["-e", "-o", "pid=,ppid="], { encoding: "utf8" })
    .stdout.trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const pids = [supervisorPid];
  for (const parent of pids) for (const [pid = 0, ppid] of rows) if (ppid === parent && pid !== 0) pids.push(pid);
  return { root: env.DESKMAP_SANDBOX_ROOT ?? "", display: env.DISPLAY ?? "", pids };
}

/** Everything of the sandbox that is still there, in words; empty when it is wholly gone. */
export function listRemains(remains: Remains, registryDirectory: string): string[] {
  const number = remains.display.slice(1);
  const files = [remains.root, `/tmp/.X11-unix/X${number}`, `/tmp/.X${number}-lock`].filter((path) => existsSync(path));
  const pids = remains.pids.filter((pid) => isAlive(pid));
  const marked = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isMarked(Number(pid), remains.root));
  return [
    ...files,
    ...pids.map((pid) => `process ${describeProcess(pid)}`),
    ...marked.map((pid) => `marked process ${describeProcess(Number(pid))}`),
    ...readdirSync(registryDirectory, { recursive: true }).map((file) => `record ${file}`),
  ];
}

export function isAlive(pid: number): boolean {
  const status = readProc(pid, "status");
  return status !== "" && !/^State:\s+[ZX]/m.test(status);
}

export function describeProcess(pid: number): string {
  return `${pid} ${readProc(pid, "cmdline").replaceAll("\0", " ")}`;
}

function isMarked(pid: number, root: string): boolean {
  return isAlive(pid) && readProc(pid, "environ").split("\0").includes(`DESKMAP_SANDBOX_ROOT=${root}`);
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
