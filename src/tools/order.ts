import { type ActRequest, act } from "../desktop/index.ts";
import type { WindowQuery } from "../find/select.ts";
import type { Effect } from "../model/effect.ts";
import type { Result } from "../model/failure.ts";
import { windowQueryOf } from "./selection.ts";
import type { Session } from "./session.ts";

type Ordered = Pick<ActRequest, "tool" | "aim" | "order" | "vision"> &
  WindowQuery & {
    readonly dryRun?: boolean | undefined;
  };

/** Carries out an order, and tells what it did. */
export async function carryOut(session: Session, ordered: Ordered): Promise<Result<Effect>> {
  const desktop = await session.openToAct();
  if (!desktop.ok) return desktop;
  const { tool, aim, order, vision, dryRun = false } = ordered;
  const { timeoutMs } = session;
  const request = { tool, aim, order, ...windowQueryOf(ordered), isDryRun: dryRun, timeoutMs, vision };
  return act(desktop.value, request);
}
