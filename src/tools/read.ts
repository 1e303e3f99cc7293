import * as z from "zod/mini";
import { read as readDesktop } from "../desktop.ts";
import { parseBounds } from "../model/bounds.ts";
import { type Failure, fail, nothingDone, succeed } from "../model/failure.ts";
import { viewToCsv } from "../show/csv.ts";
import { viewToJson } from "../show/json.ts";
import { showView } from "../show/text.ts";
import { defineTool } from "./define.ts";
import { flag, names, text, wholeNumber } from "./fields.ts";
import { parseRoles } from "./roles.ts";
import { windowSelection, windowWishOf } from "./selection.ts";

export const read = defineTool({
  name: "read",
  summary: "Read windows as text: every control with its mark.",
  description:
    "A mark is a number that means the same control in every later read, also after the application was restarted, and " +
    "never another one. Without a selection every window is read. What is not on the screen is left out unless --all is " +
    "given. A window that could be read only in part says so in a line that starts with an exclamation mark (JSON: partial, notes).",
  examples: [
    "deskmap read --app mousepad",
    "deskmap read --interactive --points",
    'deskmap read --window "Save As" --roles button,input --format json',
    "deskmap read --app firefox --bbox 0,0,800,400 --max 50",
  ],
  daily: {
    says:
      "Read windows as text: every control with its mark, a number that always means that control. Without a selection " +
      "all windows.",
    fields: {
      app: "",
      window: "part of its title",
      windowId: "",
      interactive: "only what can be acted on",
      roles: "button,input,…",
      all: "hidden parts too",
      points: "with click points",
      max: "",
    },
  },
  input: z.object({
    ...windowSelection,
    depth: wholeNumber(1, "levels below the window, as shown"),
    roles: names("only these roles, separated by commas (button or btn, input, link or lnk, …)"),
    visibleOnly: flag("only what is on the screen (the default)"),
    all: flag("everything the application knows, hidden and structural parts too"),
    bbox: text("only elements whose centre lies in x,y,width,height (physical pixels)"),
    compact: flag("a flat list of marks, roles, names, values and states"),
    interactive: flag("only what can be acted on"),
    points: flag("with the point to press, in physical pixels"),
    max: wholeNumber(1, "at most this many elements of each window"),
  }),
  async run(input, session) {
    if (input.all && input.visibleOnly) {
      return fail(describeUsage("--all and --visible-only exclude each other", "give one of them."));
    }
    const wanted = parseRoles(input.roles);
    if (!wanted.ok) return wanted;
    const bbox = input.bbox === undefined ? undefined : parseBounds(input.bbox);
    if (input.bbox !== undefined && bbox === undefined) {
      const message = `--bbox "${input.bbox}" is not a box`;
      return fail(describeUsage(message, "four whole numbers, width and height above 0: --bbox 0,0,800,600"));
    }
    const desktop = await session.openDesktop();
    if (!desktop.ok) return desktop;
    const view = await readDesktop(desktop.value, {
      ...windowWishOf(input),
      roles: wanted.value,
      bbox,
      depth: input.depth,
      isInteractive: input.interactive,
      isWhole: input.all,
      max: input.max,
      includeHidden: input.all ?? false,
      timeoutMs: session.timeoutMs,
    });
    if (!view.ok) return view;
    const isCompact = input.compact ?? false;
    const withPoints = input.points ?? false;
    return succeed({
      text: () => showView(view.value, { withPoints, isFlat: isCompact }),
      json: (isPretty) => viewToJson(view.value, { isCompact, withPoints, isPretty }),
      csv: () => viewToCsv(view.value),
    });
  },
});

function describeUsage(message: string, suggestion: string): Failure {
  return { code: "USAGE", message, suggestion, done: nothingDone };
}
