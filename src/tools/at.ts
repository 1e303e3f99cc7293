import * as z from "zod/mini";
import { findAt } from "../desktop/index.ts";
import { farthest } from "../model/coordinates.ts";
import { succeed } from "../model/failure.ts";
import { locatedForms, locatedOutput } from "../show/located.ts";
import { defineTool } from "./define.ts";
import { requiredNumber } from "./fields.ts";
import { visionOption } from "./selection.ts";

export const at = defineTool({
  name: "at",
  summary: "Show which element is at a point of the screen.",
  description:
    "The point is in physical pixels of the screen; left of or above the first monitor they are negative. The answer is " +
    "the deepest meaningful element of the front window (a button, not the text on it), with its containers, its " +
    "actions, and the point to press.",
  examples: ["deskmap at 640 400", "deskmap at 100 20 --format json"],
  words: ["x", "y"],
  input: z.object({
    x: requiredNumber(-farthest, farthest, "pixels from the left"),
    y: requiredNumber(-farthest, farthest, "pixels from the top"),
    ...visionOption,
  }),
  isReport: true,
  output: locatedOutput,
  forms: locatedForms,
  async run({ x, y, vision }, session) {
    const desktop = await session.openDesktop();
    if (!desktop.ok) return desktop;
    const found = await findAt(desktop.value, { x, y }, { timeoutMs: session.timeoutMs, vision });
    return found.ok ? succeed({ ...found.value, point: { x, y } }) : found;
  },
});
