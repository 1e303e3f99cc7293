import { type ActRequest, act } from "../desktop.ts";
import type { WindowWish } from "../find/select.ts";
import type { Result } from "../model/failure.ts";
import type { Session } from "../session.ts";
import { showOutcome } from "./acting.ts";
import type { Shown } from "./define.ts";
import { windowWishOf } from "./selection.ts";

type Ordered = Pick<ActRequest, "tool" | "aim" | "order"> &
  WindowWish & {
    readonly dryRun?: boolean | undefined;
  };

/** Carries out an order, and shows what came of it. */
export async function carryOut(session: Session, ordered: Ordered): Promise<Result<Shown>> {
  const desktop = await session.openToAct();
  if (!desktop.ok) return desktop;
  const { tool, aim, order, dryRun = false } = ordered;
  const { timeoutMs } = session;
  const request = { tool, aim, order, ...windowWishOf(ordered), isDryRun: dryRun, timeoutMs };
  return showOutcome(await act(desktop.value, request));
}
