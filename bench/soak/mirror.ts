import { readFileSync } from "node:fs";
import { connectHost } from "../../src/client/connect.ts";
import type { Kit } from "../../tests/desktop/controls-scene.ts";
import { type BackgroundReader, drive } from "../../tests/desktop/live-drive.ts";
import { describeMisses, publish } from "../lab/results.ts";
import { formatTable, showMs, spreadOf } from "../lab/table.ts";

const kits: readonly (readonly [Kit, string])[] = [
  ["gtk3", "GTK 3"],
  ["gtk4", "GTK 4"],
  ["qt5", "Qt 5"],
  ["firefox", "Firefox"],
  ["chromium", "Chromium"],
];
const allowedMs = 500;
/** The allowed growth of a daemon's memory after warming up; a leak would exceed it over time. */
const growth = { factor: 1.3, mb: 30 };
const warmingUpMs = 20_000;

/** Performs random actions in five applications, one after the other; compares the mirror with cold reads, and watches the memory of a daemon. */
export async function soakMirror(minutes: number, seed: number): Promise<readonly string[]> {
  console.log(`mirroring ${kits.map(([, name]) => name).join(", ")} for ${minutes} minutes (seed ${seed}) …`);
  const faults: string[] = [];
  const rows: string[][] = [];
  for (const [index, [kit, name]] of kits.entries()) {
    const daemon = new WatchedDaemon();
    const deadlineMs = performance.now() + (minutes * 60_000) / kits.length;
    const { steps, longestMs, lasting, figures, warmMs } = await drive(kit, {
      seed: seed + index,
      deadlineMs,
      attend: (env) => daemon.open(env),
    });
    const { warmMb, lastMb, lines } = daemon;
    faults.push(...lasting);
    if (!(lastMb <= warmMb * growth.factor + growth.mb)) faults.push(`${name}: ${warmMb} MB became ${lastMb} MB`);
    const memory = [String(warmMb), String(lastMb), String(lines)];
    const looks = [String(figures.wholeReads), String(figures.surveys), String(figures.partReads)];
    rows.push([name, String(steps), showMs(longestMs), ...looks, showMs(spreadOf(warmMs).median), ...memory]);
    console.log(`  ${rows.at(-1)?.join("  ")}`);
  }
  publish("The mirror over a soak", [
    `\`npm run soak -- mirror --minutes ${minutes} --seed ${seed}\`: clicks, keys, texts, the wheel, moves and new sizes at random, ${minutes / kits.length} ` +
      "minutes for each application. After each action the mirror is compared with a cold read until the two agree; a difference " +
      `that lasts longer than ${allowedMs} ms is a fault. Beside it runs a daemon with a client that reads its lines. Whole reads are those of ` +
      "everything as if nothing were known (the first is one); surveys ask every known element for states, children and place.",
    formatTable({
      head: [
        "application",
        "actions",
        "longest difference ms",
        "whole reads",
        "surveys",
        "reads of parts",
        "warm read ms",
        `daemon MB after ${warmingUpMs / 1000} s`,
        "at the end",
        "lines",
      ],
      rows,
    }),
    describeMisses(faults),
  ]);
  return faults;
}

/** A daemon of that desktop, with a client that watches everything. */
class WatchedDaemon {
  warmMb = Number.NaN;
  lastMb = Number.NaN;
  lines = 0;

  async open(env: Record<string, string>): Promise<BackgroundReader> {
    const host = await connectHost(env, { start: true });
    if (!host.ok) throw new Error(host.failure.message);
    const { pid } = await host.value.hello;
    const ending = new AbortController();
    const reading = (async () => {
      for await (const batch of host.value.watch({ input: {} }, ending.signal)) {
        if (!batch.ok) throw new Error(batch.failure.message);
        this.lines += batch.value.length;
      }
    })();
    const warm = setTimeout(() => {
      this.warmMb = readMemoryMb(pid);
    }, warmingUpMs);
    return {
      close: async () => {
        clearTimeout(warm);
        this.lastMb = readMemoryMb(pid);
        ending.abort();
        await reading.catch((error: unknown) => {
          if (!ending.signal.aborted) throw error;
        });
        await host.value.dismiss();
      },
    };
  }
}

function readMemoryMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024);
}
