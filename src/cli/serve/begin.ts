import * as z from "zod/mini";
import { connectHost } from "../../client/connect.ts";
import { DaemonLost, describeLoss } from "../../client/connection.ts";
import { describeUsage, type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { joinRows } from "../../show/csv.ts";
import { defineAnswer } from "../define.ts";

const defaultForMs = 30_000;
const longestForMs = 5 * 60_000;
const defaultWaitMs = 5000;
const longestWaitMs = 600_000;

const notes = `Until it is ended, or its time is up, nobody else acts on this desktop; everybody may read. Commands that belong to it
are given --turn TOKEN, or DESKMAP_TURN, and run in the daemon. What a person must allow can then be asked only where
deskmap approve is open. For a few steps known beforehand, deskmap do is simpler.`;

interface Flags {
  readonly for?: string;
  readonly timeoutMs?: string;
}

interface Begun {
  readonly turn: string;
  readonly until: string;
}

/** A turn that outlasts this command. */
export const begin = defineAnswer({
  name: "begin",
  summary: "Hold the desktop for a short workflow: nobody else acts until it is ended or its time is up.",
  options: [
    ["--for <time>", "such as 30s or 2m: at most 5m (30s)"],
    ["--timeout-ms <n>", `how long to wait while another client has the desktop (${defaultWaitMs})`],
  ],
  notes,
  examples: [
    "turn=$(deskmap begin --for 1m --format text)",
    'deskmap click save --app mousepad --turn "$turn"',
    'deskmap end "$turn"',
  ],
  output: () => z.strictObject({ turn: z.string(), until: z.string() }),
  forms: {
    data: (begun: Begun) => begun,
    text: ({ turn }) => turn,
    csv: ({ turn, until }) => joinRows("turn,until", [[turn, until]]),
  },
  async run({ for: given, timeoutMs }: Flags): Promise<Result<Begun>> {
    const forMs = given === undefined ? defaultForMs : readTime(given);
    if (forMs === undefined) {
      return fail(describeUsage(`--for "${given}" is not a time up to 5m`, "such as --for 30s or --for 2m"));
    }
    const waitMs = timeoutMs === undefined ? defaultWaitMs : Number(timeoutMs);
    if (!(Number.isInteger(waitMs) && waitMs > 0 && waitMs <= longestWaitMs)) {
      const suggestion = "a whole number of milliseconds, such as --timeout-ms 5000";
      return fail(describeUsage(`--timeout-ms "${timeoutMs}" is not a time`, suggestion));
    }
    const host = await connectHost(process.env, { start: true });
    if (!host.ok) return host;
    try {
      const held = await host.value.begin(forMs, { isKept: true, waitMs });
      return held.ok ? succeed({ turn: held.value.turn, until: showLocalTime(held.value.untilMs) }) : held;
    } catch (error) {
      return fail(describeUnheld(error));
    } finally {
      await host.value.close();
    }
  },
});

function describeUnheld(error: unknown): Failure {
  if (error instanceof DaemonLost) return describeLoss(error.message);
  throw error;
}

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** "30s", "2m", "500ms", and a bare number of seconds. */
function readTime(given: string): number | undefined {
  const [, digits = "", unit = ""] = /^(\d+(?:\.\d+)?) ?(ms|s|m)?$/.exec(given.trim()) ?? [];
  const timeMs = Math.round(Number(digits) * (unitsMs[unit || "s"] ?? 0));
  return digits !== "" && timeMs > 0 && timeMs <= longestForMs ? timeMs : undefined;
}
