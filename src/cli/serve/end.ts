import * as z from "zod/mini";
import { findHost } from "../../client/connect.ts";
import { DaemonLost, describeLoss } from "../../client/connection.ts";
import { type Failure, fail, nothingDone, succeed } from "../../model/failure.ts";
import { joinRows } from "../../show/csv.ts";
import { defineAnswer } from "../define.ts";

export const end = defineAnswer({
  name: "end",
  summary: "End a turn that deskmap begin has begun: others may act again.",
  words: [["<token>", "what deskmap begin printed"]],
  examples: ['deskmap end "$turn"'],
  output: () => z.strictObject({ ended: z.string() }),
  forms: {
    data: (done: { readonly ended: string }) => done,
    text: () => "ended",
    csv: ({ ended }) => joinRows("ended", [[ended]]),
  },
  async run(_flags, [turn = ""]) {
    const host = await findHost(process.env);
    if (host === undefined) return fail(describeNone());
    try {
      const ended = await host.end(turn);
      return ended.ok ? succeed({ ended: turn }) : ended;
    } catch (error) {
      if (error instanceof DaemonLost) return fail(describeLoss(error.message));
      throw error;
    } finally {
      await host.close();
    }
  },
});

function describeNone(): Failure {
  return {
    code: "REFUSED",
    reason: "turn",
    message: "there is no such turn: no daemon runs that could hold it",
    suggestion: "nothing needs to be ended.",
    done: nothingDone,
  };
}
