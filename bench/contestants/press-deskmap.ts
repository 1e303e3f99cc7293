// Deskmap presses a button in process: press-deskmap.ts. See lab/press.ts for the protocol.
import { createInterface } from "node:readline";
import { act } from "../../src/desktop.ts";
import type { Result } from "../../src/model/failure.ts";
import { openSession } from "../../src/session.ts";
import type { PressOrder, PressReport } from "../lab/press.ts";

const timeoutMs = 30_000;
const session = openSession(process.env, timeoutMs);
const desktop = unwrap(await session.openToAct());

for await (const line of createInterface({ input: process.stdin })) {
  const { mark }: PressOrder = JSON.parse(line);
  const order = { kind: "click", button: "left", count: 1 } as const;
  const request = { tool: "click", aim: { by: "mark", mark }, order, isDryRun: false, timeoutMs } as const;
  const started = performance.now();
  const { verdict, way } = unwrap(await act(desktop, request));
  const report: PressReport = { ms: performance.now() - started, verdict: `${verdict} by ${way}` };
  console.log(JSON.stringify(report));
}
session.close();

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
