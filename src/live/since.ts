import type { ReadWish } from "../desktop.ts";
import type { ChangeLine, StartReason } from "../model/change-line.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { View } from "../model/view.ts";
import { compareViews } from "./compare.ts";
import type { ViewMemory } from "./view-memory.ts";
import { describeWish } from "./wish.ts";

export interface Since {
  /** Why everything is told; undefined where only what changed is. */
  readonly reason: StartReason | undefined;
  readonly lines: readonly ChangeLine[];
  readonly view: View;
  /** Undefined in a process that remembers nothing. */
  readonly token: string | undefined;
}

interface Rememberer {
  readonly memory: ViewMemory | undefined;
  readonly clientName: string;
}

/** What a view has that the one that a token stands for has not. */
export function readSince(
  { memory, clientName }: Rememberer,
  wish: ReadWish & { readonly withPlaces: boolean },
  result: Result<View>,
  since: string | undefined,
): Result<Since> {
  const key = describeWish(wish);
  const recalled = since === undefined ? { reason: "first" as const } : memory?.recall(clientName, key, since);
  const before = recalled !== undefined && "view" in recalled ? recalled.view : undefined;
  // Whoever knew an application is told that it is gone; whoever did not is told that there is none.
  const isGone = !result.ok && result.failure.code === "NOT_FOUND" && before !== undefined && before.windows.length > 0;
  if (!result.ok && !isGone) return result;
  const view = result.ok ? result.value : { takenAtMs: Date.now(), windows: [] };
  if (before === undefined) {
    const reason = recalled !== undefined && "reason" in recalled ? recalled.reason : "restarted";
    return succeed({ reason, lines: [], view, token: memory?.keep(clientName, key, view) });
  }
  const { lines, known } = compareViews(before, view, wish);
  return succeed({ reason: undefined, lines, view, token: memory?.keep(clientName, key, known) });
}
