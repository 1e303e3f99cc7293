import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { oldCommit } from "./options.ts";
import { peersFolder } from "./peers.ts";

/** One press of one button, with all that a contestant may identify it by. */
interface PressOrder {
  readonly pid: number;
  readonly windowId: number;
  readonly label: string;
  /** Deskmap's mark of it. */
  readonly mark: number;
  /** The text of another label after the press. */
  readonly expected: string;
  /** The command of Deskmap, without the mark. */
  readonly command: readonly [string, ...string[]];
}

export interface PressReport {
  readonly ms: number;
  /** The outcome that the contestant reports. */
  readonly verdict: string;
}

/** A contestant that presses buttons. A long-running process ends when it is closed. */
export interface Presser {
  readonly name: string;
  press(order: PressOrder): Promise<PressReport>;
  close(): void;
}

const playwrightScript = fileURLToPath(new URL("../contestants/press-playwright.mjs", import.meta.url));
const cuaScript = fileURLToPath(new URL("../contestants/press-cua-driver.mjs", import.meta.url));
type Env = Record<string, string>;

/** A process that has loaded its code and opened its connections before the first order, and times itself. */
function keepRunning(name: string, [program, ...args]: readonly [string, ...string[]], env: Env): Presser {
  const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  return {
    name,
    press: async (order) => {
      const answer = firstLine(child, name);
      child.stdin.write(`${JSON.stringify(order)}\n`);
      return JSON.parse(await answer);
    },
    close: () => child.kill("SIGKILL"),
  };
}

/** A process for every press, timed from its start until it has reported the outcome. */
function startEachTime(
  name: string,
  command: (order: PressOrder) => readonly [string, ...string[]],
  env: Env,
  readVerdict: (line: string) => string,
): Presser {
  return {
    name,
    press: async (order) => {
      const [program, ...args] = command(order);
      const started = performance.now();
      const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "inherit"] });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      const line = await firstLine(child, name);
      const ms = performance.now() - started;
      await ended;
      return { ms, verdict: readVerdict(line) };
    },
    close: () => undefined,
  };
}

function firstLine(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const receive = (chunk: string): void => {
      text += chunk;
      const end = text.indexOf("\n");
      if (end < 0) return;
      child.stdout?.off("data", receive);
      child.off("exit", fail);
      resolve(text.slice(0, end));
    };
    const fail = (code: number | null = child.exitCode): void =>
      reject(new Error(`${name} ended with ${code}; its output: ${text}`));
    if (child.exitCode !== null) return fail();
    child.stdout?.setEncoding("utf8").on("data", receive);
    child.once("exit", fail);
  });
}

const deskmapVerdict = (line: string): string => {
  const { effect, way }: { effect: string; way: string } = JSON.parse(line);
  return `${effect} by ${way}`;
};

export const presserNames = {
  daemon: "deskmap, daemon running",
  unverified: "deskmap --no-verify, daemon running",
  alone: "deskmap, no daemon",
  before: `deskmap at ${oldCommit}`,
  cuaWhole: "cua-driver, whole process",
  cua: "cua-driver, in process",
  playwright: "Playwright, in process",
} as const;

export interface Programs {
  /** This tree, as one executable. */
  readonly dist: string;
  /** The commit to compare with, as one executable. */
  readonly before: string;
}

export type Make = (env: Env, programs: Programs) => Presser;

/** Each has a map of its own: the old one calls a script by its interpreter, and would rename what the other has seen. */
export function envOf(program: keyof Programs, env: Env): Env {
  if (program === "dist") return env;
  const data = `${env.XDG_DATA_HOME ?? ""}-${program}`;
  return { ...env, XDG_DATA_HOME: data, DESKMAP_SANDBOX_DIR: join(data, "sandboxes") };
}

/** Without a record in its own format, the old program takes a private desktop for a person's, whose policy nobody has accepted. */
export function writeRecordForBefore(env: Env): void {
  const { DESKMAP_SANDBOX_DIR: folder = "" } = envOf("before", env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = readFileSync(join(env.DESKMAP_SANDBOX_DIR ?? "", `${env.DESKMAP_SANDBOX}.json`), "utf8");
  for (const version of [1, 2])
    writeFileSync(join(folder, `${version}.json`), JSON.stringify({ ...JSON.parse(own), version }));
}

function runDeskmap(name: string, program: keyof Programs, daemon: string, ...options: string[]): Make {
  return (env, programs) => {
    const command = (order: PressOrder) =>
      [programs[program], ...order.command, "--id", String(order.mark), "--format", "json", ...options] as const;
    return startEachTime(name, command, { ...envOf(program, env), DESKMAP_DAEMON: daemon }, deskmapVerdict);
  };
}

export const throughDaemon: readonly Make[] = [
  runDeskmap(presserNames.daemon, "dist", "start"),
  runDeskmap(presserNames.unverified, "dist", "start", "--no-verify"),
];

export const withoutDaemon: readonly Make[] = [
  runDeskmap(presserNames.alone, "dist", "never"),
  runDeskmap(presserNames.before, "before", "never"),
];

/** They press buttons alone. */
export const byCua: readonly Make[] = [
  (env) =>
    startEachTime(
      presserNames.cuaWhole,
      (order) => ["node", cuaScript, peersFolder, JSON.stringify(order)],
      env,
      (line) => JSON.parse(line).verdict,
    ),
  (env) => keepRunning(presserNames.cua, ["node", cuaScript, peersFolder], env),
];

/** In the page of a Chromium with a debugging port. */
export function byPlaywright(findPort: () => number): readonly Make[] {
  return [(env) => keepRunning(presserNames.playwright, ["node", playwrightScript, String(findPort())], env)];
}
