import * as z from "zod/mini";
import { parseJson } from "../model/caught.ts";

// Apart from protocol.ts, since only the daemon checks these and a client need not load zod.

const id = z.int().check(z.minimum(0));
const timeoutMs = z.int().check(z.minimum(1), z.maximum(600_000));
const flag = z.optional(z.boolean());
const input = z.record(z.string(), z.unknown());

const change = z.object({ role: z.string(), name: z.string(), what: z.string(), after: z.string() });
const foretold = z.object({
  silenceMs: z.optional(timeoutMs),
  isUnproven: flag,
  changed: z.optional(z.readonly(z.array(change))),
});

const request = z.object({
  tool: z.string(),
  input,
  formats: z.readonly(z.array(z.enum(["data", "json", "text", "csv"]))),
  isPretty: flag,
  isTyped: flag,
  isTraced: flag,
  reach: z.optional(z.readonly(z.array(z.string()))),
  turn: z.optional(z.string()),
  recipient: z.optional(z.string()),
  foretold: z.optional(foretold),
  timeoutMs: z.optional(timeoutMs),
});

const hello = z.object({
  t: z.literal("hello"),
  protocol: z.int(),
  build: z.string(),
  client: z.string().check(z.maxLength(200)),
  isReadOnly: z.boolean(),
  /** Whether its process serves many clients, which nothing tells apart: then their names are only claimed. */
  isShared: flag,
  /** Settings for this client's calls, such as PATH and language; they do not choose the desktop. */
  settings: z.record(z.string(), z.string()),
});

const question = z.discriminatedUnion("t", [
  z.object({ t: z.literal("call"), id, request }),
  z.object({ t: z.literal("watch"), id, request: z.object({ input, timeoutMs: z.optional(timeoutMs) }) }),
  z.object({ t: z.literal("begin"), id, forMs: z.int(), isKept: z.boolean(), waitMs: z.optional(timeoutMs) }),
  z.object({ t: z.literal("end"), id, turn: z.string() }),
  z.object({ t: z.literal("observe"), id }),
  z.object({
    t: z.literal("listen"),
    id,
    request: z.object({ name: z.optional(z.string().check(z.maxLength(200))), isTyped: flag, hasPictures: flag }),
  }),
  z.object({
    t: z.literal("send"),
    id,
    request: z.object({ url: z.string(), headers: z.record(z.string(), z.string()), body: z.string() }),
  }),
  z.object({
    t: z.literal("recall"),
    id,
    request: z.object({
      sinceMs: z.optional(z.number()),
      client: z.optional(z.string()),
      withPerson: flag,
      isTyped: flag,
    }),
  }),
  z.object({
    t: z.literal("ring"),
    id,
    request: z.object({ action: z.enum(["on", "off", "status"]), minutes: z.optional(z.number()), isTyped: flag }),
  }),
  z.object({ t: z.literal("status"), id }),
  z.object({ t: z.literal("ping"), id }),
  z.object({ t: z.literal("leave"), id }),
  z.object({ t: z.literal("cancel"), id }),
]);

const clientFrame = z.union([hello, question]);

export type Hello = z.infer<typeof hello>;
export type ClientRequest = z.infer<typeof question>;
export type ClientFrame = Hello | ClientRequest;

/** Undefined if the line is not a valid message of a client. */
export function parseClientFrame(line: string): ClientFrame | undefined {
  return clientFrame.safeParse(parseJson(line)).data;
}

/** For `deskmap serve status`. */
export const daemonStatus = () =>
  z.strictObject({
    pid: z.number(),
    build: z.string(),
    sinceMs: z.number(),
    socket: z.string(),
    display: z.string(),
    // "unopened" until the first read; then the last known state. An open desktop may have a `reason` too.
    desktop: z.strictObject({ state: z.enum(["unopened", "open", "lost"]), reason: z.optional(z.string()) }),
    clients: z.readonly(z.array(z.strictObject({ name: z.string(), pid: z.number(), sinceMs: z.number() }))),
    watches: z.number(),
    turns: z.readonly(z.array(z.strictObject({ client: z.string(), untilMs: z.number() }))),
    requests: z.number(),
    // Connections that were refused: wrong user, too many.
    refusals: z.number(),
    memoryBytes: z.number(),
    // When it ends by itself; undefined while it has clients.
    leavesAtMs: z.optional(z.number()),
    // Figures of the mirror; empty until the first read.
    mirror: z.record(z.string(), z.unknown()),
    // About the map, for the person.
    remark: z.optional(z.string()),
  });

export type DaemonStatus = Readonly<z.infer<ReturnType<typeof daemonStatus>>>;
