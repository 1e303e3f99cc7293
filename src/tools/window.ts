import * as z from "zod/mini";
import { arrange } from "../act/arrange.ts";
import type { WindowOperation } from "../model/command.ts";
import { farthest } from "../model/coordinates.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { actingOutput, dryRun } from "./acting.ts";
import { defineTool } from "./define.ts";
import { requiredOneOf, wholeNumber } from "./fields.ts";
import { openWindow, windowSelection } from "./selection.ts";

const plain = ["front", "back", "minimize", "restore", "maximize", "fullscreen", "close"] as const;
const operations = [...plain, "move", "resize"] as const;

const input = z.object({
  operation: requiredOneOf(operations, operations.join(", ")),
  ...windowSelection,
  x: wholeNumber(-farthest, "move: the window's left edge", farthest),
  y: wholeNumber(-farthest, "move: its upper edge", farthest),
  width: wholeNumber(1, "resize: how wide it is to be", farthest),
  height: wholeNumber(1, "resize: how high", farthest),
  dryRun,
});
type Input = z.infer<typeof input>;

export const window = defineTool({
  name: "window",
  summary: "Arrange a window: front, back, minimize, restore, maximize, fullscreen, close, move, resize.",
  description:
    "Places and sizes are those that list shows: the frame included, the shadow not, in physical pixels. The effect is " +
    "read back from the window list; operations that the window does not allow are refused before anything is tried. restore undoes " +
    "minimised, else fullscreen, else maximised. close asks the window; its application may ask a question, which is partial.",
  examples: [
    "deskmap window maximize --app mousepad",
    "deskmap window move --window-id 20971523 --x 0 --y 0",
    'deskmap window resize --window "Untitled 1" --width 800 --height 600',
    "deskmap window close --app mousepad --dry-run",
  ],
  words: ["operation"],
  daily: {
    says: "Arrange, close or bring a window to the front.",
    fields: { operation: "", app: "", window: "", windowId: "", x: "", y: "", width: "", height: "" },
  },
  input,
  ...actingOutput,
  async run(given, session) {
    const operation = readOperation(given);
    if (!operation.ok) return operation;
    const opened = await openWindow(session, given);
    if (!opened.ok) return opened;
    const options = { timeoutMs: session.timeoutMs, isDryRun: given.dryRun ?? false };
    return arrange(opened.value.desktop, opened.value.window, operation.value, options);
  },
});

/** The fields that an operation needs, and no other takes. */
const measures = { move: ["x", "y"], resize: ["width", "height"] } as const;

function readOperation(given: Input): Result<WindowOperation> {
  const { operation: name, x, y, width, height } = given;
  for (const [owner, fields] of Object.entries(measures)) {
    const stray = fields.find((field) => owner !== name && given[field] !== undefined);
    if (stray !== undefined)
      return fail(describeUsage(`--${stray} means nothing to ${name}`, `deskmap window ${owner} --${stray} N`));
  }
  if (name === "move") {
    if (x !== undefined && y !== undefined) return succeed({ name, x, y });
    return fail(describeUsage("move needs --x and --y", "deskmap window move --x 0 --y 0"));
  }
  if (name === "resize") {
    if (width !== undefined && height !== undefined) return succeed({ name, width, height });
    return fail(describeUsage("resize needs --width and --height", "deskmap window resize --width 800 --height 600"));
  }
  return succeed({ name });
}
