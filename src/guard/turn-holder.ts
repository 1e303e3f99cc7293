import { type Failure, nothingDone } from "../model/failure.ts";
import { processes } from "../os/index.ts";
import type { Places } from "./places.ts";
import { findHolder } from "./turn.ts";

/**
 * A process that does a part of an action works for the one that has the turn, which has passed the gate: it must be its
 * parent, at this moment. The kernel says who that is.
 */
export function refuseUnlessTurnHolder(places: Places, parentPid: number): Failure | undefined {
  const holder = findTurnHolder(places);
  if (holder !== undefined && holder.pid === parentPid && processes.isAlive(holder)) return undefined;
  return {
    code: "REFUSED",
    message: "this is a part of deskmap clipboard, and only that may start it",
    suggestion: "deskmap clipboard write TEXT",
    done: nothingDone,
  };
}

function findTurnHolder(places: Places) {
  try {
    const holder = findHolder(places);
    return holder === "free" ? undefined : holder;
  } catch {
    // Without a state directory nobody has a turn.
    return undefined;
  }
}
