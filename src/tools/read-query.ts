import type { ReadQuery } from "../desktop/index.ts";
import type { WindowQuery } from "../find/select.ts";
import { parseBounds } from "../model/bounds.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { flag, names, text, wholeNumber } from "./fields.ts";
import { parseRoles } from "./roles.ts";
import { visionOption, windowQueryOf, windowSelection } from "./selection.ts";

/** The same words choose what is read, and what is watched. */
export const readSelection = {
  ...windowSelection,
  ...visionOption,
  depth: wholeNumber(1, "levels below the window, as shown"),
  roles: names("only these roles, separated by commas (button or btn, input, link or lnk, …)"),
  visibleOnly: flag("only what is on the screen (the default)"),
  all: flag("everything the application knows, hidden and structural parts too"),
  bbox: text("only elements whose centre lies in x,y,width,height (physical pixels)"),
  interactive: flag("only what can be acted on"),
  max: wholeNumber(1, "at most this many elements of each window"),
};

interface ReadSelection extends WindowQuery, Pick<ReadQuery, "vision"> {
  readonly depth?: number | undefined;
  readonly roles?: string | undefined;
  readonly visibleOnly?: boolean | undefined;
  readonly all?: boolean | undefined;
  readonly bbox?: string | undefined;
  readonly interactive?: boolean | undefined;
  readonly max?: number | undefined;
}

export function parseReadQuery(input: ReadSelection, timeoutMs: number): Result<ReadQuery> {
  if (input.all && input.visibleOnly) {
    return fail(describeUsage("--all and --visible-only exclude each other", "give one of them."));
  }
  const roles = parseRoles(input.roles);
  if (!roles.ok) return roles;
  const bbox = input.bbox === undefined ? undefined : parseBounds(input.bbox);
  if (input.bbox !== undefined && bbox === undefined) {
    const message = `--bbox "${input.bbox}" is not a box`;
    return fail(describeUsage(message, "four whole numbers, width and height above 0: --bbox 0,0,800,600"));
  }
  return succeed({
    ...windowQueryOf(input),
    roles: roles.value,
    bbox,
    depth: input.depth,
    isInteractive: input.interactive,
    isWhole: input.all,
    max: input.max,
    includeHidden: input.all ?? false,
    timeoutMs,
    vision: input.vision,
  });
}
