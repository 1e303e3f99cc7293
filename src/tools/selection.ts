import type * as z from "zod/mini";
import type { ReadQuery } from "../desktop/index.ts";
import { nearest } from "../find/nearest.ts";
import { chooseWindow, type WindowQuery } from "../find/select.ts";
import { parseBounds } from "../model/bounds.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { type Role, roleNames, roles, rolesNamed, shortRole } from "../model/role.ts";
import { visionModes } from "../model/source.ts";
import type { Window } from "../model/window.ts";
import { anyText, flag, oneOf, text, wholeNumber } from "./fields.ts";
import type { ActingPlatform, Session } from "./session.ts";

/** The fields that choose windows, the same in every tool. */
export const windowSelection = {
  app: text("application by name, any case; part of the name will do"),
  window: text("window by a part of its title"),
  windowId: wholeNumber(0, "window by its id, as list shows it"),
  class: text("window by its class, any case; list --format json shows it"),
  pid: wholeNumber(1, "application by process id"),
};

export const visionOption = {
  vision: oneOf(visionModes, "also read pictures: on, off, or only where a window has no tree (auto)"),
};

export function windowQueryOf({ app, window, windowId, class: className, pid }: WindowQuery): WindowQuery {
  return { app, window, windowId, class: className, pid };
}

export async function openWindow(
  session: Session,
  query: WindowQuery,
  choose = chooseWindow,
): Promise<Result<{ readonly desktop: ActingPlatform; readonly window: Window }>> {
  const desktop = await session.openPlatformToAct();
  if (!desktop.ok) return desktop;
  const list = await desktop.value.platform.listWindows();
  if (!list.ok) return list;
  const window = choose(list.value, windowQueryOf(query));
  return window.ok ? succeed({ desktop: desktop.value, window: window.value }) : window;
}

/** Role names separated by commas, short or full; undefined if none are given. */
export function parseRoles(text: string | undefined): Result<ReadonlySet<Role> | undefined> {
  if (text === undefined) return succeed(undefined);
  const wanted = new Set<Role>();
  for (const name of text.split(",")) {
    const named = rolesNamed(name);
    if (named.length === 0) {
      const suggestion = `one of ${roles.map(shortRole).join(", ")}`;
      const failure = describeUsage(`no role is called "${name.trim()}"`, suggestion);
      return fail({ ...failure, nearest: nearest(name.trim(), roleNames()) });
    }
    for (const role of named) wanted.add(role);
  }
  return succeed(wanted);
}

export const readSelection = {
  ...windowSelection,
  ...visionOption,
  depth: wholeNumber(1, "levels below the window, as shown"),
  roles: anyText("only these roles, separated by commas (button or btn, input, link or lnk, …)"),
  visibleOnly: flag("only what is on the screen (the default); --visible-only=false: also what is hidden"),
  all: flag("everything the application knows, hidden and structural parts too"),
  bbox: text("only elements whose centre lies in x,y,width,height (physical pixels)"),
  interactive: flag("only what can be acted on"),
  max: wholeNumber(1, "at most this many elements of each window"),
};

type ReadSelection = z.infer<z.ZodMiniObject<typeof readSelection>>;

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
    includeHidden: input.all ?? input.visibleOnly === false,
    timeoutMs,
    vision: input.vision,
  });
}
