import { type ActRequest, act } from "../desktop.ts";
import type { WindowWish } from "../find/select.ts";
import type { Effect } from "../model/effect.ts";
import type { Result } from "../model/failure.ts";
import type { Session } from "../session.ts";
import { windowWishOf } from "./selection.ts";

type Ordered = Pick<ActRequest, "tool" | "aim" | "order"> &
  WindowWish & {
    readonly dryRun?: boolean | undefined;
  };

/** Carries out an order, and tells what it did. */
export async function carryOut(session: Session, ordered: Ordered): Promise<Result<Effect>> {
  const desktop = await session.openToAct();
  if (!desktop.ok) return desktop;
  const { tool, aim, order, dryRun = false } = ordered;
  const { timeoutMs } = session;
  const request = { tool, aim, order, ...windowWishOf(ordered), isDryRun: dryRun, timeoutMs };
  return act(desktop.value, request);
}
