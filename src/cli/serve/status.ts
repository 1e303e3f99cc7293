import * as z from "zod/mini";
import type { DaemonStatus } from "../../client/protocol.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { quoteName } from "../../model/plain-text.ts";
import { joinRows } from "../../show/csv.ts";
import type { DataOf, Forms } from "../../show/output.ts";

/** How the daemon is; or that it has left. */
export type ServeValue = DaemonStatus | { readonly stopped: number };

const statusOutput = () => {
  const client = z.strictObject({ name: z.string(), pid: z.number(), sinceMs: z.number() });
  return z.strictObject({
    pid: z.number(),
    build: z.string(),
    sinceMs: z.number(),
    socket: z.string(),
    display: z.string(),
    desktop: z.strictObject({ state: z.enum(["unopened", "open", "lost"]), reason: z.optional(z.string()) }),
    clients: z.array(client),
    watches: z.number(),
    turns: z.array(z.strictObject({ client: z.string(), untilMs: z.number() })),
    requests: z.number(),
    refusals: z.number(),
    memoryBytes: z.number(),
    leavesAtMs: z.optional(z.number()),
    // How the live tree keeps up.
    mirror: z.record(z.string(), z.unknown()),
    remark: z.optional(z.string()),
  });
};

export const serveOutput = () => z.union([statusOutput(), z.strictObject({ stopped: z.number() })]);

export const serveForms: Forms<ServeValue, DataOf<typeof serveOutput>> = {
  data: (value) => value,
  text(value) {
    if ("stopped" in value) return `the daemon (process ${value.stopped}) has left`;
    return listLines(value)
      .map(([name, words]) => `${name.padEnd(12)}${words}`)
      .join("\n");
  },
  csv(value) {
    if ("stopped" in value) return joinRows("stopped", [[String(value.stopped)]]);
    return joinRows("what,value", listLines(value));
  },
};

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
