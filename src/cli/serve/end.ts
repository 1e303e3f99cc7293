import type { Command } from "commander";
import { findHost } from "../../client/connect.ts";
import { DaemonLost, describeLoss } from "../../client/connection.ts";
import { type Failure, nothingDone } from "../../model/failure.ts";
import { joinRows } from "../../show/csv.ts";
import { answer } from "../report.ts";

/** Adds `deskmap end`. */
export function addEndCommand(program: Command): void {
  program
    .command("end")
    .summary("End a turn that deskmap begin has begun: others may act again.")
    .argument("<token>", "what deskmap begin printed")
    .option("--format <text|json|csv>", "output format (text on a terminal, json when piped)")
    .addHelpText("after", '\nExamples:\n  deskmap end "$turn"')
    .action((token: string, { format }: { format?: string }) => answer(format, () => end(token)));
}

async function end(turn: string) {
  const host = await findHost(process.env);
  if (host === undefined) return describeNone();
  try {
    const ended = await host.end(turn);
    if (!ended.ok) return ended.failure;
    return {
      forms: {
        text: () => "ended",
        json: () => JSON.stringify({ ended: turn }),
        csv: () => joinRows("ended", [[turn]]),
      },
    };
  } catch (error) {
    if (error instanceof DaemonLost) return describeLoss(error.message);
    throw error;
  } finally {
    await host.close();
  }
}

function describeNone(): Failure {
  return {
    code: "REFUSED",
    reason: "turn",
    message: "there is no such turn: no daemon runs that could hold it",
    suggestion: "nothing needs to be ended.",
    done: nothingDone,
  };
}
