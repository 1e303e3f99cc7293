import { type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import type { LookTally } from "../audit/look-tally.ts";
import type { Records } from "../records.ts";
import type { Looks } from "./veil.ts";

/** Writes down what one client has looked at. */
export class LookRecord {
  constructor(
    private readonly looks: Looks,
    private readonly records: Pick<Records, "write">,
    private readonly client: string,
    private readonly tally: LookTally | undefined,
  ) {}

  /** What was only looked at is not given away after a stop. */
  write(tool: string, findStop: () => Failure | undefined): Result<void> {
    const { kinds, apps } = this.looks.take();
    if (kinds.length === 0) return succeed(undefined);
    const stopped = findStop();
    if (stopped !== undefined) return fail(stopped);
    const look = { what: "look", client: this.client, tool, apps, way: kinds.join(" ") } as const;
    if (this.tally !== undefined) return this.tally.write(this.records, look);
    const written = this.records.write(look);
    return written.ok ? succeed(undefined) : written;
  }

  /** How a look that lasts goes on, and at whom. */
  writeLasting(tool: string, apps: readonly string[], words: string): Result<void> {
    const { kinds } = this.looks.take();
    const way = kinds.length === 0 ? "tree" : kinds.join(" ");
    const written = this.records.write({ what: "look", client: this.client, tool, apps, way, words });
    return written.ok ? succeed(undefined) : written;
  }
}
