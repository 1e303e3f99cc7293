import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { apps } from "./lab/apps.ts";
import { isQuick } from "./lab/options.ts";
import { publish } from "./lab/results.ts";
import { openStage, type Stage } from "./lab/stage.ts";
import { formatTable, showMs, showRange, spreadOf } from "./lab/table.ts";

const rounds = isQuick ? 2 : 7;
const script = fileURLToPath(new URL("./contestants/phases.ts", import.meta.url));
const launcher = fileURLToPath(new URL("../deskmap", import.meta.url));

interface Phases {
  readonly phases: readonly (readonly [name: string, ms: number])[];
  readonly endedAt: number;
}

/** Runs a program to its end. The clock is the wall clock with fractions, which two processes share. */
async function run(program: string, args: readonly string[], env: Record<string, string>): Promise<[string, number]> {
  const started = performance.now();
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await new Promise((resolve) => child.once("close", resolve));
  return [text, performance.now() - started];
}

async function measurePhases({ env, subject }: Stage): Promise<[name: string, ms: number][]> {
  const startedAt = performance.timeOrigin + performance.now();
  const [text] = await run(process.execPath, [script, String(startedAt), String(subject.id)], env);
  const endedAt = performance.timeOrigin + performance.now();
  const report: Phases = JSON.parse(text);
  return [
    ...report.phases.map(([name, ms]): [string, number] => [name, ms]),
    ["end the process", endedAt - report.endedAt],
  ];
}

const figures = new Map<string, number[]>();
const note = (name: string, ms: number): void => {
  figures.set(name, [...(figures.get(name) ?? []), ms]);
};

for (let round = 1; round <= rounds; round += 1) {
  const stage = await openStage(apps.mousepad);
  try {
    for (const [name, ms] of await measurePhases(stage)) note(name, ms);
    // From here on the application is warm: these show what a start costs that reads nothing.
    note("= deskmap --version", (await run(launcher, ["--version"], stage.env))[1]);
    note("= deskmap list", (await run(launcher, ["list", "--format", "text"], stage.env))[1]);
    note("= bun, empty program", (await run(process.execPath, ["-e", "0"], stage.env))[1]);
    note(
      "= deskmap read, warm",
      (await run(launcher, ["read", "--window-id", String(stage.subject.id)], stage.env))[1],
    );
  } finally {
    await stage.close();
  }
  console.log(`  ${round}/${rounds}`);
}

const rows = [...figures].map(([name, list]) => {
  const spread = spreadOf(list);
  return [name, showMs(spread.median), showRange(spread)];
});
publish("What a start is made of", [
  "One `deskmap read` of an untouched mousepad, taken apart in the order in which it happens (bench/contestants/phases.ts). " +
    "Lines that begin with = are whole processes, for comparison.",
  formatTable({ head: ["phase", "median ms", "min–max"], rows }),
]);
