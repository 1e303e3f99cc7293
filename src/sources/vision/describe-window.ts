import { centreOf } from "../../model/bounds.ts";
import type { Detection } from "../../model/detection.ts";
import { blankElement, type Element } from "../../model/element.ts";
import { hashText } from "../../model/hash.ts";
import type { Window } from "../../model/window.ts";

/** A window of which only a picture tells. */
export function describePictured(detections: readonly Detection[], window: Window): Element {
  const children = describeDetections(detections, window);
  const { bounds, title } = window;
  return {
    ...blankElement,
    source: "ocr",
    role: "window",
    name: title,
    ownName: title,
    bounds,
    clickPoint: undefined,
    ...identify(window, ""),
    children,
  };
}

/**
 * What a picture shows is the same thing as long as its window lives and shows the same words: its place may change. Of
 * several that look alike the order tells which is which.
 */
function describeDetections(detections: readonly Detection[], window: Window): readonly Element[] {
  const inOrder = detections.toSorted((a, b) => a.bounds.y - b.bounds.y || a.bounds.x - b.bounds.x);
  const groups = Map.groupBy(inOrder, ({ role, label }) => `${role} ${label}`);
  return inOrder.map((detection) => {
    const { role, label, source, bounds, confidence } = detection;
    const key = `${role} ${label}`;
    const group = groups.get(key) ?? [];
    const alikeIndex = group.indexOf(detection);
    return {
      ...blankElement,
      source,
      role,
      name: label,
      ownName: label,
      bounds,
      clickPoint: centreOf(bounds),
      certainty: Math.max(0, Math.min(1, confidence)),
      ...identify(window, `/${hashText(key)}:${alikeIndex}`),
      alikeIndex,
      alikeCount: group.length,
      children: [],
    };
  });
}

export function lifeOf({ pid, id }: Pick<Window, "pid" | "id">): string {
  return `vision:${pid}:${id}`;
}

function identify(window: Window, part: string): Pick<Element, "life" | "handle"> {
  const life = lifeOf(window);
  return { life, handle: `${life}${part}` };
}
