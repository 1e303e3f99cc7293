import { type BarePlace, findBarePlace, toActor } from "../find/bare-places.ts";
import type { Command } from "../model/command.ts";
import { fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import type { Order } from "../model/order.ts";
import type { ActRequest, GatedDesktop } from "./desktop.ts";

/** What can be done to a place that no tree tells of. */
const possible: ReadonlySet<Order["kind"]> = new Set<Order["kind"]>(["click", "hover", "scroll"]);

/** The bare place that a mark means; undefined where it means anything else. */
export async function findBareAim(
  desktop: GatedDesktop,
  { aim, order }: ActRequest,
): Promise<Result<BarePlace | undefined>> {
  if (aim?.by !== "mark") return succeed(undefined);
  const place = await findBarePlace(desktop, aim.mark);
  if (!place.ok || place.value === undefined || possible.has(order.kind)) return place;
  return fail({
    code: "PATTERN_UNSUPPORTED",
    message: `${aim.mark} is a place on the screen: its application tells nothing of it`,
    suggestion: `deskmap click --id ${aim.mark}, then deskmap type TEXT goes to what has the keyboard.`,
    done: nothingDone,
  });
}

/**
 * Asks the guard about what is to be done to a place before it is done. A person may have taken a minute to answer: then the
 * place is looked at once more.
 */
export async function clearBare(
  desktop: GatedDesktop,
  tool: string,
  place: BarePlace,
  command: Command,
): Promise<Result<void>> {
  const request = { tool, window: place.window, mark: place.mark, within: () => [toActor(place)] };
  await desktop.gate.showBefore?.(request, command);
  const judged = await desktop.gate.foresee(command, request);
  if (!judged.ok) return judged;
  const again = await findBarePlace(desktop, place.mark);
  if (!again.ok) return again;
  const { x, y } = place.point;
  if (again.value?.point.x === x && again.value.point.y === y) return succeed(undefined);
  return fail({
    code: "NOT_FOUND",
    message: `${place.mark} is not where it was a moment ago`,
    suggestion: "try again: it is looked up anew.",
    done: nothingDone,
  });
}
