import type { Command } from "commander";
import { connectHost } from "../../client/connect.ts";
import { DaemonLost, describeLoss } from "../../client/connection.ts";
import type { Failure } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { joinRows } from "../../show/csv.ts";
import { answer } from "../report.ts";
import { usage } from "../usage.ts";

const defaultForMs = 30_000;
const longestForMs = 5 * 60_000;
const defaultWaitMs = 5000;
const longestWaitMs = 600_000;

const help = `
Until it is ended, or its time is up, nobody else acts on this desktop; everybody may read. Commands that belong to it
are given --turn TOKEN, or DESKMAP_TURN, and run in the daemon. What a person must allow can then be asked only where
deskmap approve is open. For a few steps known beforehand, deskmap do is simpler.

Examples:
  turn=$(deskmap begin --for 1m --format text)
  deskmap click save --app mousepad --turn "$turn"
  deskmap end "$turn"`;

interface Options {
  readonly for?: string;
  readonly timeoutMs?: string;
  readonly format?: string;
}

/** Adds `deskmap begin`: a turn that outlasts this command. */
export function addBeginCommand(program: Command): void {
  program
    .command("begin")
    .summary("Hold the desktop for a short workflow: nobody else acts until it is ended or its time is up.")
    .option("--for <time>", "such as 30s or 2m: at most 5m (30s)")
    .option("--timeout-ms <n>", `how long to wait while another client has the desktop (${defaultWaitMs})`)
    .option("--format <text|json|csv>", "output format (text on a terminal, json when piped)")
    .addHelpText("after", help)
    .action((options: Options) => answer(options.format, () => begin(options)));
}

async function begin({ for: given, timeoutMs }: Options) {
  const forMs = given === undefined ? defaultForMs : readTime(given);
  if (forMs === undefined) return usage(`--for "${given}" is not a time up to 5m`, "such as --for 30s or --for 2m");
  const waitMs = timeoutMs === undefined ? defaultWaitMs : Number(timeoutMs);
  if (!(Number.isInteger(waitMs) && waitMs > 0 && waitMs <= longestWaitMs)) {
    return usage(
      `--timeout-ms "${timeoutMs}" is not a time`,
      "a whole number of milliseconds, such as --timeout-ms 5000",
    );
  }
  const host = await connectHost(process.env, { start: true });
  if (!host.ok) return host.failure;
  try {
    const held = await host.value.begin(forMs, { isKept: true, waitMs });
    if (!held.ok) return held.failure;
    const { turn, untilMs } = held.value;
    const until = showLocalTime(untilMs);
    return {
      forms: {
        text: () => turn,
        json: () => JSON.stringify({ turn, until }),
        csv: () => joinRows("turn,until", [[turn, until]]),
      },
    };
  } catch (error) {
    return describeUnheld(error);
  } finally {
    await host.value.close();
  }
}

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
