import * as z from "zod/mini";
import { listApplications, listWindows } from "../desktop/index.ts";
import { describeUsage, fail, succeed } from "../model/failure.ts";
import { listForms, listOutput } from "../show/list.ts";
import { defineTool } from "./define.ts";
import { flag } from "./fields.ts";
import { windowQueryOf, windowSelection } from "./selection.ts";

export const list = defineTool({
  name: "list",
  summary: "List windows, applications or monitors.",
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
  isReport: true,
  output: listOutput,
  forms: listForms,
  async run(input, session) {
    const wanted = [input.windows && "--windows", input.apps && "--apps", input.monitors && "--monitors"];
    const [one, other] = wanted.filter((name) => typeof name === "string");
    if (one !== undefined && other !== undefined) {
      return fail(describeUsage(`${one} and ${other} exclude each other`, "give one of them."));
    }
    const platform = await session.openPlatform();
    if (!platform.ok) return platform;
    if (input.apps) {
      const apps = await listApplications(platform.value, windowQueryOf(input));
      return apps.ok ? succeed({ apps: apps.value }) : apps;
    }
    if (input.monitors) {
      const list = await platform.value.listWindows();
      return list.ok ? succeed({ monitors: list.value.monitors }) : list;
    }
    const windows = await listWindows(platform.value, windowQueryOf(input));
    return windows.ok ? succeed({ windows: windows.value }) : windows;
  },
});
