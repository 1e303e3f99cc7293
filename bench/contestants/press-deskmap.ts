// Deskmap presses a button in process: press-deskmap.ts. See lab/press.ts for the protocol.
import { createInterface } from "node:readline";
import { planClick } from "../../src/act/intents.ts";
import { perform } from "../../src/act/perform.ts";
import { type Result, succeed } from "../../src/model/failure.ts";
import { openSession } from "../../src/session.ts";
import type { PressOrder, PressReport } from "../lab/press.ts";

const timeoutMs = 30_000;
const session = openSession(process.env, timeoutMs);
const desktop = unwrap(await session.openToAct());

for await (const line of createInterface({ input: process.stdin })) {
  const { mark }: PressOrder = JSON.parse(line);
  const request = { tool: "click", aim: { by: "mark", mark }, isDryRun: false, timeoutMs } as const;
  const started = performance.now();
  const { verdict, way } = unwrap(
    await perform(desktop, request, (element) => succeed(planClick(element, { button: "left", count: 1 }))),
  );
  const report: PressReport = { ms: performance.now() - started, verdict: `${verdict} by ${way}` };
  console.log(JSON.stringify(report));
}
session.close();

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
