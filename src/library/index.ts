import { memoryVariable } from "../model/env.ts";
import { connectThroughProgram } from "./connect.ts";
import { Desk, type DeskOptions } from "./desk.ts";

export type { Demo } from "../demo/file.ts";
export type { ReplayReport } from "../demo/replay/report.ts";
export type { ChangeLine } from "../model/change-line.ts";
export type { EffectData as Effect } from "../show/effect.ts";
export type { ApplicationData as ApplicationInfo, WindowData as WindowInfo } from "../show/list.ts";
export type { ActOptions, Selection, WaitOptions } from "./caller.ts";
export { Desk, type DeskOptions, type ReplayRange } from "./desk.ts";
export { DeskmapError, UnconfirmedError } from "./error.ts";
export type { ClickOptions, DragOptions, Locator } from "./locator.ts";
export type { DemoRecording, RecordOptions } from "./record.ts";
export type { Control, WindowContent } from "./results.ts";
export type { Area, ReadOptions, Scope, WatchOptions } from "./scope.ts";

/**
 * Opens the desktop of this session through its daemon, which is started if none runs.
 *
 *   import { openDesktop } from "deskmap";
 *
 *   await using desk = await openDesktop();
 *   await desk.app("Mousepad").menuItem("Save").click();
 */
export async function openDesktop(options: DeskOptions = {}): Promise<Desk> {
  const { client = "library", env = process.env, memory = true } = options;
  const own = { ...env, DESKMAP_CLIENT: client, ...(memory ? {} : { [memoryVariable]: "off" }) };
  const { connection, ended } = await connectThroughProgram(own, options.program);
  return new Desk(connection, { ...options, client }, ended);
}
