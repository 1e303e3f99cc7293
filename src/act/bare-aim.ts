import { findBarePlace } from "../bare-places.ts";
import { fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import type { Aim, Order } from "../model/order.ts";
import type { ActRequest, GatedDesktop } from "./desktop.ts";

/** What can be done to a place that no tree tells of. */
const possible: ReadonlySet<Order["kind"]> = new Set<Order["kind"]>(["click", "hover", "scroll", "drag"]);

/** The point that is meant where the mark is that of a bare place; any other aim stays as it is. */
export async function aimAtBare(desktop: GatedDesktop, request: ActRequest): Promise<Result<Aim | undefined>> {
  const { aim, order } = request;
  if (aim?.by !== "mark") return succeed(aim);
  const place = await findBarePlace(desktop, aim.mark);
  if (!place.ok) return place;
  if (place.value === undefined) return succeed(aim);
  if (possible.has(order.kind)) return succeed({ by: "point", point: place.value.point });
  return fail({
    code: "PATTERN_UNSUPPORTED",
    message: `${aim.mark} is a place on the screen: its application tells nothing of it`,
    suggestion: `deskmap click --id ${aim.mark}, then deskmap type TEXT goes to what has the keyboard.`,
    done: nothingDone,
  });
}
