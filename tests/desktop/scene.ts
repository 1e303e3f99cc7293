import type { ChildProcess } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { defaultTimeoutMs } from "../../src/model/default-timeout.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { type Referee, startReferee } from "../referee/referee.ts";
import { runProgram } from "../run-program.ts";
import { waitFor } from "../wait.ts";
import { listStraySockets } from "./stray-sockets.ts";

export { waitFor };

const oracle = join(import.meta.dir, "oracle.py");
const launcher = join(import.meta.dir, "../../deskmap");

interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A private desktop for one test, with independent ways to read effects back. */
export interface Scene {
  readonly sandbox: Sandbox;
  readonly referee: Referee;
  /** Starts an application and waits, using X alone, until its window is mapped and listed. */
  start(command: readonly [string, ...string[]], title: string): Promise<ChildProcess>;
  /** Waits until the applications have finished drawing: none of their processes uses the processor any more. */
  settle(): Promise<void>;
  /** Runs a program inside. */
  run(command: string, ...args: string[]): Run;
  /** Runs the deskmap command inside. */
  deskmap(...args: string[]): Run;
  /** Queries pyatspi. */
  ask(...args: string[]): unknown;
  /** Throws if the referee found a false verdict. */
  close(): Promise<void>;
}

export async function openScene(
  size: Pick<Parameters<typeof openSandbox>[0], "width" | "height" | "monitors" | "manager" | "session"> = {
    width: 1280,
    height: 800,
  },
): Promise<Scene> {
  // The tests start their own applications, with fixtures outside.
  const sandbox = await openSandbox({ boundary: "off", ...size });
  sandbox.env.DESKMAP_TIMEOUT_MS = String(chooseTimeoutMs());
  const referee = startReferee(sandbox.env);
  const started = new Set<number>();
  let isClosing = false;
  const run = (command: string, ...args: string[]): Run => {
    const { status, stdout, stderr } = runProgram(command, args, sandbox.env);
    return { status: status ?? -1, stdout, stderr };
  };
  return {
    sandbox,
    referee,
    run,
    deskmap: (...args) => run(launcher, ...args),
    async start(command, title) {
      const complaints = openNamelessFile();
      const child = sandbox.spawn(command, { stdio: ["ignore", "ignore", complaints] });
      if (child.pid !== undefined) started.add(child.pid);
      let error: Error | undefined;
      child.once("error", (reason) => (error = reason));
      const tellEnd = (): string => {
        const how = error?.message ?? child.signalCode ?? child.exitCode;
        return how === null ? "it runs" : `it ended: ${how}; ${readEnd(complaints) || "it said nothing"}`;
      };
      const isBroken = (): boolean => error !== undefined || child.signalCode !== null || (child.exitCode ?? 0) !== 0;
      try {
        await waitFor(
          () => `a window titled "${title}" of ${command[0]}; ${tellEnd()}`,
          () => {
            const ids = findTitled(run, title);
            if (ids.length > 0 && isListed(run, ids)) return true;
            // A process that exits with 0 may have handed its work to one that was already running.
            if (isBroken()) throw new Error(`no window titled "${title}" of ${command.join(" ")}: ${tellEnd()}`);
            return false;
          },
        );
        return child;
      } finally {
        // The child has its own descriptor for it.
        tellCrash(child, command[0], complaints, () => isClosing);
      }
    },
    async settle() {
      const deadline = performance.now() + longestUnrestMs;
      let before = measureWork(sandbox.name, started);
      for (let quietPolls = 0; quietPolls < 8; ) {
        if (performance.now() > deadline) throw new Error(`not within ${longestUnrestMs} ms: quiet applications`);
        // A fixed interval: the threshold for idle depends on it.
        await Bun.sleep(75);
        const now = measureWork(sandbox.name, started);
        // A process that waits for a processor uses none either, but is not idle.
        const isStarved = [...now.runnable].some((pid) => before.runnable.has(pid));
        quietPolls = now.ticks - before.ticks <= 1 && !isStarved ? quietPolls + 1 : 0;
        before = now;
      }
    },
    ask(...args) {
      const { status, stdout, stderr } = run("/usr/bin/python3", oracle, ...args);
      if (status !== 0) throw new Error(`pyatspi: ${stderr}`);
      return JSON.parse(stdout);
    },
    async close() {
      // Chromium aborts when its bus ends.
      isClosing = true;
      const strays = listStraySockets(sandbox.name);
      try {
        await referee.close();
      } finally {
        await sandbox.close();
        for (const path of strays) rmSync(path, { force: true });
      }
    },
  };
}

/** How long applications may take to answer: as by default on an idle machine, more on a busy one. */
function chooseTimeoutMs(): number {
  const [load = 0] = loadavg();
  return Math.round(defaultTimeoutMs * Math.min(6, Math.max(1, load / availableParallelism())));
}

/** xdotool does not find windows that have only the newer of the two titles, such as those of KCalc. */
function findTitled(run: Scene["run"], title: string): readonly number[] {
  const found = run("xdotool", "search", "--onlyvisible", "--name", title);
  const ids = found.status === 0 ? found.stdout.trim().split("\n").map(Number).filter(Boolean) : [];
  if (ids.length > 0) return ids;
  const listed = run("wmctrl", "-l")
    .stdout.split("\n")
    .filter((line) => line.includes(title));
  return listed.map((line) => Number(line.split(" ")[0]));
}

/** A window manager shows a window before it lists it. Override-redirect windows are never listed. */
function isListed(run: Scene["run"], ids: readonly number[]): boolean {
  const { stdout } = run("xprop", "-root", "_NET_CLIENT_LIST");
  const listed = new Set((stdout.match(/0x[0-9a-f]+/g) ?? []).map(Number));
  if (ids.some((id) => listed.has(id))) return true;
  return ids.some((id) => run("xwininfo", "-id", String(id)).stdout.includes("Override Redirect State: yes"));
}

/** An unlinked file: writing to it never blocks, unlike a pipe while a test waits for a program. */
function openNamelessFile(): number {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-scene-"));
  const file = openSync(join(folder, "stderr"), "w+");
  rmSync(folder, { recursive: true });
  return file;
}

function readEnd(file: number): string {
  const bytes = Buffer.alloc(1 << 20);
  return bytes
    .toString("utf8", 0, readSync(file, bytes, 0, bytes.length, 0))
    .trim()
    .slice(-600);
}

const crashes: ReadonlySet<string> = new Set(["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP"]);

/** A test that fails because its application crashed looks like a fault of Deskmap. */
function tellCrash(child: ChildProcess, program: string, complaints: number, isExpected: () => boolean): void {
  const tell = (_code: unknown, signal: string | null): void => {
    if (signal !== null && crashes.has(signal) && !isExpected())
      console.log(`${program} crashed (${signal}): ${readEnd(complaints)}`);
    closeSync(complaints);
  };
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) tell(null, child.signalCode);
  else child.once("exit", tell);
}

const longestUnrestMs = 120_000;

interface Work {
  /** Processor time, in clock ticks. */
  readonly ticks: number;
  /** Processes that are running or runnable. */
  readonly runnable: ReadonlySet<number>;
}

/**
 * The processor time of the processes in a sandbox, and which of them are runnable. Processes are recognised by their
 * environment, which Chromium overwrites; those started from here are recognised by process id, and their children by parent.
 */
function measureWork(sandboxName: string, started: ReadonlySet<number>): Work {
  const table = readdirSync("/proc").map(Number).filter(Boolean).flatMap(readProcess);
  const inside = new Set(
    table.filter(({ pid }) => started.has(pid) || isInside(pid, sandboxName)).map(({ pid }) => pid),
  );
  // A child usually has a higher id than its parent, so most are found in the first round.
  for (let size = -1; size !== inside.size; ) {
    size = inside.size;
    for (const { pid, parent } of table) if (inside.has(parent)) inside.add(pid);
  }
  const own = table.filter(({ pid }) => inside.has(pid));
  return {
    ticks: own.reduce((sum, { ticks }) => sum + ticks, 0),
    runnable: new Set(own.filter(({ state }) => state === "R").map(({ pid }) => pid)),
  };
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly ticks: number;
}

function readProcess(pid: number): Process[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    const [state = "", parent] = fields;
    return [{ pid, parent: Number(parent), state, ticks: Number(fields[11]) + Number(fields[12]) }];
  } catch {
    // It ended between the two samples.
    return [];
  }
}

function isInside(pid: number, sandboxName: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").includes(`DESKMAP_SANDBOX=${sandboxName}\0`);
  } catch {
    return false;
  }
}

/** Firefox with a test page, without first-run pages and network probes. */
export function prepareFirefox(html: string): {
  command: readonly [string, ...string[]];
  page: string;
  remove(): void;
} {
  const directory = mkdtempSync(join(tmpdir(), "deskmap-firefox-"));
  const page = join(directory, "page.html");
  writeFileSync(page, html);
  const settings = {
    "browser.aboutwelcome.enabled": false,
    "browser.preonboarding.enabled": false,
    "browser.shell.checkDefaultBrowser": false,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.sessionstore.resume_from_crash": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "network.captive-portal-service.enabled": false,
    "network.connectivity-service.enabled": false,
    "termsofuse.bypassNotification": true,
    "toolkit.telemetry.reportingpolicy.firstRun": false,
  };
  const lines = Object.entries(settings).map(([key, value]) => `user_pref("${key}", ${JSON.stringify(value)});`);
  writeFileSync(join(directory, "user.js"), lines.join("\n"));
  return {
    command: ["firefox-esr", "--no-remote", "--profile", directory, page],
    page,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
