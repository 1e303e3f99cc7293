import type { DaemonStatus } from "../../client/protocol.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { quoteName } from "../../model/plain-text.ts";
import { joinRows } from "../../show/csv.ts";
import type { Forms } from "../report.ts";

/** How the daemon is, in every form. */
export function showStatus(status: DaemonStatus): Forms {
  const lines = listLines(status);
  return {
    text: () => lines.map(([name, words]) => `${name.padEnd(12)}${words}`).join("\n"),
    json: () => JSON.stringify(status),
    csv: () => joinRows("what,value", lines),
  };
}

function listLines(status: DaemonStatus): readonly (readonly [string, string])[] {
  const { desktop, leavesAtMs, remark } = status;
  const clients = status.clients.map(({ name, pid }) => `${quoteName(name)} (process ${pid})`).join(", ");
  const turns = status.turns.map(({ client, untilMs }) => `${quoteName(client)} until ${showLocalTime(untilMs)}`);
  const mirror = Object.entries(status.mirror).filter(([, value]) => typeof value === "number");
  return [
    ["daemon", `process ${status.pid}, since ${showLocalTime(status.sinceMs)}`],
    ["socket", status.socket],
    ["desktop", [status.display, desktop.state, desktop.reason].filter((part) => part !== undefined).join(", ")],
    ["clients", clients],
    ["watches", String(status.watches)],
    ["turns", turns.length === 0 ? "none" : turns.join(", ")],
    ["requests", `${status.requests}, refused connections ${status.refusals}`],
    ["mirror", mirror.map(([name, value]) => `${name} ${value}`).join(", ") || "nobody has looked yet"],
    ["memory", `${Math.round(status.memoryBytes / (1 << 20))} MiB`],
    ["leaves", leavesAtMs === undefined ? "not while somebody is there" : showLocalTime(leavesAtMs)],
    ...(remark === undefined ? [] : [["map", remark] as const]),
  ];
}
