import type { WindowQuery } from "../find/select.ts";
import { visionModes } from "../model/source.ts";
import { oneOf, text, wholeNumber } from "./fields.ts";

/** The same words choose windows in every tool. */
export const windowSelection = {
  app: text("application by name, any case; part of the name will do"),
  window: text("window by a part of its title"),
  windowId: wholeNumber(0, "window by its id, as list shows it"),
  class: text("window by its class, any case; list --format json shows it"),
  pid: wholeNumber(1, "application by process id"),
};

/** Whether what a picture shows counts. */
export const visionOption = {
  vision: oneOf(visionModes, "also read pictures: on, off, or only where a window has no tree (auto)"),
};

/** The part of a tool's input that chooses windows. */
export function windowQueryOf({ app, window, windowId, class: className, pid }: WindowQuery): WindowQuery {
  return { app, window, windowId, class: className, pid };
}
