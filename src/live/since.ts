import { describeSelection, type ReadQuery } from "../desktop/index.ts";
import type { ChangeLine, StartReason } from "../model/change-line.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { View } from "../model/view.ts";
import { compareViews } from "./compare.ts";
import type { WatchSession } from "./watch.ts";

export interface Since {
  /** Why everything is listed; undefined if only changes are. */
  readonly reason: StartReason | undefined;
  readonly lines: readonly ChangeLine[];
  readonly view: View;
  /** Undefined in a process that keeps no views. */
  readonly token: string | undefined;
}

/** The difference between a view and the one a token stands for. */
export function readSince(
  { memory, clientName }: Pick<WatchSession, "memory" | "clientName">,
  query: ReadQuery & { readonly withPlaces: boolean },
  result: Result<View>,
  since: string | undefined,
): Result<Since> {
  const key = describeSelection(query);
  const recalled = since === undefined ? { reason: "first" as const } : memory?.recall(clientName, key, since);
  const before = recalled !== undefined && "view" in recalled ? recalled.view : undefined;
  // A client that knew the application is told that it is gone; otherwise the read fails.
  const isGone = !result.ok && result.failure.code === "NOT_FOUND" && before !== undefined && before.windows.length > 0;
  if (!result.ok && !isGone) return result;
  const view = result.ok ? result.value : { takenAtMs: Date.now(), windows: [] };
  if (before === undefined) {
    const reason = recalled !== undefined && "reason" in recalled ? recalled.reason : "restarted";
    return succeed({ reason, lines: [], view, token: memory?.keep(clientName, key, view) });
  }
  const { lines, known } = compareViews(before, view, query);
  return succeed({ reason: undefined, lines, view, token: memory?.keep(clientName, key, known) });
}
