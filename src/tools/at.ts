import * as z from "zod/mini";
import { findAt } from "../desktop.ts";
import { succeed } from "../model/failure.ts";
import { locatedToCsv, locatedToJson, showLocated } from "../show/located.ts";
import { defineTool } from "./define.ts";
import { requiredNumber } from "./fields.ts";

/** The X protocol knows no farther places. */
const farthest = 32_767;

export const at = defineTool({
  name: "at",
  summary: "Tell which element is at a point of the screen.",
  description:
    "The point is in physical pixels of the screen; left of or above the first monitor they are negative. The answer is " +
    "the deepest element of the window in front that says something of its own (a button, not the text on it), with " +
    "everything it is inside of, what can be done with it, and the point to press.",
  examples: ["deskmap at 640 400", "deskmap at 100 20 --format json"],
  words: ["x", "y"],
  input: z.object({
    x: requiredNumber(-farthest, farthest, "pixels from the left"),
    y: requiredNumber(-farthest, farthest, "pixels from the top"),
  }),
  async run({ x, y }, session) {
    const desktop = await session.openDesktop();
    if (!desktop.ok) return desktop;
    const found = await findAt(desktop.value, { x, y }, session);
    if (!found.ok) return found;
    return succeed({
      text: () => showLocated(found.value),
      json: (isPretty) => locatedToJson(found.value, { x, y }, isPretty),
      csv: () => locatedToCsv(found.value),
    });
  },
});
