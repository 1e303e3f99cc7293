import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launcher, startAtTerminal } from "../../../tests/guard/terminal-session.ts";
import { waitFor } from "../../../tests/wait.ts";
import { readProcessorMs } from "../processor-time.ts";
import { spreadOf } from "../table.ts";
import { listFamily, Stage } from "./stage.ts";

const folder = join(import.meta.dir, "panels");
/** As fast as people type: 300 keys in a minute. */
const pauseS = 0.2;

export interface ListeningCost {
  readonly keys: number;
  /** The share of a core that daemon and recorder used while somebody typed. */
  readonly share: number;
  /** The same of a daemon that nobody asks, with no recorder. */
  readonly restingShare: number;
  /** From a key to the field that takes it, in milliseconds. */
  readonly delayMs: { readonly without: readonly number[]; readonly with: readonly number[] };
}

/** What a recording costs while somebody types, and how much later the application gets its keys. */
export async function measureListening(seconds: number): Promise<ListeningCost> {
  const stage = await Stage.open();
  const own = mkdtempSync(join(tmpdir(), "deskmap-cost-"));
  const times = join(own, "times");
  try {
    const { env } = stage.scene.sandbox;
    const app = await stage.scene.start(["/usr/bin/python3", join(folder, "keys-gtk3.py"), times], "Keys");
    stage.scene.run("xdotool", "search", "--onlyvisible", "--name", "Keys", "windowactivate", "--sync");
    await stage.scene.settle();
    const keys = Math.round(seconds / pauseS);
    const without = await typeKeys(env, times, keys);
    await stage.deskmap("serve", "--detach");
    const resting = await countWork([await findDaemon(stage)], () => typeKeys(env, times, keys));
    const terminal = startAtTerminal([launcher, "record", "start", "typing"], env);
    await terminal.see("work as usual");
    const pids = [await findDaemon(stage), ...listFamily(await terminal.pid())];
    const working = await countWork(pids, () => typeKeys(env, times, keys));
    terminal.type("\u0003");
    await terminal.ended;
    app.kill();
    return {
      keys,
      share: working.share,
      restingShare: resting.share,
      delayMs: { without, with: working.value },
    };
  } finally {
    await stage.close();
    rmSync(own, { recursive: true, force: true });
  }
}

async function findDaemon(stage: Stage): Promise<number> {
  const { stdout } = await stage.deskmap("serve", "status", "--format", "json");
  return JSON.parse(stdout).pid;
}

async function countWork<T>(pids: readonly number[], work: () => Promise<T>) {
  const read = (): number => pids.reduce((sum, pid) => sum + readProcessorMs(pid), 0);
  const [before, startedAt] = [read(), performance.now()];
  const value = await work();
  return { value, share: (read() - before) / (performance.now() - startedAt) };
}

/** The delay of each key. */
async function typeKeys(env: Record<string, string>, times: string, count: number): Promise<readonly number[]> {
  const taken = (): readonly number[] => readFileSync(times, "utf8").split("\n").filter(Boolean).map(Number);
  const before = taken().length;
  const words = [join(folder, "send-keys.py"), String(count), String(pauseS)];
  const child = spawn("/usr/bin/python3", words, { env, stdio: ["ignore", "pipe", "inherit"] });
  const out: string[] = [];
  child.stdout.on("data", (text) => out.push(String(text)));
  await once(child, "close");
  await waitFor("the last key", () => taken().length >= before + count);
  const sent = out.join("").split("\n").filter(Boolean).map(Number);
  return sent.map((at, index) => (taken()[before + index] ?? Number.NaN) - at);
}

export function tellCost({ keys, share, restingShare, delayMs }: ListeningCost): string {
  const [without, with_] = [spreadOf(delayMs.without), spreadOf(delayMs.with)];
  const late = (times: readonly number[]): number =>
    times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
  return (
    `While somebody types ${keys} keys, five a second, daemon and recorder use ${(100 * share).toFixed(1)} % of a core ` +
    `(the daemon alone, not recording: ${(100 * restingShare).toFixed(1)} %). A GTK 3 field takes a key ${without.median.toFixed(1)} ms ` +
    `after it is pressed without a recording (95 %: ${late(delayMs.without).toFixed(1)}), and after ${with_.median.toFixed(1)} ms with one ` +
    `(95 %: ${late(delayMs.with).toFixed(1)}).`
  );
}
