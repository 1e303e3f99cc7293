import type { Effect } from "../model/effect.ts";
import type { Env } from "../model/env.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { traced } from "../model/trace.ts";
import type { ProcessKey } from "../os/index.ts";
import type { Hands } from "../platform/hands.ts";
import type { Approver } from "./approval/approver.ts";
import type { Gate } from "./gate.ts";
import { type GuardOptions, Permit } from "./permit.ts";
import type { Places } from "./places.ts";
import { FileTurns, type Holder, StoppableTurns, type Turn, type Turns } from "./turn.ts";

interface Call {
  readonly tool: string;
  readonly isDryRun: boolean;
  /** How long to wait while another client acts. */
  readonly timeoutMs: number;
  /** When a held turn ends by itself. */
  readonly untilMs?: number | undefined;
}

/** Only the guard has the platform's hands, opened for the first command. rules.ts decides what may pass. */
export class Guard {
  private hands: Promise<Result<Hands>> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private turn: Turn | undefined;

  constructor(
    private readonly options: GuardOptions,
    private readonly turns: Turns,
  ) {}

  /** Runs one action. Nobody else acts meanwhile, and its end is logged. */
  run(call: Call, work: (gate: Gate) => Promise<Result<Effect>>): Promise<Result<Effect>> {
    if (call.isDryRun) return work(refuseDeeds(new Permit(this.ownOptions(), call.tool)));
    return this.inTurn(call, async () => {
      const permit = new Permit(this.ownOptions(), call.tool);
      const outcome = await work(permit);
      return permit.conclude(outcome);
    });
  }

  /** Runs several actions through `held`, without any other action in between, not even of the same client. */
  hold<T>(call: Call, work: (held: Guard) => Promise<Result<T>>): Promise<Result<T>> {
    return this.inTurn(call, (turn) => work(new Guard(this.ownOptions(), shareTurn(turn))));
  }

  get gate(): Gate {
    return new Permit(this.ownOptions(), "clipboard");
  }

  close(): void {
    this.hands?.then((hands) => hands.ok && hands.value.close()).catch(() => undefined);
  }

  private ownOptions(): GuardOptions {
    return {
      ...this.options,
      openHands: () => this.open(),
      setAsking: (isAsking) => this.turn?.setAsking(isAsking),
    };
  }

  private async inTurn<T>(call: Call, work: (turn: Turn) => Promise<Result<T>>): Promise<Result<T>> {
    // Calls of one client also run one after the other.
    const before = this.last;
    const mine = Promise.withResolvers<void>();
    this.last = mine.promise;
    await before;
    const holder = { client: this.options.client.name, tool: call.tool, untilMs: call.untilMs };
    try {
      const turn = await traced(
        "guard",
        () => ["take the turn"],
        () => this.turns.take(holder, call.timeoutMs),
      );
      if (!turn.ok) return turn;
      this.turn = turn.value;
      try {
        return await work(turn.value);
      } finally {
        this.turn = undefined;
        turn.value.end();
      }
    } finally {
      // Always, or the next call of this client would wait for ever.
      mine.resolve();
    }
  }

  private open(): Promise<Result<Hands>> {
    this.hands ??= this.options.openHands();
    return this.hands;
  }
}

/** A dry run takes no turn and logs nothing, so nothing is done in it: nothing is made ready either. */
function refuseDeeds(permit: Permit): Gate {
  return {
    foresee: (...planned) => permit.foresee(...planned),
    readClipboard: (...asked) => permit.readClipboard(...asked),
    carryOut: async () => {
      const message = "nothing is done in a dry run, and something would have to be made ready to say more";
      return fail(makeFailure("NOT_VISIBLE", message, "bring it into view first, or do it."));
    },
  };
}

/** Inside a held turn, taking a turn succeeds at once, and ending it does nothing. */
function shareTurn({ setAsking }: Turn): Turns {
  return { take: () => Promise.resolve(succeed({ setAsking, end: () => {} })) };
}

export interface OpenGuardOptions extends Omit<GuardOptions, "approver"> {
  readonly env: Env;
  readonly places: Places;
  /** Called if a person stops everything while this process has the turn. */
  onStop(holder: Holder): void;
  /** The process at whose terminal a person may be asked; if undefined, only `deskmap approve` asks. */
  readonly terminal: "own" | ProcessKey | undefined;
}

/** The guard of a real desktop. Its turns and questions are shared by all processes of the user. */
export function openGuard({ env, places, onStop, terminal, ...options }: OpenGuardOptions): Guard {
  const approver: Approver = {
    // Loaded lazily: its cryptography takes longer than most actions.
    ask: async (...question) => {
      const { openOwnTerminal, PersonApprover } = await import("./approval/ask.ts");
      const { Terminal } = await import("./approval/terminal.ts");
      const openTerminal = terminal === "own" ? openOwnTerminal : () => terminal && Terminal.openOf(terminal);
      return new PersonApprover(places, undefined, openTerminal).ask(...question);
    },
  };
  const prepare = (): Promise<Result<void>> => prepareHotkey(options.policy.hasHotkey, env, places);
  const turns = new StoppableTurns(new FileTurns(places), options.records, { prepare, onStop });
  return new Guard({ ...options, approver }, turns);
}

/** Makes sure that a process listens for the stop keys. To be called by the holder of the turn. */
export async function prepareHotkey(hasHotkey: boolean, env: Env, places: Places): Promise<Result<void>> {
  if (!hasHotkey) return succeed(undefined);
  const { ensureHotkey, startHotkey } = await import("./stop/hotkey.ts");
  return ensureHotkey(places, () => startHotkey(env));
}
