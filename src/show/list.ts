import * as z from "zod/mini";
import { screenSpace } from "../model/bounds.ts";
import { quoteName, quoteText } from "../model/plain-text.ts";
import type { Application, Monitor, Window } from "../model/window.ts";
import { joinRows } from "./csv.ts";
import { box, type DataOf, type Forms, space } from "./output.ts";
import { maxNameLength, noWindows } from "./text.ts";

export type Listed =
  | { readonly windows: readonly Window[] }
  | { readonly apps: readonly Application[] }
  | { readonly monitors: readonly Monitor[] };

const windowOutput = () =>
  z.strictObject({
    app: z.string(),
    pid: z.number(),
    title: z.string(),
    id: z.number(),
    bounds: box(),
    focused: z.boolean(),
    class: z.string(),
    state: z.array(z.string()),
    monitor: z.string(),
    z: z.number(),
  });

const applicationOutput = () =>
  z.strictObject({ app: z.string(), pid: z.number(), windows: z.number(), focused: z.boolean(), tree: z.boolean() });

const monitorOutput = () => z.strictObject({ name: z.string(), bounds: box(), primary: z.boolean() });

export const listOutput = () =>
  z.union([
    z.strictObject({ space: space(), windows: z.array(windowOutput()) }),
    z.strictObject({ apps: z.array(applicationOutput()) }),
    z.strictObject({ space: space(), monitors: z.array(monitorOutput()) }),
  ]);

export type WindowData = DataOf<typeof windowOutput>;
export type ApplicationData = DataOf<typeof applicationOutput>;
export type MonitorData = DataOf<typeof monitorOutput>;
export type ListData = DataOf<typeof listOutput>;

export const listForms: Forms<Listed, ListData> = {
  data(listed) {
    if ("apps" in listed) return { apps: listed.apps.map(applicationToData) };
    return "windows" in listed
      ? { space: screenSpace, windows: listed.windows.map(windowToData) }
      : { space: screenSpace, monitors: listed.monitors.map(monitorToData) };
  },
  text(listed) {
    if ("monitors" in listed) return listed.monitors.map(showMonitor).join("\n") || "no monitors";
    const lines = "windows" in listed ? listed.windows.map(showWindow) : listed.apps.map(showApplication);
    return lines.join("\n") || noWindows;
  },
  csv(listed) {
    if ("windows" in listed) {
      return joinRows("id,app,pid,title,x,y,w,h,focused,class,state,monitor,z", listed.windows.map(windowCells));
    }
    return "apps" in listed
      ? joinRows("app,pid,windows,focused,tree", listed.apps.map(applicationCells))
      : joinRows("name,x,y,w,h,primary", listed.monitors.map(monitorCells));
  },
};

function windowToData(window: Window): WindowData {
  const { app, pid, title, id, bounds, isFocused, class: className, state, monitor, zOrder } = window;
  return {
    app,
    pid,
    title,
    id,
    bounds: [bounds.x, bounds.y, bounds.width, bounds.height],
    focused: isFocused,
    class: className,
    state,
    monitor,
    z: zOrder,
  };
}

function applicationToData({ app, pid, windowCount, isFocused, hasTree }: Application) {
  return { app, pid, windows: windowCount, focused: isFocused, tree: hasTree };
}

function monitorToData({ name, bounds: { x, y, width, height }, isPrimary }: Monitor): MonitorData {
  return { name, bounds: [x, y, width, height], primary: isPrimary };
}

function showWindow(window: Window): string {
  const { x, y, width, height } = window.bounds;
  const states = [window.isFocused ? "focused" : "", ...window.state].filter((state) => state !== "");
  const where = `${width}x${height} at ${x},${y} on ${window.monitor || "no monitor"}`;
  return [
    String(window.id),
    quoteName(window.app),
    quoteText(window.title, maxNameLength),
    `pid ${window.pid}`,
    where,
    ...states,
  ].join("  ");
}

function showApplication({ app, pid, windowCount, isFocused, hasTree }: Application): string {
  const windows = `${windowCount} ${windowCount === 1 ? "window" : "windows"}`;
  const extras = [isFocused ? "focused" : "", hasTree ? "" : "no accessibility tree"].filter((extra) => extra !== "");
  return [quoteName(app), `pid ${pid}`, windows, ...extras].join("  ");
}

function showMonitor({ name, bounds: { x, y, width, height }, isPrimary }: Monitor): string {
  return `${quoteName(name)}  ${width}x${height} at ${x},${y}${isPrimary ? "  primary" : ""}`;
}

function windowCells(window: Window): string[] {
  const { id, app, pid, title, bounds, isFocused, class: className, state, monitor, zOrder } = window;
  return [
    ...[id, app, pid, title, bounds.x, bounds.y, bounds.width, bounds.height].map(String),
    ...[isFocused, className, state.join(" "), monitor, zOrder].map(String),
  ];
}

function applicationCells({ app, pid, windowCount, isFocused, hasTree }: Application): string[] {
  return [app, pid, windowCount, isFocused, hasTree].map(String);
}

function monitorCells({ name, bounds: { x, y, width, height }, isPrimary }: Monitor): string[] {
  return [name, x, y, width, height, isPrimary].map(String);
}
