import { know, look } from "../find/read.ts";
import { MapUnavailable } from "../map/store/port.ts";
import type { Effect, Verdict } from "../model/effect.ts";
import { flatten } from "../model/element.ts";
import type { ActingDesktop, ActRequest } from "./desktop.ts";

/** What a verdict says about the control: that it does what is wanted of it, or that it does not. Others say neither. */
const lessons: Partial<Record<Verdict, "hit" | "miss">> = {
  confirmed: "hit",
  "no-change": "miss",
  "wrong-target": "miss",
};

/** Learns from what an action was seen to do. What was done is told even where that cannot be written down. */
export async function learnEffect(
  { platform, marks }: Pick<ActingDesktop, "platform" | "marks">,
  { aim, order, timeoutMs, vision }: Pick<ActRequest, "aim" | "order" | "timeoutMs" | "vision">,
  { verdict, isDelivered, target }: Effect,
): Promise<void> {
  // What a key does says nothing about what happened to have the focus: Esc closes the menu of any entry.
  if (aim === undefined || order.kind === "keys") return;
  const mark = target.element?.mark || (aim.by === "mark" ? aim.mark : 0);
  const lesson = isDelivered ? lessons[verdict] : undefined;
  if (mark === 0 || lesson === undefined) return;
  try {
    marks.countAct(mark, lesson === "hit");
    if (lesson === "hit" || target.window === undefined) return;
    // Where a control does not do what it should, the map may be wrong about its window: everything there is looked at again.
    const sight = await look(platform, { windowId: target.window.id }, { includeHidden: false, timeoutMs, vision });
    if (!sight.ok) return;
    const seen = sight.value.snapshot.windows.flatMap(({ root }) => (root === undefined ? [] : flatten([root])));
    const numbers = know(marks, sight.value, new Set());
    know(marks, sight.value, new Set(seen.map(({ handle }) => handle).filter((id) => numbers.has(id))));
  } catch (error) {
    if (!(error instanceof MapUnavailable)) throw error;
  }
}
