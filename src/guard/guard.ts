import type { Effect } from "../model/effect.ts";
import { type Result, succeed } from "../model/failure.ts";
import { traced } from "../model/trace.ts";
import type { Hands } from "../platform/hands.ts";
import type { Gate } from "./gate.ts";
import { type Means, Permit } from "./permit.ts";
import type { Turn, Turns } from "./turn.ts";

export interface Call {
  readonly tool: string;
  readonly isDryRun: boolean;
  /** How long to wait while another client acts. */
  readonly timeoutMs: number;
  /** When a turn that is held ends by itself. */
  readonly untilMs?: number | undefined;
}

/**
 * The one gate that every action passes: it alone holds the platform's hands, and opens them when the first command comes.
 * What may pass is decided in rules.ts, by the policy.
 */
export class Guard {
  private hands: Promise<Result<Hands>> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private turn: Turn | undefined;

  constructor(
    private readonly means: Means,
    private readonly turns: Turns,
  ) {}

  /** One action: nobody else acts meanwhile, and what it did is written down. */
  run(call: Call, work: (gate: Gate) => Promise<Result<Effect>>): Promise<Result<Effect>> {
    if (call.isDryRun) return work(new Permit(this.ownMeans(), call.tool));
    return this.inTurn(call, async () => {
      const permit = new Permit(this.ownMeans(), call.tool);
      const outcome = await work(permit);
      return permit.conclude(outcome);
    });
  }

  /** Several actions that nobody else's may come between, nor others of the same client: they go through `held`. */
  hold<T>(call: Call, work: (held: Guard) => Promise<Result<T>>): Promise<Result<T>> {
    return this.inTurn(call, (turn) => work(new Guard(this.ownMeans(), shareTurn(turn))));
  }

  /** For what only reads what the hands can reach. */
  get gate(): Gate {
    return new Permit(this.ownMeans(), "clipboard");
  }

  close(): void {
    this.hands?.then((hands) => hands.ok && hands.value.close()).catch(() => undefined);
  }

  private ownMeans(): Means {
    return {
      ...this.means,
      openHands: () => this.open(),
      tellAsking: (isAsking) => this.turn?.tellAsking(isAsking),
    };
  }

  private async inTurn<T>(call: Call, work: (turn: Turn) => Promise<Result<T>>): Promise<Result<T>> {
    // Calls of one client are done one after the other, too.
    const before = this.last;
    const mine = Promise.withResolvers<void>();
    this.last = mine.promise;
    await before;
    const holder = { client: this.means.client.name, tool: call.tool, untilMs: call.untilMs };
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
      // Whatever happened: the next call of this client must not wait for ever.
      mine.resolve();
    }
  }

  private open(): Promise<Result<Hands>> {
    this.hands ??= this.means.openHands();
    return this.hands;
  }
}

/** Within a turn that is held there is none to wait for, and none to end. */
function shareTurn({ tellAsking }: Turn): Turns {
  return { take: () => Promise.resolve(succeed({ tellAsking, end: () => {} })) };
}
