import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { makeMapFolder } from "./desk.ts";
import { takeInSmall } from "./small-window.ts";

/** Runs as a separate process. */
const writer = fileURLToPath(new URL("./write-in-process.ts", import.meta.url));
const atOnce = 3;
const longestMs = 200;
/** Querying the other program takes longer than writing. */
const checkEvery = 12;

export interface KillReport {
  readonly killed: number;
  /** Snapshots that a process reported as stored before it was killed. */
  readonly stored: number;
  readonly faults: readonly string[];
}

/** Kills processes while they write to one map, and checks with another program that it is intact and what it contains. */
export async function killWriters(
  kills: number,
  seed: number,
  tell = (_line: string): void => {},
): Promise<KillReport> {
  const folder = makeMapFolder();
  const said = new Map<string, readonly number[]>();
  const faults: string[] = [];
  let [killed, random] = [0, seed];
  try {
    while (killed < kills) {
      const count = Math.min(atOnce, kills - killed);
      const stories = await Promise.all(
        Array.from({ length: count }, (_, at) => {
          random = (random * 1_103_515_245 + 12_345) % 2 ** 31;
          return killOne(folder.path, seed + killed + at, (random / 2 ** 31) * longestMs);
        }),
      );
      killed += count;
      for (const [look, marks] of stories.flat()) {
        const before = said.get(look);
        if (before !== undefined && before.join() !== marks.join())
          faults.push(`look ${look} has other marks than before`);
        said.set(look, marks);
      }
      const whole = killed % checkEvery === 0 || killed >= kills ? checkWhole(folder.path) : "ok";
      if (whole !== "ok") faults.push(`after ${killed} kills: ${whole}`);
      tell(`  ${killed} killed, ${said.size} looks stored, ${faults.length} faults`);
    }
    faults.push(...findLost(folder, said), ...findTwice(said));
    return { killed, stored: said.size, faults };
  } finally {
    folder.remove();
  }
}

/** Its output before it was killed: each line is a stored snapshot. */
async function killOne(path: string, seed: number, afterMs: number): Promise<[string, number[]][]> {
  const child = Bun.spawn([process.execPath, writer, path, String(seed)], { stderr: "inherit" });
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    // The first line says that it has started.
    if (text === "") setTimeout(() => child.kill("SIGKILL"), afterMs);
    text += decoder.decode(part.value, { stream: true });
  }
  await child.exited;
  const lines = text.split("\n").slice(1, -1);
  return lines.map((line) => JSON.parse(line));
}

function checkWhole(path: string): string {
  const script = `import sqlite3, sys
map = sqlite3.connect(sys.argv[1], timeout=20)
lost = map.execute("SELECT count(*) FROM evidence WHERE mark NOT IN (SELECT mark FROM targets)").fetchone()[0]
print(map.execute("PRAGMA integrity_check").fetchone()[0] if lost == 0 else f"{lost} hashes lead nowhere")`;
  const { stdout, stderr } = spawnSync("/usr/bin/python3", ["-c", script, path], { encoding: "utf8" });
  return stdout.trim() || stderr.trim();
}

function findLost(folder: ReturnType<typeof makeMapFolder>, said: ReadonlyMap<string, readonly number[]>): string[] {
  const store = folder.open();
  const lost = [...said].filter(([look, marks]) => {
    const [app = 0, window = 0] = look.split(" ").map(Number);
    return takeInSmall(store, app, window).join() !== marks.join();
  });
  store.close();
  return lost.map(([look]) => `look ${look} was stored, and is marked anew`);
}

function findTwice(said: ReadonlyMap<string, readonly number[]>): string[] {
  const owners = new Map<number, string>();
  const faults: string[] = [];
  for (const [look, marks] of said) {
    for (const mark of marks) {
      const other = owners.get(mark);
      if (other !== undefined) faults.push(`mark ${mark} was given out in look ${other} and in look ${look}`);
      owners.set(mark, look);
    }
  }
  return faults;
}
