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
    if ("windows" in listed) return { space: screenSpace, windows: listed.windows.map(windowToData) };
    if ("monitors" in listed) {
      const monitors = listed.monitors.map(({ name, bounds: { x, y, width, height }, isPrimary }): MonitorData => {
        return { name, bounds: [x, y, width, height], primary: isPrimary };
      });
      return { space: screenSpace, monitors };
    }
    const apps = listed.apps.map(({ app, pid, windowCount, isFocused, hasTree }) => {
      return { app, pid, windows: windowCount, focused: isFocused, tree: hasTree };
    });
    return { apps };
  },
  text(listed) {
    if ("monitors" in listed) {
      const lines = listed.monitors.map(({ name, bounds: { x, y, width, height }, isPrimary }) => {
        return `${quoteName(name)}  ${width}x${height} at ${x},${y}${isPrimary ? "  primary" : ""}`;
      });
      return lines.join("\n") || "no monitors";
    }
    const lines = "windows" in listed ? listed.windows.map(showWindow) : listed.apps.map(showApplication);
    return lines.join("\n") || noWindows;
  },
  csv(listed) {
    if ("windows" in listed) {
      return joinRows("id,app,pid,title,x,y,w,h,focused,class,state,monitor,z", listed.windows.map(windowCells));
    }
    if ("monitors" in listed) {
      const rows = listed.monitors.map(({ name, bounds: { x, y, width, height }, isPrimary }) => {
        return [name, x, y, width, height, isPrimary].map(String);
      });
      return joinRows("name,x,y,w,h,primary", rows);
    }
    const rows = listed.apps.map(({ app, pid, windowCount, isFocused, hasTree }) => {
      return [app, pid, windowCount, isFocused, hasTree].map(String);
    });
    return joinRows("app,pid,windows,focused,tree", rows);
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

function windowCells(window: Window): string[] {
  const { id, app, pid, title, bounds, isFocused, class: className, state, monitor, zOrder } = window;
  return [
    ...[id, app, pid, title, bounds.x, bounds.y, bounds.width, bounds.height].map(String),
    ...[isFocused, className, state.join(" "), monitor, zOrder].map(String),
  ];
}
