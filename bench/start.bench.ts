import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILE } from "../scripts/jobs/build.mjs";
import { apps } from "./lab/apps.ts";
import { isQuick } from "./lab/options.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { formatTable, showMs, showRange, showRatio, spreadOf } from "./lab/table.ts";
import { openTestbed, type Testbed } from "./lab/testbed.ts";

const rounds = isQuick ? 2 : 7;
const phasesSource = fileURLToPath(new URL("./contestants/phases.ts", import.meta.url));
const mainSource = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const launcher = fileURLToPath(new URL("../deskmap", import.meta.url));
const cache = fileURLToPath(new URL("../node_modules/.cache/deskmap", import.meta.url));
/** The executable that the launcher has built; the launcher's stamp file has its name. */
const launched = join(cache, readFileSync(join(cache, "stamp"), "utf8").split("\n")[1] ?? "");
const folder = mkdtempSync(join(tmpdir(), "deskmap-bench-"));

/** Phases can be separated only if all of the code is in one file. */
function bundle(source: string, name: string): string {
  const args = ["--target=bun", "--format=cjs", "--bytecode", "--minify", `--outdir=${join(folder, name)}`];
  const { status, stderr } = spawnSync(process.execPath, ["build", source, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${name} could not be bundled: ${stderr}`);
  return join(folder, name, `${name}.js`);
}

/** Compiles one executable with the options of `npm run build`. */
function compile(source: string, name: string): string {
  const path = join(folder, name);
  const { status, stderr } = spawnSync(process.execPath, ["build", source, ...COMPILE, "--outfile", path], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${name} could not be compiled: ${stderr}`);
  return path;
}

const emptyName = "= an empty program, compiled";
const listName = "= dist/deskmap list";
/** The longest time that the list may take, in times of an empty program. */
const listBar = 4;

/** Runs a program to its end; returns its output and its time. */
async function run(program: string, args: readonly string[], env: Record<string, string>): Promise<[string, number]> {
  const started = performance.now();
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await new Promise((resolve) => child.once("exit", resolve));
  return [text, performance.now() - started];
}

async function measurePhases(script: string, { env, subject }: Testbed): Promise<[name: string, ms: number][]> {
  const [text, ms] = await run(process.execPath, [script, String(subject.id)], env);
  const report: { phases: [string, number][]; endedAt: number } = JSON.parse(text);
  return [...report.phases, ["make and end the process", ms - report.endedAt]];
}

const figures = new Map<string, number[]>();
const note = (name: string, ms: number): void => {
  figures.set(name, [...(figures.get(name) ?? []), ms]);
};

try {
  const phases = bundle(phasesSource, "phases");
  const emptySource = join(folder, "empty.ts");
  writeFileSync(emptySource, "");
  const empty = compile(emptySource, "empty");
  const dist = compile(mainSource, "deskmap");
  for (let round = 1; round <= rounds; round += 1) {
    const testbed = await openTestbed(apps.mousepad);
    try {
      // Compiles the source, if the source has changed since.
      await run(launcher, ["--version"], testbed.env);
      for (const [name, ms] of await measurePhases(phases, testbed)) note(name, ms);
      // From here on the application is warm.
      const readArgs = ["read", "--window-id", String(testbed.subject.id), "--format", "text"];
      note("= an empty program", (await run(process.execPath, ["-e", "0"], testbed.env))[1]);
      note("= deskmap --version", (await run(launcher, ["--version"], testbed.env))[1]);
      note("= the same, without the launcher's script", (await run(launched, ["--version"], testbed.env))[1]);
      note("= the same, from source", (await run(process.execPath, [mainSource, "--version"], testbed.env))[1]);
      note("= deskmap list", (await run(launcher, ["list", "--format", "text"], testbed.env))[1]);
      for (let again = 0; again < 5; again += 1) {
        note(emptyName, (await run(empty, [], testbed.env))[1]);
        note(listName, (await run(dist, ["list", "--format", "text"], testbed.env))[1]);
      }
      note("= dist/deskmap read, second time", (await run(dist, readArgs, testbed.env))[1]);
      note("= deskmap read, second time", (await run(launcher, readArgs, testbed.env))[1]);
    } finally {
      await testbed.close();
    }
    console.log(`  ${round}/${rounds}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const rows = [...figures].map(([name, list]) => {
  const spread = spreadOf(list);
  return [name, showMs(spread.median), showRange(spread)];
});
const emptyMs = spreadOf(figures.get(emptyName) ?? []).median;
const listMs = spreadOf(figures.get(listName) ?? []).median;
const misses =
  listMs / emptyMs <= listBar
    ? []
    : [
        `dist/deskmap list takes ${showRatio(listMs / emptyMs)} of an empty program's time, where ${listBar}× is allowed`,
      ];
publish("What a start is made of", [
  "One `deskmap read` of an untouched mousepad, taken apart in the order in which it happens (bench/contestants/phases.ts, " +
    "bundled and precompiled). Lines that begin with = are whole processes, for comparison.",
  formatTable({ head: ["phase", "median ms", "min–max"], rows }),
  `\`dist/deskmap list\` takes ${showMs(listMs)} ms, ${showRatio(listMs / emptyMs)} an empty compiled program (bar: at most ${listBar}×; goal: under 50 ms). ${describeMisses(misses)}`,
]);
