import type { MapFile } from "../database.ts";
import { countLacking, findHighest } from "../leases.ts";
import type { SharedAddress } from "./address.ts";
import type { Server } from "./connect.ts";
import { takeAnswer } from "./incoming.ts";
import { countQueued, takeBatch } from "./outgoing.ts";
import { readState } from "./replica.ts";
import { readAside, setAside, splitBatch } from "./set-aside.ts";
import { describeLasting, type Trouble } from "./trouble.ts";

/** So long nobody is asked again after nobody was there, at first and at most. */
const [firstPauseMs, longestPauseMs] = [2000, 60_000];

/** So many refusals are followed up in one go: to find one row among thousands takes about a dozen. */
const mostRefusals = 100;

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
export async function exchange({ file, server, wantedNumbers }: Exchange): Promise<Exchanged> {
  const { retryAtMs } = readState(file);
  const pauseMs = retryAtMs - Date.now();
  // A longer one was never made: the clock was set back.
  if (pauseMs > 0 && pauseMs <= longestPauseMs)
    return endWith({ kind: "away", reason: "it was not there a moment ago" }, 0);
  let [hasForgotten, isAdmitted, asideCount] = [false, false, 0];
  for (let refusals = 0; refusals < mostRefusals; ) {
    const batch = takeBatch(file);
    const { client, born, cursor } = readState(file);
    const isPull = batch?.isLast ?? true;
    const asked = await server.ask({
      ...{ client, born, cursor, isPull },
      ...{ batch: batch?.number ?? 0, body: batch?.body ?? "" },
      ...{ numbers: countLacking(file, wantedNumbers), highest: findHighest(file) },
    });
    if ("answer" in asked) {
      hasForgotten = takeAnswer(file, { client, cursor, isPull }, asked.answer) || hasForgotten;
      if (isPull && asked.answer.reached >= asked.answer.head) break;
      continue;
    }
    const { trouble } = asked;
    if (trouble.kind === "away") noteAbsence(file);
    if (trouble.kind === "away" || trouble.lasting === undefined || batch === undefined) {
      return endWith(trouble, asideCount);
    }
    // Who is refused without telling anything is refused for other reasons than what he tells.
    isAdmitted ||= await isLetIn(file, server);
    if (!isAdmitted) return endWith(trouble, asideCount);
    refusals += 1;
    if (splitBatch(file, batch.number)) continue;
    setAside(file, batch.number, trouble.lasting);
    asideCount += 1;
  }
  if (hasForgotten) wipe(file);
  return endWith(undefined, asideCount);
}

interface Exchanged {
  readonly trouble: Trouble | undefined;
  /** How many rows the server will never take, and were set aside. */
  readonly asideCount: number;
}

function endWith(trouble: Trouble | undefined, asideCount: number): Exchanged {
  return { trouble, asideCount };
}

async function isLetIn(file: MapFile, server: Server): Promise<boolean> {
  const { client, born, cursor } = readState(file);
  const highest = findHighest(file);
  const asked = await server.ask({
    ...{ client, born, cursor, isPull: false, batch: 0, body: "", numbers: 0, highest },
  });
  return "answer" in asked;
}

/** What to tell a person whose work goes on without the server. */
export function describeAbsence(file: MapFile, { shown }: SharedAddress, reason: string): string {
  const count = countQueued(file);
  const kept = count === 0 ? "nothing waits to be sent" : `${count} changes are kept and sent later`;
  return `the shared map ${shown} cannot be reached (${reason}): this desktop works with its own copy; ${kept}`;
}

/** What to tell a person of whose work a part will not reach the others. */
export function describeAside(file: MapFile, { shown }: SharedAddress, count: number): string {
  const reasons = [...new Set(readAside(file).map(({ code }) => describeLasting(code)))].join("; ");
  const rows = count === 1 ? "1 row" : `${count} rows`;
  return `the shared map ${shown} does not take ${rows} of this desktop (${reasons}): set aside in its own copy, the rest was sent; deskmap map stats tells how many there are`;
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
