import * as z from "zod/mini";
import { type ClientFrame, parseJson } from "./protocol.ts";

// Apart from protocol.ts, since only the daemon checks these and a client need not load zod.

const id = z.int().check(z.minimum(0));
const timeoutMs = z.int().check(z.minimum(1), z.maximum(600_000));
const flag = z.optional(z.boolean());
const input = z.record(z.string(), z.unknown());

const request = z.looseObject({
  tool: z.string(),
  input,
  formats: z.array(z.enum(["data", "json", "text", "csv"])),
  isPretty: flag,
  isTyped: flag,
  isTraced: flag,
  turn: z.optional(z.string()),
  timeoutMs: z.optional(timeoutMs),
});

const clientFrame = z.discriminatedUnion("t", [
  z.looseObject({
    t: z.literal("hello"),
    protocol: z.int(),
    build: z.string(),
    client: z.string().check(z.maxLength(200)),
    isReadOnly: z.boolean(),
    settings: z.record(z.string(), z.string()),
  }),
  z.looseObject({ t: z.literal("call"), id, request }),
  z.looseObject({ t: z.literal("watch"), id, request: z.looseObject({ input, timeoutMs: z.optional(timeoutMs) }) }),
  z.looseObject({ t: z.literal("begin"), id, forMs: z.int(), isKept: z.boolean(), waitMs: z.optional(timeoutMs) }),
  z.looseObject({ t: z.literal("end"), id, turn: z.string() }),
  z.looseObject({ t: z.enum(["observe", "status", "ping", "leave", "cancel"]), id }),
]);

/** Undefined if the line is not a valid message of a client. */
export function parseClientFrame(line: string): ClientFrame | undefined {
  const value = parseJson(line);
  return isClientFrame(value) ? value : undefined;
}

function isClientFrame(value: unknown): value is ClientFrame {
  return clientFrame.safeParse(value).success;
}
