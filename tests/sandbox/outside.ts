import { afterEach, beforeEach } from "bun:test";
import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { runProgram } from "../run-program.ts";

export { waitFor as waitUntil } from "../wait.ts";

// Inspects sandboxes by other routes than Deskmap's own: ps, /proc, the file system, X and D-Bus tools.

const CLI_ENTRY = join(import.meta.dir, "../../src/cli/main.ts");

const opened: Sandbox[] = [];
const started: ChildProcess[] = [];

/**
 * A separate registry for each test, so that sandboxes of other users of this machine are neither seen nor counted, and those
 * of one test are not seen by the next. Anything a test leaves open is closed after it, however it ended.
 */
export function useRegistry(): { readonly directory: string } {
  const registry = { directory: "" };
  let before: string | undefined;
  beforeEach(() => {
    before = process.env.XDG_RUNTIME_DIR;
    registry.directory = mkdtempSync(join(tmpdir(), "dm-test-"));
    process.env.XDG_RUNTIME_DIR = registry.directory;
  });
  afterEach(async () => {
    for (const child of started.splice(0)) child.kill("SIGKILL");
    await Promise.all(opened.splice(0).map((sandbox) => sandbox.close()));
    if (before === undefined) delete process.env.XDG_RUNTIME_DIR;
    else process.env.XDG_RUNTIME_DIR = before;
    rmSync(registry.directory, { recursive: true, force: true });
  });
  return registry;
}

/** A trusted sandbox, unless the test names a boundary. It is closed when the test ends, however it ends. */
export async function openBox(options: Parameters<typeof openSandbox>[0]): Promise<Sandbox> {
  const sandbox = await openSandbox({ boundary: "off", ...options });
  opened.push(sandbox);
  return sandbox;
}

export function runTool(env: Record<string, string>, command: string, ...args: string[]): SpawnSyncReturns<string> {
  return runProgram(command, args, env);
}

export function runCli(args: string[], env: NodeJS.ProcessEnv = process.env): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [CLI_ENTRY, "sandbox", ...args], { env, encoding: "utf8", timeout: 60_000 });
}

export function startCli(args: string[]) {
  const child = spawn(process.execPath, [CLI_ENTRY, "sandbox", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
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

type Remains = { root: string; files: { path: string; identity: string | undefined }[]; pids: number[] };

/** A display's number is free for anybody as soon as its server has ended: a file of that name may be another's. */
function identify(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && `${stat.ino} ${stat.birthtimeMs}`;
}

/** What must be gone later, recorded while the sandbox runs. */
export function noteWhatRuns(supervisorPid: number, env: Record<string, string>): Remains {
  const rows = spawnSync("ps", ["-e", "-o", "pid=,ppid="], { encoding: "utf8" })
    .stdout.trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const pids = [supervisorPid];
  for (const parent of pids) for (const [pid = 0, ppid] of rows) if (ppid === parent && pid !== 0) pids.push(pid);
  const root = env.DESKMAP_SANDBOX_ROOT ?? "";
  const number = env.DISPLAY?.slice(1) ?? "";
  const paths = [root, `/tmp/.X11-unix/X${number}`, `/tmp/.X${number}-lock`];
  return { root, files: paths.map((path) => ({ path, identity: identify(path) })), pids };
}

/** Everything left of the sandbox, as text; empty when nothing is. */
export function listRemains(remains: Remains, registryDirectory: string): string[] {
  const files = remains.files.flatMap(({ path, identity }) => {
    return identity !== undefined && identify(path) === identity ? [path] : [];
  });
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
