import { readdirSync, readFileSync } from "node:fs";
import { read } from "../../src/desktop/index.ts";
import { openSession } from "../../src/host/session.ts";
import { flatten } from "../../src/model/element.ts";
import type { WindowView } from "../../src/model/view.ts";
import { openScene, waitFor } from "./scene.ts";

/** What a long-running reader must never do: grow, leak, mix up marks, or fail. */
export interface ChurnReport {
  readonly reads: number;
  readonly restarts: number;
  readonly failures: readonly string[];
  /** Marks of the unchanging window that later had another role or name. */
  readonly changedMarks: readonly string[];
  readonly filesBefore: number;
  readonly filesAfter: number;
  readonly memoryBeforeMb: number;
  readonly memoryAfterMb: number;
}

const warmUpReads = 60;

/** Reads without pause while applications start, stop, continue and are killed around one that stays. */
export async function churn(durationMs: number, say: (line: string) => void = () => undefined): Promise<ChurnReport> {
  const scene = await openScene();
  const session = openSession(scene.sandbox.env, 1500);
  const failures: string[] = [];
  const changedMarks: string[] = [];
  const meanings = new Map<number, string>();
  let reads = 0;
  let restarts = 0;
  let isOver = false;
  let before = { files: 0, memoryMb: 0 };
  try {
    const desktop = await session.openDesktop();
    if (!desktop.ok) throw new Error(desktop.failure.message);
    await scene.start(
      ["zenity", "--forms", "--title=Stays", "--text=Stays", "--add-entry=Name", "--add-entry=Town"],
      "Stays",
    );
    const disturbing = disturb();
    const deadline = performance.now() + durationMs;
    // On a busy machine it takes longer to collect enough samples.
    while (performance.now() < deadline || (reads <= warmUpReads && performance.now() < deadline + 60_000)) {
      const view = await read(desktop.value, { includeHidden: reads % 3 === 0, timeoutMs: 400 });
      reads += 1;
      if (!view.ok) failures.push(`${view.failure.code} ${view.failure.message}`);
      else for (const window of view.value.windows) if (window.window.title === "Stays") note(window);
      if (reads === warmUpReads) before = measure();
      if (reads % 500 === 0) say(`${reads} reads, ${restarts} restarts, ${measure().memoryMb.toFixed(0)} MB`);
    }
    isOver = true;
    await disturbing;
    const after = measure();
    return {
      reads,
      restarts,
      failures,
      changedMarks,
      filesBefore: before.files,
      filesAfter: after.files,
      memoryBeforeMb: before.memoryMb,
      memoryAfterMb: after.memoryMb,
    };
  } finally {
    isOver = true;
    session.close();
    await scene.close();
  }

  function note(window: WindowView): void {
    // A read that ran out of time says so; its fields may lack their labels.
    if (window.notes.some(({ code }) => code === "TIMEOUT")) return;
    for (const { mark, role, name } of flatten(window.elements)) {
      const meaning = `${role} ${name}`;
      const known = meanings.get(mark);
      if (known !== undefined && known !== meaning) changedMarks.push(`${mark}: ${known} → ${meaning}`);
      meanings.set(mark, meaning);
    }
  }

  async function disturb(): Promise<void> {
    const isGone = (): boolean => scene.run("xdotool", "search", "--name", "Mousepad").status !== 0;
    while (!isOver) {
      const child = await scene.start(["mousepad", "--disable-server"], "Mousepad");
      if (restarts % 2 === 1) {
        child.kill("SIGSTOP");
        const stoppedAt = reads;
        await waitFor("a read of the stopped application", () => isOver || reads > stoppedAt);
        child.kill("SIGCONT");
      }
      child.kill(restarts % 3 === 0 ? "SIGKILL" : "SIGTERM");
      await waitFor("the window to go", isGone);
      restarts += 1;
    }
  }
}

function measure(): { files: number; memoryMb: number } {
  Bun.gc(true);
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
  return { files: readdirSync("/proc/self/fd").length, memoryMb: Number(resident) / 1024 };
}
