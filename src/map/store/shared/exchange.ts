import type { MapFile } from "../database.ts";
import { countLacking, findHighest } from "../leases.ts";
import type { SharedAddress } from "./address.ts";
import type { Server } from "./connect.ts";
import { takeAnswer } from "./incoming.ts";
import { countQueued, takeBatch } from "./outgoing.ts";
import { readState } from "./replica.ts";
import type { Trouble } from "./trouble.ts";

/** So long nobody is asked again after nobody was there, at first and at most. */
const [firstPauseMs, longestPauseMs] = [2000, 60_000];

export interface Exchange {
  readonly file: MapFile;
  readonly server: Server;
  /** Numbers that a read asked for and did not get. */
  readonly wantedNumbers: number;
}

/**
 * Tells the server everything that waits, and takes over what others have told it. What is told goes first, all of it: only a
 * desktop that has not heard of a control can have met it by itself.
 */
export async function exchange({ file, server, wantedNumbers }: Exchange): Promise<Trouble | undefined> {
  const { retryAtMs } = readState(file);
  if (Date.now() < retryAtMs) return { kind: "away", reason: "it was not there a moment ago" };
  let hasForgotten = false;
  for (;;) {
    const batch = takeBatch(file);
    const { client, born, cursor } = readState(file);
    const isPull = batch?.isLast ?? true;
    const asked = await server.ask({
      ...{ client, born, cursor, isPull },
      ...{ batch: batch?.number ?? 0, body: batch?.body ?? "" },
      ...{ numbers: countLacking(file, wantedNumbers), highest: findHighest(file) },
    });
    if ("trouble" in asked) {
      if (asked.trouble.kind === "away") noteAbsence(file);
      return asked.trouble;
    }
    hasForgotten = takeAnswer(file, { client, cursor, isPull }, asked.answer) || hasForgotten;
    if (isPull && asked.answer.reached >= asked.answer.head) break;
  }
  if (hasForgotten) wipe(file);
  return undefined;
}

/** What to tell a person whose work goes on without the server. */
export function describeAbsence(file: MapFile, { shown }: SharedAddress, reason: string): string {
  const count = countQueued(file);
  const kept = count === 0 ? "nothing waits to be sent" : `${count} changes are kept and sent later`;
  return `the shared map ${shown} cannot be reached (${reason}): this desktop works with its own copy; ${kept}`;
}

function noteAbsence(file: MapFile): void {
  const { failures } = readState(file);
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 10));
  file.run("UPDATE shared_state SET failures = failures + 1, retry_at = ?", Date.now() + pauseMs);
}

/** Deleting alone leaves the bytes in the file and in the journal beside it. */
function wipe(file: MapFile): void {
  file.run("VACUUM");
  file.get("PRAGMA wal_checkpoint(TRUNCATE)");
}
