import * as z from "zod/mini";

const processKey = z.object({ pid: z.number(), startTicks: z.number() });

export const sandboxRecord = z.object({
  version: z.literal(1),
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
  variables: z.object({ set: z.record(z.string(), z.string()), unset: z.array(z.string()) }),
});

/** The stored description of a sandbox: enough to use it from elsewhere and to clean up after a crash. */
export type SandboxRecord = z.infer<typeof sandboxRecord>;
