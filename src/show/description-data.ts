import * as z from "zod/mini";
import { windowSpace } from "../model/bounds.ts";
import { certainties, verdicts } from "../model/element-description.ts";
import { patterns } from "../model/pattern.ts";
import { roles } from "../model/role.ts";
import { sources } from "../model/source.ts";
import { bounds, type DataOf, notes, point, space, titled } from "./output.ts";

const role = () => titled("Role", z.enum(roles));

const nowOutput = () =>
  z.strictObject({
    app: z.string(),
    pid: z.number(),
    window: z.string(),
    windowId: z.number(),
    role: role(),
    platformRole: z.string(),
    name: z.string(),
    ownName: z.string(),
    description: z.string(),
    value: z.string(),
    states: z.array(z.string()),
    space: space(),
    bounds: z.optional(bounds()),
    clickPoint: z.optional(point()),
    patterns: z.array(z.enum(patterns)),
    actions: z.array(z.string()),
    platformActions: z.array(z.string()),
    shortcut: z.string(),
    platformId: z.string(),
    url: z.string(),
    // What it is inside of, the window first.
    inside: z.array(z.strictObject({ mark: z.optional(z.number()), role: role(), name: z.string() })),
    notes: z.optional(notes()),
  });

/** What can be looked for again; places are those within the window, which may be moved. */
const refOutput = () =>
  z.strictObject({
    app: z.string(),
    windows: z.array(z.string()),
    role: role(),
    name: z.string(),
    platformId: z.string(),
    path: z.array(z.strictObject({ role: role(), name: z.string(), index: z.number(), count: z.number() })),
    index: z.number(),
    count: z.number(),
    owner: z.string(),
    sisters: z.tuple([z.string(), z.string()]),
    twins: z.number(),
    hasTwin: z.boolean(),
    bounds: z.optional(bounds()),
    space: z.literal(windowSpace),
  });

const memoryOutput = () =>
  z.strictObject({
    app: z.string(),
    window: z.string(),
    taught: z.string(),
    confidence: z.number(),
    source: z.enum(sources),
    certainty: z.optional(z.number()),
    firstSeen: z.string(),
    lastSeen: z.string(),
    hits: z.number(),
    misses: z.number(),
    same: z.number(),
    moved: z.number(),
    missing: z.number(),
    layoutVersion: z.number(),
    // In the space of the ref: from the upper left corner of the window.
    clickPoint: z.optional(point()),
    feedback: z.optional(z.string()),
    why: z.array(z.strictObject({ because: z.string(), confidence: z.number() })),
    history: z.array(z.strictObject({ at: z.string(), confidence: z.number(), hits: z.number(), misses: z.number() })),
    ref: refOutput(),
  });

const againOutput = () => {
  const clue = z.strictObject({ feature: z.string(), level: z.string(), weight: z.number() });
  return z.strictObject({
    certainty: z.enum(certainties),
    verdict: z.enum(verdicts),
    isItself: z.boolean(),
    score: z.number(),
    margin: z.number(),
    evidence: z.array(clue),
    nearest: z.array(
      z.strictObject({
        mark: z.optional(z.number()),
        role: role(),
        name: z.string(),
        score: z.number(),
        lacks: z.array(clue),
      }),
    ),
    weighed: z.number(),
    present: z.number(),
  });
};

/** Everything about one mark, with the names that everything has in the code: who asks for all of it reads it once. */
export const descriptionOutput = () =>
  z.strictObject({
    mark: z.number(),
    there: z.boolean(),
    now: z.optional(nowOutput()),
    // Why it is not there.
    why: z.optional(
      z.strictObject({
        code: z.string(),
        message: z.string(),
        nearest: z.optional(z.array(z.string())),
        try: z.optional(z.string()),
      }),
    ),
    memory: memoryOutput(),
    again: z.optional(againOutput()),
  });

export type ElementDescriptionData = DataOf<typeof descriptionOutput>;
