import type { RecordedAction } from "../model/demo.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import type { Listened, RingState } from "./port.ts";

const mostSteps = 2000;
const forgetMs = 15_000;

const switchedOff = "it was switched off";

interface Current {
  readonly ending: AbortController;
  readonly done: Promise<void>;
  readonly sinceMs: number;
  readonly minutes: number;
}

type Listen = (signal: AbortSignal) => AsyncIterable<Result<Listened>>;

/** What a person did in the last minutes, in the memory of this process alone. It is forgotten when listening ends. */
export class Ring {
  private steps: readonly RecordedAction[] = [];
  private current: Current | undefined;
  private ended: string | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  get state(): RingState {
    this.forgetOld();
    const { minutes = 0, sinceMs } = this.current ?? {};
    const [oldest] = this.steps;
    return {
      isOn: this.current !== undefined,
      minutes,
      steps: this.steps.length,
      ...(sinceMs === undefined ? {} : { sinceMs }),
      ...(oldest === undefined ? {} : { oldestMs: oldest.atMs }),
      ...(this.ended === undefined ? {} : { ended: this.ended }),
    };
  }

  /** Oldest first. */
  list(sinceMs = 0): readonly RecordedAction[] {
    this.forgetOld();
    return this.steps.filter(({ atMs }) => atMs >= sinceMs);
  }

  /** Resolves once the person is listened to, or with the reason why not; it goes on by itself then. */
  async begin(minutes: number, listen: Listen): Promise<Result<RingState>> {
    if (this.current !== undefined) return fail(describeOn(this.current.minutes));
    const ending = new AbortController();
    const begun = Promise.withResolvers<Failure | undefined>();
    const timer = setInterval(() => this.forgetOld(), forgetMs);
    timer.unref();
    const follow = async (): Promise<string> => {
      for await (const one of listen(ending.signal)) {
        if (!one.ok) {
          begun.resolve(one.failure);
          return one.failure.message;
        }
        if (one.value.of === "begun") begun.resolve(undefined);
        else if (!ending.signal.aborted) this.steps = [...this.steps, one.value.step].slice(-mostSteps);
      }
      begun.resolve(makeFailure("CANCELLED", switchedOff));
      return switchedOff;
    };
    const done = follow()
      .catch((error: unknown) => {
        begun.resolve(makeFailure("FAILED", "listening failed"));
        return `listening failed: ${error instanceof Error ? error.name : typeof error}`;
      })
      .then((why) => {
        clearInterval(timer);
        this.steps = [];
        this.ended = why;
        this.current = undefined;
      });
    this.current = { ending, done, sinceMs: this.now(), minutes };
    this.ended = undefined;
    const failure = await begun.promise;
    if (failure === undefined) return succeed(this.state);
    await done;
    return fail(failure);
  }

  /** Forgets everything, and resolves when nobody listens any more. */
  async end(): Promise<void> {
    this.current?.ending.abort();
    this.steps = [];
    await this.current?.done;
  }

  private forgetOld(): void {
    const earliestMs = this.now() - (this.current?.minutes ?? 0) * 60_000;
    if (this.steps.some(({ atMs }) => atMs < earliestMs)) {
      this.steps = this.steps.filter(({ atMs }) => atMs >= earliestMs);
    }
  }
}

function describeOn(minutes: number): Failure {
  return makeFailure("USAGE", `it is on already, for ${minutes} minutes`, "deskmap record ring off");
}
