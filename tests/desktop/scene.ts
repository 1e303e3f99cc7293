import { type ChildProcess, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox, type Sandbox } from "../../src/sandbox/index.ts";

const oracle = join(import.meta.dir, "oracle.py");
const launcher = join(import.meta.dir, "../../deskmap");

interface Run {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A private desktop for one test, with the independent routes by which effects are read back. */
export interface Scene {
  readonly sandbox: Sandbox;
  /** Starts an application and waits, by X alone, until its window is mapped. */
  start(command: readonly [string, ...string[]], title: string): Promise<ChildProcess>;
  /** Waits until the applications have drawn what they show: none of their processes uses the processor any more. */
  settle(): Promise<void>;
  /** Runs a program inside. */
  run(command: string, ...args: string[]): Run;
  /** Runs Deskmap's own command inside. */
  deskmap(...args: string[]): Run;
  /** Asks pyatspi. */
  ask(...args: string[]): unknown;
  close(): Promise<void>;
}

export async function openScene(
  size: Pick<Parameters<typeof openSandbox>[0], "width" | "height" | "monitors" | "manager"> = {
    width: 1280,
    height: 800,
  },
): Promise<Scene> {
  const sandbox = await openSandbox(size);
  const started: ChildProcess[] = [];
  const run = (command: string, ...args: string[]): Run => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      env: sandbox.env,
      encoding: "utf8",
      maxBuffer: 64 << 20,
    });
    return { status: status ?? -1, stdout, stderr };
  };
  return {
    sandbox,
    run,
    deskmap: (...args) => run(launcher, ...args),
    async start(command, title) {
      const child = sandbox.spawn(command, { stdio: "ignore" });
      started.push(child);
      await waitFor(`a window titled "${title}"`, () => {
        const found = run("xdotool", "search", "--onlyvisible", "--name", title);
        return found.status === 0 && found.stdout.trim() !== "";
      });
      return child;
    },
    async settle() {
      let before = -1;
      let quietPolls = 0;
      await waitFor("quiet applications", async () => {
        await Bun.sleep(50);
        const ticks = countTicks(sandbox.name);
        quietPolls = ticks - before <= 1 ? quietPolls + 1 : 0;
        before = ticks;
        return quietPolls >= 8;
      });
    },
    ask(...args) {
      const { status, stdout, stderr } = run("/usr/bin/python3", oracle, ...args);
      if (status !== 0) throw new Error(`pyatspi: ${stderr}`);
      return JSON.parse(stdout);
    },
    close: () => sandbox.close(),
  };
}

/** Processor time, in clock ticks, of every process that runs inside a sandbox. */
function countTicks(sandboxName: string): number {
  let ticks = 0;
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      if (!readFileSync(`/proc/${entry}/environ`, "utf8").includes(`DESKMAP_SANDBOX=${sandboxName}\0`)) continue;
      const fields = readFileSync(`/proc/${entry}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ");
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It ended between the two looks.
    }
  }
  return ticks;
}

export async function waitFor(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await Bun.sleep(25);
  }
}

/** Firefox with a page of our own, and without first-run pages and network probes. */
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
