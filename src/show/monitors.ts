import { quoteName } from "../model/plain-text.ts";
import type { Monitor } from "../model/window.ts";
import { joinRows } from "./csv.ts";
import { stringify } from "./json.ts";

export function showMonitors(monitors: readonly Monitor[]): string {
  if (monitors.length === 0) return "no monitors";
  return monitors
    .map(({ name, bounds: { x, y, width, height }, isPrimary }) => {
      return `${quoteName(name)}  ${width}x${height} at ${x},${y}${isPrimary ? "  primary" : ""}`;
    })
    .join("\n");
}

export function monitorsToJson(monitors: readonly Monitor[], isPretty: boolean): string {
  const list = monitors.map(({ name, bounds: { x, y, width, height }, isPrimary }) => {
    return { name, bounds: [x, y, width, height], primary: isPrimary };
  });
  return stringify(list, isPretty);
}

export function monitorsToCsv(monitors: readonly Monitor[]): string {
  const rows = monitors.map(({ name, bounds: { x, y, width, height }, isPrimary }) => {
    return [name, x, y, width, height, isPrimary].map(String);
  });
  return joinRows("name,x,y,w,h,primary", rows);
}
