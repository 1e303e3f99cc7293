import * as z from "zod/mini";
import { readScreenContext } from "../desktop/screen-context.ts";
import { parseBounds } from "../model/bounds.ts";
import type { ScreenContext } from "../model/context.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import type { LearnerRole } from "../model/role.ts";
import type { Target } from "../model/target.ts";
import { contextForms, contextOutput, targetListForms, targetListOutput } from "../show/learner.ts";
import { defineTool } from "./define.ts";
import { flag, oneOf, text } from "./fields.ts";
import type { Session } from "./session.ts";

const maxListed = 30;

const contextFields = {
  forceVision: flag("also read the picture of the active window, however much its tree tells"),
  focusArea: text("only what lies in x,y,width,height (physical pixels)"),
};

const roleFilters = ["button", "input", "link", "menu", "all"] as const;

/** The roles of each filter; a menu includes its entries. */
const filtered: Record<Exclude<(typeof roleFilters)[number], "all">, readonly LearnerRole[]> = {
  button: ["button"],
  input: ["input", "textarea"],
  link: ["link"],
  menu: ["menu", "menuitem"],
};

export const getScreenTargets = defineTool({
  name: "get_screen_targets",
  summary: "List controls as short text, best known first.",
  description:
    "At most 30 are listed, and all are counted: first those of the window in front, those that were used or taught " +
    "before ahead of others. Each has its mark as id, its role, its label, the point to press, and its confidence (0.1 to " +
    "0.99). learned means that it was used successfully or taught; stale, that only the map knows it. If the tree of " +
    "the front window has fewer than 5 elements, its picture is read, too (with Tesseract, on this machine).",
  examples: [
    "deskmap get_screen_targets",
    "deskmap get_screen_targets --app-filter firefox --role-filter input",
    "deskmap get_screen_targets --learned-only",
    "deskmap get_screen_targets --force-vision --focus-area 0,0,800,400",
  ],
  daily: {
    says: "Short list of controls, best known first: id, role, label, point, confidence.",
    fields: { appFilter: "", roleFilter: "", learnedOnly: "used or taught before", forceVision: "" },
  },
  input: z.object({
    appFilter: text("only applications whose name contains this"),
    roleFilter: oneOf(roleFilters, "only these (all)"),
    learnedOnly: flag("only what was used with success or taught before: the second visit of a task needs no more"),
    ...contextFields,
  }),
  output: targetListOutput,
  forms: targetListForms,
  async run(input, session) {
    const context = await takeContext(input, session);
    if (!context.ok) return context;
    const wanted = input.roleFilter ?? "all";
    const app = input.appFilter?.toLowerCase() ?? "";
    const isWanted = (target: Target): boolean =>
      (target.isLearned || input.learnedOnly !== true) &&
      target.app.toLowerCase().includes(app) &&
      (wanted === "all" || filtered[wanted].includes(target.role));
    return succeed({ context: context.value, targets: context.value.targets.filter(isWanted), max: maxListed });
  },
});

export const getScreenContext = defineTool({
  name: "get_screen_context",
  summary: "Everything about the screen: the active application, all targets, the focus, what was learned.",
  description:
    "What get_screen_targets lists, complete and with history, together with the size of the screen, the focused control " +
    "and what keys do to it, and the patterns that were learned about the active window: a signature, what was " +
    "used there most, and a layout version that rises when most of the window has changed.",
  examples: ["deskmap get_screen_context --format json"],
  input: z.object(contextFields),
  output: contextOutput,
  forms: contextForms,
  run: takeContext,
});

async function takeContext(
  { forceVision = false, focusArea }: z.infer<z.ZodMiniObject<typeof contextFields>>,
  session: Session,
): Promise<Result<ScreenContext>> {
  const area = focusArea === undefined ? undefined : parseBounds(focusArea);
  if (focusArea !== undefined && area === undefined) {
    const message = `--focus-area "${focusArea}" is not a box`;
    return fail(describeUsage(message, "four whole numbers, width and height above 0: --focus-area 0,0,800,600"));
  }
  const desktop = await session.openDesktop();
  if (!desktop.ok) return desktop;
  const { timeoutMs } = session;
  return readScreenContext(desktop.value, { forceVision, focusArea: area, timeoutMs });
}
