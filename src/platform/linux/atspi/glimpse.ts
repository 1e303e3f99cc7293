import type { Point } from "../../../model/bounds.ts";
import type { Actor } from "../../../model/deed.ts";
import type { Glimpse } from "../../port.ts";
import type { Bus } from "../dbus/bus.ts";

export async function glimpseElement(_bus: Bus, _element: Actor, _timeoutMs: number): Promise<Glimpse | undefined> {
  return undefined;
}

export async function askWhatIsAt(
  _bus: Bus,
  _element: Actor,
  _point: Point,
  _timeoutMs: number,
): Promise<string | undefined> {
  return undefined;
}
