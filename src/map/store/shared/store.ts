import type { Env } from "../../../model/env.ts";
import { fail, makeFailure, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import { describeFailure, isUnwritable, MapFile } from "../database.ts";
import { mapPath } from "../places.ts";
import { MapUnavailable, type Mend } from "../port.ts";
import { SqliteStore } from "../sqlite.ts";
import { readAddress, type SharedAddress } from "./address.ts";
import { Server } from "./connect.ts";
import { describeAbsence, describeAside, exchange } from "./exchange.ts";
import { isAnyQueued } from "./outgoing.ts";
import { prepareReplica, readState } from "./replica.ts";
import type { Trouble } from "./trouble.ts";

/** How long received changes count as current. */
const freshMs = 2000;
const mendAbsence = "start the server that keeps it, or correct DESKMAP_MAP.";
const mendAside =
  "deskmap map stats shows the reasons; the administrator of the database can change its rules. Each row is sent again when it changes.";

/**
 * A map shared by several desktops. Each works on a local copy, which answers at once and offline; changes are
 * exchanged with the server.
 */
export class SharedStore extends SqliteStore {
  private settledAtMs = Number.NEGATIVE_INFINITY;
  /** Rows set aside that the user has not been told about. */
  private asideCount = 0;
  private mend: Mend = { words: "", isNote: true };

  private constructor(
    file: MapFile,
    private readonly address: SharedAddress,
    private readonly server: Server,
  ) {
    super(file);
  }

  /** Throws MapUnavailable if the only problem is that the copy cannot be written. */
  static async join(env: Env): Promise<Result<SharedStore>> {
    const address = readAddress(env);
    if (!address.ok) return address;
    const path = mapPath(env);
    let file: MapFile | undefined;
    try {
      file = MapFile.open(path);
      if (prepareReplica(file)) return await new SharedStore(file, address.value, new Server(address.value)).enter();
      file.close();
      return fail(describeUnshared(path));
    } catch (error) {
      const why = error instanceof MapUnavailable ? error : undefined;
      const failure = why?.failure ?? describeFailure(path, error);
      file?.close();
      if (why?.isUnwritable || isUnwritable(error)) throw new MapUnavailable(failure, true);
      return fail(failure);
    }
  }

  /** Skips the request if nothing is waiting and the server answered recently. */
  override async settle(): Promise<string | undefined> {
    try {
      return await this.tell();
    } catch (error) {
      if (error instanceof MapUnavailable) return error.failure.message;
      throw error;
    }
  }

  private async tell(): Promise<string | undefined> {
    const isFresh = performance.now() - this.settledAtMs < freshMs && this.wantedNumbers === 0;
    const trouble = isFresh && !isAnyQueued(this.file) ? undefined : await this.exchange();
    if (trouble === undefined) return this.tellAside();
    this.mend = { words: (trouble.kind === "refused" && trouble.failure.suggestion) || mendAbsence, isNote: false };
    return trouble.kind === "away" ? describeAbsence(this.file, this.address, trouble.reason) : trouble.failure.message;
  }

  private tellAside(): string | undefined {
    const count = this.asideCount;
    this.asideCount = 0;
    this.mend = { words: mendAside, isNote: true };
    return count === 0 ? undefined : describeAside(this.file, this.address, count);
  }

  findMend(): Mend {
    return this.mend;
  }

  override close(): void {
    this.server.close();
    super.close();
  }

  private async enter(): Promise<Result<SharedStore>> {
    const trouble = await this.exchange();
    if (trouble === undefined) return succeed(this);
    const isKnown = readState(this.file).born !== undefined;
    if (trouble.kind === "away" && isKnown) return succeed(this);
    this.close();
    return fail(trouble.kind === "refused" ? trouble.failure : describeUnreached(this.address, trouble.reason));
  }

  private async exchange(): Promise<Trouble | undefined> {
    const { file, server, wantedNumbers } = this;
    const { trouble, asideCount } = await exchange({ file, server, wantedNumbers });
    this.asideCount += asideCount;
    if (trouble !== undefined) return trouble;
    this.wantedNumbers = 0;
    this.settledAtMs = performance.now();
    return undefined;
  }
}

function describeUnreached({ shown }: SharedAddress, reason: string) {
  return makeFailure(
    "UNAVAILABLE",
    `the shared map ${shown} cannot be reached (${reason}), and this desktop has no copy of it yet`,
    "start the server or correct DESKMAP_MAP; or unset it to use the map of this user.",
  );
}

function describeUnshared(path: string) {
  return {
    code: "UNAVAILABLE" as const,
    message: `the copy of the shared map holds a map that was never shared: ${path}`,
    suggestion: `set it aside: mv '${path}' '${path}.aside'`,
    done: `${nothingDone} the file is untouched.`,
  };
}
