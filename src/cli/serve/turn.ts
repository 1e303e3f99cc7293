import * as z from "zod/mini";
import { connectHost, findHost } from "../../client/connect.ts";
import { DaemonLost, describeLoss } from "../../client/connection.ts";
import { describeUsage, type Failure, fail, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { flatForms } from "../../show/csv.ts";
import { parseDuration } from "../../tools/duration.ts";
import { describeNoTurn } from "../call-served.ts";
import { defineAnswer } from "../define.ts";

const longestForMs = 5 * 60_000;
const defaultWaitMs = 5000;
const longestWaitMs = 600_000;

const notes = `Until it is ended, or its time is up, nobody else acts on this desktop; everybody may read. Commands that belong to it
are given --turn TOKEN, or DESKMAP_TURN, and run in the daemon. What a person must allow can then be asked only where
deskmap approve is open. For a few steps known beforehand, deskmap do is simpler.`;

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
  forms: flatForms<{ readonly turn: string; readonly until: string }>(({ turn }) => turn),
  async run({ for: given = "30s", timeoutMs }: { readonly for?: string; readonly timeoutMs?: string }) {
    // A bare number is in seconds.
    const forMs = parseDuration(/\d\s*$/.test(given) ? `${given.trim()}s` : given);
    if (forMs === undefined || forMs > longestForMs) {
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
      return fail(describeLost(error));
    } finally {
      await host.value.close();
    }
  },
});

function describeLost(error: unknown): Failure {
  if (error instanceof DaemonLost) return describeLoss(error.message);
  throw error;
}

export const end = defineAnswer({
  name: "end",
  summary: "End a turn that deskmap begin has begun: others may act again.",
  words: [["<token>", "what deskmap begin printed"]],
  examples: ['deskmap end "$turn"'],
  output: () => z.strictObject({ ended: z.string() }),
  forms: flatForms<{ readonly ended: string }>(() => "ended"),
  async run(_flags, [turn = ""]) {
    const host = await findHost(process.env);
    if (host === undefined) return fail(describeNoTurn("nothing needs to be ended."));
    try {
      const ended = await host.end(turn);
      return ended.ok ? succeed({ ended: turn }) : ended;
    } catch (error) {
      return fail(describeLost(error));
    } finally {
      await host.close();
    }
  },
});
