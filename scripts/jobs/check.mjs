import { CHECKS } from "../checks/list.mjs";
import { prepare } from "../install/prepare.mjs";

export async function run(names) {
  const unknown = names.find((name) => !CHECKS.some((check) => check.name === name));
  if (unknown !== undefined) {
    console.error(
      `There is no check named "${unknown}". The checks are: ${CHECKS.map((check) => check.name).join(", ")}.`,
    );
    return 2;
  }
  if (!(await prepare("none"))) return 1;
  const { failed } = await runChecks(names);
  return failed === 0 ? 0 : 1;
}

// Every check runs, even after one has failed, so that all problems are seen at once.
export async function runChecks(names = []) {
  const chosen = CHECKS.filter((check) => names.length === 0 || names.includes(check.name));
  let failed = 0;
  for (const check of chosen) if (!(await runCheck(check))) failed += 1;
  console.log(failed === 0 ? "All checks passed." : `${failed} of ${chosen.length} checks failed.`);
  return { passed: chosen.length - failed, failed };
}

async function runCheck(check) {
  const started = Date.now();
  const { passed, report, note } = await check.run();
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const title = `${check.name.padEnd(10)} ${check.says}${note === undefined ? "" : ` (${note})`}`;
  console.log(`${passed ? "ok    " : "FAILED"} ${title}, ${seconds} s`);
  if (!passed) console.log(report === "" ? "  (no output)" : report.replace(/^/gm, "  "));
  return passed;
}
