import { churnPresses, summarise } from "../tests/desktop/act-churn.ts";
import { churn } from "../tests/desktop/churn.ts";

/**
 * `npm run soak [-- MINUTES [PRESSES [SEED]]]`: the churns of tests/desktop, for longer: first reads with an eye on memory,
 * then presses of marks in a window that changes behind their back.
 */
const [minutes = 10, presses = 5000, seed = Date.now() % 100_000] = process.argv.slice(2).map(Number);
if (!(minutes >= 0) || !(presses >= 0) || Number.isNaN(seed)) {
  console.error("usage: npm run soak -- MINUTES PRESSES SEED");
  process.exit(2);
}

const faults = [...(minutes > 0 ? await soakReads() : []), ...(presses > 0 ? await soakPresses() : [])];
for (const fault of faults) console.log(`NOT GOOD: ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;

async function soakReads(): Promise<string[]> {
  console.log(`reading for ${minutes} minutes while applications come, stop and are killed …`);
  const report = await churn(minutes * 60_000, console.log);
  console.log(report);
  const checks: readonly [isSo: boolean, what: string][] = [
    [report.memoryAfterMb > report.memoryBeforeMb * 1.5 + 20, "memory grew"],
    [report.filesAfter > report.filesBefore + 2, "files were left open"],
    [report.failures.length > 0 || report.changedMarks.length > 0, "reads failed or marks changed their meaning"],
  ];
  return checks.filter(([isSo]) => isSo).map(([, what]) => what);
}

async function soakPresses(): Promise<string[]> {
  console.log(`pressing ${presses} marks in a window that changes after each read (seed ${seed}) …`);
  const report = await churnPresses(presses, seed, console.log);
  console.log(summarise(report));
  for (const story of report.exchanged) console.log(`exchanged ${story}`);
  return [
    ...report.wrong.map((story) => `another control was pressed: ${story}`),
    ...report.lost.map((story) => `a press was lost: ${story}`),
  ];
}
