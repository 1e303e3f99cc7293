import { type ActRequest, act } from "../desktop.ts";
import type { Effect } from "../model/effect.ts";
import { exitCodeOfEffect } from "../model/effect.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { Session } from "../session.ts";
import { effectToCsv, effectToJson, showEffect } from "../show/effect.ts";
import type { Shown } from "./define.ts";

type Ordered = Pick<ActRequest, "tool" | "aim" | "order"> & {
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  readonly windowId?: number | undefined;
  readonly pid?: number | undefined;
  readonly dryRun?: boolean | undefined;
};

/** Carries out an order, and shows what came of it. */
export async function carryOut(session: Session, ordered: Ordered): Promise<Result<Shown>> {
  const desktop = await session.openToAct();
  if (!desktop.ok) return desktop;
  const { tool, aim, order, app, window, windowId, pid, dryRun = false } = ordered;
  const { timeoutMs } = session;
  const request = { tool, aim, order, app, window, windowId, pid, isDryRun: dryRun, timeoutMs };
  const effect = await act(desktop.value, request);
  return effect.ok ? succeed(showDone(effect.value)) : effect;
}

/** An effect in every form; the exit code says whether it was confirmed. */
export function showDone(effect: Effect): Shown {
  return {
    text: () => showEffect(effect),
    json: (isPretty) => effectToJson(effect, isPretty),
    csv: () => effectToCsv(effect),
    exitCode: exitCodeOfEffect(effect),
  };
}
