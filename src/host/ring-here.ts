import type { Env } from "../model/env.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { describeRing, listenHere, type Place } from "./listen-here.ts";
import type { RingRequest, RingState } from "./port.ts";
import { Ring } from "./ring.ts";
import type { Runtime } from "./runtime.ts";

export const mostMinutes = 60;

const rings = new WeakMap<Runtime["overlay"], Ring>();

/** The ring of a process; undefined if it was never switched on. */
export function findRing({ overlay }: Runtime): Ring | undefined {
  return rings.get(overlay);
}

/** Switches the ring on or off, or tells what it holds. Only a person switches it on; anybody may switch it off. */
export async function ringHere(env: Env, place: Place, request: RingRequest): Promise<Result<RingState>> {
  const { overlay } = place.runtime;
  const ring = rings.get(overlay) ?? new Ring();
  rings.set(overlay, ring);
  if (request.action === "off") await ring.end();
  if (request.action !== "on") return succeed(ring.state);
  const { minutes = 10, isTyped } = request;
  if (!(minutes >= 1 && minutes <= mostMinutes)) {
    return fail(describeUsage(`${minutes} minutes cannot be held`, `1 to ${mostMinutes}: --minutes 10`));
  }
  return ring.begin(minutes, (signal) => listenHere(env, place, { isTyped }, signal, describeRing(minutes)));
}
