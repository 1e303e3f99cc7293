import { utimesSync } from "node:fs";
import type { CallerProcess } from "../model/call-context.ts";
import type { Env } from "../model/env.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import type { Client } from "./gate.ts";
import type { Places } from "./places.ts";
import type { LivePolicy } from "./policy/live.ts";
import type { Records } from "./records.ts";
import { logRefusal, refuse } from "./refusals.ts";
import { forbidWhenStopped } from "./rules.ts";

interface ListeningOptions {
  readonly env: Env;
  readonly places: Places;
  readonly records: Records;
  readonly rules: LivePolicy;
  readonly client: Client;
  readonly timeoutMs: number;
  /** The process in whose terminal a person typed the command; "own" for this one, undefined if nobody typed it. */
  readonly typedIn: CallerProcess | "own" | undefined;
}

export interface Listening {
  /** Why it must end now. */
  findEnd(): Failure | undefined;
  end(steps: number): void;
}

const tool = "record";
const way = "listen";
const checkMs = 60_000;

/**
 * The right to observe a person's own input. Only a person gives it, by a command typed at a terminal in whose foreground it
 * runs; a client alone never gets it. It begins and ends in the log, and ends with a stop.
 */
export class ListeningPermit {
  constructor(private readonly options: ListeningOptions) {}

  async begin(): Promise<Result<Listening>> {
    const { records, client, rules, places } = this.options;
    const policy = await rules.refresh();
    if (!policy.ok) return policy;
    const { typedIn } = this.options;
    const isStopped = (): boolean => forbidWhenStopped(this.options) !== undefined;
    const asked = "Deskmap is to observe your pointer and keyboard. ";
    const forbidden = forbidWhenStopped(this.options) ?? (await askPersonToListen(places, typedIn, asked, isStopped));
    if (forbidden !== undefined) return fail(logRefusal(records, { client: client.name, tool }, forbidden));
    const ready = await this.prepareStop(policy.value.hasHotkey);
    if (!ready.ok) return ready;
    const words = "a person began it: buttons, wheel and keys are observed";
    const begun = records.write({ what: "begin", client: client.name, tool, way, words });
    if (!begun.ok) return begun;
    // The process that listens for the stop keys ends when nobody has acted for long.
    const timer = setInterval(() => touch(places.turn), checkMs);
    timer.unref();
    return succeed({
      findEnd: () => forbidWhenStopped(this.options),
      end: (steps) => {
        clearInterval(timer);
        const words = steps === 1 ? "1 step" : `${steps} steps`;
        // It is over: nobody is left to report a failure to.
        records.write({ what: "end", client: client.name, tool, begin: begun.value, way, effect: "ended", words });
      },
    });
  }

  /** Two Escapes must end it. The listener for them is started by the holder of the turn, so that there is only one. */
  private async prepareStop(hasHotkey: boolean): Promise<Result<void>> {
    const { env, places, client, timeoutMs } = this.options;
    const [{ FileTurns }, { prepareHotkey }] = await Promise.all([import("./turn.ts"), import("./guard.ts")]);
    const turn = await new FileTurns(places).take({ client: client.name, tool }, timeoutMs);
    if (!turn.ok) return turn;
    try {
      return await prepareHotkey(hasHotkey, env, places);
    } finally {
      turn.value.end();
    }
  }
}

/** Undefined if a person typed the command where it runs, and the PIN if there is one. */
export async function askPersonToListen(
  places: Places,
  typedIn: ListeningOptions["typedIn"],
  words: string,
  isStopped: () => boolean = () => false,
): Promise<Failure | undefined> {
  const [{ Terminal }, { askForPin, describeDamaged, readPin }] = await Promise.all([
    import("./approval/terminal.ts"),
    import("./approval/pin.ts"),
  ]);
  const terminal = typedIn === "own" ? Terminal.open() : typedIn && Terminal.openOf(typedIn);
  if (terminal === undefined) return describeNoPerson();
  try {
    const pin = readPin(places);
    if (pin === "damaged") return describeDamaged(places);
    if (pin === undefined) return undefined;
    terminal.write(`${words}To allow it, `);
    const key = await askForPin(places, pin, terminal, isStopped);
    return key.ok ? undefined : key.failure;
  } finally {
    terminal.close();
  }
}

function describeNoPerson(): Failure {
  const message = "only a person at a terminal may let Deskmap observe pointer and keyboard";
  return refuse("unasked", message, "run it in a terminal window, in the foreground.");
}

function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // The next action makes the file again.
  }
}
