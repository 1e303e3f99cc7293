import * as z from "zod/mini";
import type { ChangedControl, ChangeLine, StartReason } from "../model/change-line.ts";
import { shorten } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import { showAround } from "./changed-value.ts";
import { cutValue } from "./cut-value.ts";
import { stringify } from "./json.ts";
import { box, type DataOf, space, titled } from "./output.ts";

const maxTextLength = 500;

const startReasons = ["first", "expired", "restarted", "other-selection"] as const satisfies readonly StartReason[];
export const startReason = () => z.enum(startReasons);

/** What a value, a state, a name or a place was. */
const was = () =>
  z.strictObject({
    role: z.optional(z.string()),
    name: z.optional(z.string()),
    taught: z.optional(z.string()),
    value: z.optional(z.string()),
    states: z.optional(z.string()),
    place: z.optional(z.string()),
    title: z.optional(z.string()),
    focus: z.optional(z.string()),
  });

const controlFields = () => ({
  i: z.number(),
  r: z.string(),
  t: z.optional(z.string()),
  n: z.optional(z.string()),
  v: z.optional(z.string()),
  x: z.optional(z.array(z.string())),
  b: z.optional(box()),
  w: z.number(),
});

/** One line, with the keys that a read has; docs/tools.md lists them. */
const lineOutput = () =>
  titled(
    "Change",
    z.union([
      z.strictObject({ kind: z.literal("start"), reason: startReason() }),
      z.strictObject({ kind: z.literal("note"), w: z.number(), code: z.string(), text: z.string() }),
      z.strictObject({ kind: z.literal("token"), token: z.string(), ts: z.number() }),
      z.strictObject({
        kind: z.literal("window"),
        what: z.enum(["opened", "closed", "changed", "focused"]),
        w: z.number(),
        app: z.string(),
        title: z.string(),
        place: z.optional(z.string()),
        x: z.optional(z.array(z.string())),
        was: z.optional(was()),
      }),
      z.strictObject({
        kind: z.enum(["appeared", "moved"]),
        ...controlFields(),
        in: z.optional(z.number()),
        after: z.optional(z.number()),
      }),
      z.strictObject({ kind: z.literal("changed"), ...controlFields(), was: was() }),
      z.strictObject({ kind: z.enum(["gone", "emptied", "focus"]), ...controlFields() }),
    ]),
  );

type LineData = DataOf<typeof lineOutput>;

export const changesOutput = () =>
  z.strictObject({
    ts: z.number(),
    space: z.optional(space()),
    changes: z.array(lineOutput()),
    token: z.optional(z.string()),
  });

export type ChangesData = DataOf<typeof changesOutput>;

/** One line of JSON Lines. */
export function lineToJson(line: ChangeLine): string {
  return stringify(lineToData(line), false);
}

export function lineToData(line: ChangeLine): LineData {
  switch (line.kind) {
    case "start":
      return { kind: line.kind, reason: line.reason };
    case "note":
      return { kind: line.kind, w: line.window, code: line.code, text: line.text };
    case "token":
      return { kind: line.kind, token: line.token, ts: line.atMs / 1000 };
    case "window": {
      const { kind, what, window, app, title, place, states, was } = line;
      return {
        kind,
        what,
        w: window,
        app,
        title,
        ...(place === undefined ? {} : { place }),
        ...(states === undefined ? {} : { x: states }),
        ...(was === undefined ? {} : { was }),
      };
    }
    case "appeared":
    case "moved":
      return {
        kind: line.kind,
        ...controlToData(line),
        ...(line.in === undefined ? {} : { in: line.in }),
        ...(line.after === undefined ? {} : { after: line.after }),
      };
    case "changed": {
      const { value = "", was } = line;
      const [then, now] = showAround(was.value ?? "", value, maxTextLength);
      const isValue = was.value !== undefined;
      return {
        kind: line.kind,
        ...controlToData(line),
        ...(isValue ? { v: now } : {}),
        was: isValue ? { ...was, value: then } : was,
      };
    }
    case "gone":
    case "emptied":
    case "focus":
      return { kind: line.kind, ...controlToData(line) };
  }
}

function controlToData({ id, role, name, window, taught, value, states, bounds }: ChangedControl) {
  return {
    i: id,
    r: shortRole(role),
    ...(name === "" ? {} : { t: shorten(name, maxTextLength) }),
    ...(taught === undefined ? {} : { n: shorten(taught, maxTextLength) }),
    ...(value === undefined ? {} : { v: cutValue(role, value, maxTextLength) }),
    ...(states === undefined ? {} : { x: states }),
    ...(bounds === undefined ? {} : { b: bounds }),
    w: window,
  };
}
