import { maxUnderWay } from "../src/inspector/messages.ts";
import type { Failure, Result } from "../src/model/failure.ts";

type Answer = (result: Result<unknown>) => void;

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

/** Sends at most as many requests at once as the server accepts, and queues the rest. An aborted request is dropped or cancelled. */
export class Requests {
  private nextId = 1;
  private readonly answers = new Map<number, Answer>();
  private readonly underWay = new Set<number>();
  private waiting: Request[] = [];

  constructor(private readonly send: (message: object) => void) {}

  ask(method: string, params: unknown, answer: Answer, signal?: AbortSignal): void {
    const id = this.nextId;
    this.nextId += 1;
    this.answers.set(id, answer);
    this.waiting.push({ id, method, params });
    signal?.addEventListener("abort", () => this.cancel(id), { once: true });
    this.sendNext();
  }

  receive(id: number, result: Result<unknown>): void {
    this.underWay.delete(id);
    this.answer(id, result);
    this.sendNext();
  }

  /** Fails all requests, sent and queued. */
  end(failure: Failure): void {
    this.waiting = [];
    this.underWay.clear();
    for (const id of [...this.answers.keys()]) this.answer(id, { ok: false, failure });
  }

  private answer(id: number, result: Result<unknown>): void {
    const answer = this.answers.get(id);
    this.answers.delete(id);
    answer?.(result);
  }

  private cancel(id: number): void {
    if (!this.answers.has(id)) return;
    this.waiting = this.waiting.filter((one) => one.id !== id);
    // It stays in `underWay`: the server counts it until it has answered.
    if (this.underWay.has(id)) this.send({ cancel: id });
    this.answer(id, { ok: false, failure: cancelled });
  }

  private sendNext(): void {
    while (this.underWay.size < maxUnderWay) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.underWay.add(next.id);
      this.send(next);
    }
  }
}

const cancelled: Failure = {
  code: "FAILED",
  message: "the request was cancelled",
  done: "it is not known what was done.",
};
