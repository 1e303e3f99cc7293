import * as z from "zod/mini";
import { listApplications, listWindows } from "../desktop.ts";
import { fail, nothingDone, succeed } from "../model/failure.ts";
import { applicationsToCsv, windowsToCsv } from "../show/csv.ts";
import { applicationsToJson, windowsToJson } from "../show/json.ts";
import { monitorsToCsv, monitorsToJson, showMonitors } from "../show/monitors.ts";
import { showApplications, showWindows } from "../show/text.ts";
import { defineTool } from "./define.ts";
import { flag } from "./fields.ts";
import { windowSelection, windowWishOf } from "./selection.ts";

export const list = defineTool({
  name: "list",
  summary: "List the windows, the applications or the monitors of the desktop.",
  description:
    "Windows come front to back (z 0 is in front) with application, process, title, id, bounds in physical screen pixels, " +
    "class, state (minimised, maximised, fullscreen) and monitor. Applications come with their number of windows and " +
    "whether they offer an accessibility tree.",
  examples: [
    "deskmap list",
    "deskmap list --apps",
    "deskmap list --monitors",
    "deskmap list --app mousepad --format json",
  ],
  daily: { says: "List windows, front to back.", fields: { apps: "applications instead" } },
  input: z.object({
    windows: flag("list windows (the default)"),
    apps: flag("list running applications instead"),
    monitors: flag("list monitors instead, with their places in physical screen pixels"),
    ...windowSelection,
  }),
  async run(input, session) {
    const wanted = [input.windows && "--windows", input.apps && "--apps", input.monitors && "--monitors"];
    const [one, other] = wanted.filter((name) => typeof name === "string");
    if (one !== undefined && other !== undefined) {
      const message = `${one} and ${other} exclude each other`;
      return fail({ code: "USAGE", message, suggestion: "give one of them.", done: nothingDone });
    }
    const platform = await session.openPlatform();
    if (!platform.ok) return platform;
    if (input.apps) {
      const applications = await listApplications(platform.value, windowWishOf(input));
      if (!applications.ok) return applications;
      return succeed({
        text: () => showApplications(applications.value),
        json: (isPretty) => applicationsToJson(applications.value, isPretty),
        csv: () => applicationsToCsv(applications.value),
      });
    }
    if (input.monitors) {
      const list = await platform.value.listWindows();
      if (!list.ok) return list;
      const { monitors } = list.value;
      return succeed({
        text: () => showMonitors(monitors),
        json: (isPretty) => monitorsToJson(monitors, isPretty),
        csv: () => monitorsToCsv(monitors),
      });
    }
    const windows = await listWindows(platform.value, windowWishOf(input));
    if (!windows.ok) return windows;
    return succeed({
      text: () => showWindows(windows.value),
      json: (isPretty) => windowsToJson(windows.value, isPretty),
      csv: () => windowsToCsv(windows.value),
    });
  },
});
