import * as z from "zod/mini";

const processKey = z.object({ pid: z.number(), startTicks: z.number() });

const variables = z.object({ set: z.record(z.string(), z.string()), unset: z.array(z.string()) });

const bounded = z.object({
  kind: z.literal("bounded"),
  /** Keeps the mounts, the memory and the network inside. */
  outer: processKey,
  /** Keeps the user namespace in which programs run. */
  inner: processKey,
  /** That of the processes inside; see `describeMemoryScope`. */
  memoryScope: z.string(),
  hasNetwork: z.boolean(),
  /** Paths that lead to the same files inside and outside. */
  shown: z.array(z.string()),
  /** Those of them that the person named, as PATH or PATH:ro. */
  given: z.array(z.string()),
  /** The environment inside; that of the record is for programs outside. */
  inside: variables,
});

/** What keeps programs inside from the user's files, environment and network. */
const boundary = z.discriminatedUnion("kind", [
  bounded,
  /** In the copy of a bounded sandbox's record that is shown inside. */
  z.object({ kind: z.literal("within"), hasNetwork: z.boolean(), given: z.array(z.string()) }),
  z.object({ kind: z.literal("trusted") }),
  z.object({ kind: z.literal("missing"), reason: z.string() }),
]);

export const sandboxRecord = z.object({
  version: z.literal(2),
  name: z.string(),
  /** "starting" until every part is ready. */
  state: z.enum(["starting", "ready"]),
  openedAt: z.string(),
  width: z.number(),
  height: z.number(),
  app: z.array(z.string()),
  /** The directory that holds all its files. */
  root: z.string(),
  supervisor: processKey,
  /** Where the pids are valid; see `describePidScope`. */
  pidOrigin: z.string(),
  parts: z.array(z.extend(processKey, { part: z.string() })),
  /** ":5", or "" until the X server reports it. */
  display: z.string(),
  /** Distinguishes our X socket from that of a later server with the same number. */
  xSocketInode: z.number(),
  variables,
  boundary,
});

/** The stored description of a sandbox: enough to use it from elsewhere and to clean up after a crash. */
export type SandboxRecord = z.infer<typeof sandboxRecord>;
export type Boundary = z.infer<typeof boundary>;
export type Bounded = z.infer<typeof bounded>;
