import type { Demo, Step } from "../file.ts";
import { dropUndefined } from "../fit.ts";
import { fillInput } from "../parameters.ts";
import { recordedValues } from "./files.ts";

/** A list of ActionWithElement: type, coordinates, the element's ref, text or key. */
export function exportActions(demo: Demo): readonly object[] {
  const values = recordedValues(demo);
  return demo.steps.map((step) => {
    const { text, key, ...rest } = fillInput(step.input, values);
    const [x, y] = step.point ?? middleOf(step);
    return dropUndefined({
      type: typeOf(step),
      x,
      y,
      element: step.ref,
      text: typeof text === "string" ? text : undefined,
      key: typeof key === "string" ? key : undefined,
      ...(Object.keys(rest).length === 0 ? {} : { input: rest }),
      timestamp: step.after_ms === undefined ? undefined : step.after_ms / 1000,
    });
  });
}

export function middleOf({ ref }: Step): readonly [number | undefined, number | undefined] {
  if (ref?.bbox === undefined) return [undefined, undefined];
  const [left, top, right, bottom] = ref.bbox;
  return [Math.round((left + right) / 2), Math.round((top + bottom) / 2)];
}

export function typeOf({ tool, input }: Step): string {
  if (tool === "click" && input.double === true) return "double_click";
  if (tool === "click" && input.button === "right") return "right_click";
  if (tool === "type" && input.key !== undefined) return "key";
  return tool === "set-value" ? "type" : tool;
}
