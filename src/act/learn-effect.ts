import { look, recognise } from "../find/read.ts";
import { MapUnavailable } from "../map/store/port.ts";
import type { Effect, Verdict } from "../model/effect.ts";
import type { Order } from "../model/order.ts";
import { listElements } from "../model/snapshot.ts";
import type { ActingDesktop, ActRequest } from "./desktop.ts";

/** Whether a verdict counts for or against the control; other verdicts count for neither. */
const lessons: Partial<Record<Verdict, "hit" | "miss">> = {
  confirmed: "hit",
  "no-change": "miss",
  "wrong-target": "miss",
};

/** Orders whose lack of effect is no miss. */
const mayDoNothing: ReadonlySet<Order["kind"]> = new Set([
  "scroll",
  "scroll-to",
  "scroll-percent",
  "hover",
  "focus",
] as const);

/** Counts a hit or miss of the control. The effect is reported even if the map cannot be written. */
export async function learnEffect(
  { platform, marks }: Pick<ActingDesktop, "platform" | "marks">,
  { aim, order, timeoutMs, vision }: Pick<ActRequest, "aim" | "order" | "timeoutMs" | "vision">,
  { verdict, isDelivered, target }: Effect,
): Promise<void> {
  // The effect of a key says nothing about the focused control: Esc closes a menu whichever entry is focused.
  if (aim === undefined || order.kind === "keys") return;
  // A list that is at its end, or a middle click that nothing listens to, says nothing about the control either.
  const isHarmless = mayDoNothing.has(order.kind) || (order.kind === "click" && order.button !== "left");
  if (isHarmless && verdict === "no-change") return;
  const mark = target.element?.mark || (aim.by === "mark" ? aim.mark : 0);
  const lesson = isDelivered ? lessons[verdict] : undefined;
  if (mark === 0 || lesson === undefined) return;
  try {
    marks.countAct(mark, lesson === "hit");
    if (lesson === "hit" || target.window === undefined) return;
    // After a miss the map may be wrong about the window: all of it is read again.
    const snapshot = await look(platform, { windowId: target.window.id }, { includeHidden: false, timeoutMs, vision });
    if (!snapshot.ok) return;
    const seen = listElements(snapshot.value.windows);
    const numbers = recognise(marks, snapshot.value, new Set());
    recognise(marks, snapshot.value, new Set(seen.map(({ handle }) => handle).filter((id) => numbers.has(id))));
  } catch (error) {
    if (!(error instanceof MapUnavailable)) throw error;
  }
}
