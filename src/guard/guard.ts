import type { Effect } from "../model/effect.ts";
import { type Result, succeed } from "../model/failure.ts";
import { traced } from "../model/trace.ts";
import type { Hands } from "../platform/hands.ts";
import type { Gate } from "./gate.ts";
import { type GuardOptions, Permit } from "./permit.ts";
import type { Turn, Turns } from "./turn.ts";

export interface Call {
  readonly tool: string;
  readonly isDryRun: boolean;
  /** How long to wait while another client acts. */
  readonly timeoutMs: number;
  /** When a held turn ends by itself. */
  readonly untilMs?: number | undefined;
}

/**
 * Every action passes the guard: only it has the platform's hands, which it opens for the first command. rules.ts decides
 * what may pass.
 */
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
    if (call.isDryRun) return work(new Permit(this.ownOptions(), call.tool));
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

  /** For reading the clipboard. */
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

/** Inside a held turn, taking a turn succeeds at once, and ending it does nothing. */
function shareTurn({ setAsking }: Turn): Turns {
  return { take: () => Promise.resolve(succeed({ setAsking, end: () => {} })) };
}
