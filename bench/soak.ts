import { churn } from "../tests/desktop/churn.ts";

/** `npm run soak [-- MINUTES]`: the churn of tests/desktop/churn.test.ts, for longer, with an eye on memory. */
const minutes = Number(process.argv[2] ?? "10");
if (!(minutes > 0)) {
  console.error("usage: npm run soak -- MINUTES");
  process.exit(2);
}
console.log(`reading for ${minutes} minutes while applications come, stop and are killed …`);
const report = await churn(minutes * 60_000, console.log);
console.log(report);
const isGrowing = report.memoryAfterMb > report.memoryBeforeMb * 1.5 + 20;
const isLeaking = report.filesAfter > report.filesBefore + 2;
const isWrong = report.failures.length > 0 || report.changedMarks.length > 0;
for (const [isSo, what] of [
  [isGrowing, "memory grew"],
  [isLeaking, "files were left open"],
  [isWrong, "reads failed or marks changed their meaning"],
] as const) {
  if (isSo) console.log(`NOT GOOD: ${what}`);
}
process.exitCode = isGrowing || isLeaking || isWrong ? 1 : 0;
