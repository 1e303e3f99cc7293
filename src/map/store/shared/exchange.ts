import type { MapFile } from "../database.ts";
import { countLacking, findHighest } from "../leases.ts";
import type { SharedAddress } from "./address.ts";
import type { Server } from "./connect.ts";
import { takeAnswer } from "./incoming.ts";
import { countQueued, takeBatch } from "./outgoing.ts";
import { readState } from "./replica.ts";
import { readAside, setAside, splitBatch } from "./set-aside.ts";
import { describeLasting, type Trouble } from "./trouble.ts";

/** Initial and maximum pause after the server was unreachable. */
const [firstPauseMs, longestPauseMs] = [2000, 60_000];

/** How many refusals one exchange follows up: isolating one row among thousands takes about a dozen. */
const mostRefusals = 100;

export interface Exchange {
  readonly file: MapFile;
  readonly server: Server;
  /** Numbers that a read asked for and did not get. */
  readonly wantedNumbers: number;
}

/**
 * Sends all pending changes, then receives those of others. Sending completes first: only a desktop that has not yet
 * received a control can have discovered it independently.
 */
export async function exchange({ file, server, wantedNumbers }: Exchange): Promise<Exchanged> {
  const { retryAtMs } = readState(file);
  const pauseMs = retryAtMs - Date.now();
  // A longer pause is never set: the clock was moved back.
  if (pauseMs > 0 && pauseMs <= longestPauseMs)
    return { trouble: { kind: "away", reason: "it did not answer a moment ago" }, asideCount: 0 };
  let [hasForgotten, isAdmitted, asideCount] = [false, false, 0];
  for (let refusals = 0; refusals < mostRefusals; ) {
    const batch = takeBatch(file);
    const { client, born, cursor } = readState(file);
    const isPull = batch?.isLast ?? true;
    const changes = { batch: batch?.number ?? 0, body: batch?.body ?? "" };
    const numbers = { numbers: countLacking(file, wantedNumbers), highest: findHighest(file) };
    const asked = await server.ask({ client, born, cursor, isPull, ...changes, ...numbers });
    if ("answer" in asked) {
      hasForgotten = takeAnswer(file, { client, cursor, isPull }, asked.answer) || hasForgotten;
      if (isPull && asked.answer.reached >= asked.answer.head) break;
      continue;
    }
    const { trouble } = asked;
    if (trouble.kind === "away") noteAbsence(file);
    if (trouble.kind === "away" || trouble.lasting === undefined || batch === undefined) {
      return { trouble, asideCount };
    }
    // If an empty request is refused too, the reason is not the data.
    isAdmitted ||= await isAdmittedEmpty(file, server);
    if (!isAdmitted) return { trouble, asideCount };
    refusals += 1;
    if (splitBatch(file, batch.number)) continue;
    setAside(file, batch.number, trouble.lasting);
    asideCount += 1;
  }
  if (hasForgotten) wipe(file);
  return { trouble: undefined, asideCount };
}

interface Exchanged {
  readonly trouble: Trouble | undefined;
  /** How many rows the server rejects permanently and were set aside. */
  readonly asideCount: number;
}

async function isAdmittedEmpty(file: MapFile, server: Server): Promise<boolean> {
  const { client, born, cursor } = readState(file);
  const highest = findHighest(file);
  const asked = await server.ask({ client, born, cursor, isPull: false, batch: 0, body: "", numbers: 0, highest });
  return "answer" in asked;
}

/** The message when work continues without the server. */
export function describeAbsence(file: MapFile, { shown }: SharedAddress, reason: string): string {
  const count = countQueued(file);
  const kept = count === 0 ? "nothing is waiting to be sent" : `${count} changes will be sent later`;
  return `the shared map ${shown} cannot be reached (${reason}): using the local copy; ${kept}`;
}

/** The message when some rows will not reach the server. */
export function describeAside(file: MapFile, { shown }: SharedAddress, count: number): string {
  const reasons = [...new Set(readAside(file).map(({ code }) => describeLasting(code)))].join("; ");
  const rows = count === 1 ? "1 row" : `${count} rows`;
  return `the shared map ${shown} rejects ${rows} of this desktop (${reasons}): they are kept in the local copy, the rest was sent; deskmap map stats counts them`;
}

function noteAbsence(file: MapFile): void {
  const { failures } = readState(file);
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 10));
  file.run("UPDATE shared_state SET failures = failures + 1, retry_at = ?", Date.now() + pauseMs);
}

/** Deleting alone leaves the bytes in the file and in its journal. */
function wipe(file: MapFile): void {
  file.run("VACUUM");
  file.get("PRAGMA wal_checkpoint(TRUNCATE)");
}
