import type { CallReply, CallRequest, Host } from "../../src/host/port.ts";
import type { ChangeLine } from "../../src/model/change-line.ts";
import { fail, nothingDone, type Result, succeed } from "../../src/model/failure.ts";
import { KeptHost } from "../../src/server/inspector/keep-host.ts";

export interface FakeHost extends Host {
  readonly calls: CallRequest[];
  /** Sends one more batch to all watchers. */
  tell(lines: readonly ChangeLine[]): void;
  /** Simulates a daemon that ends. */
  lose(why: string): void;
  onLost(callback: (why: string) => void): void;
}

/** A host with scripted answers and changes. */
export function makeFakeHost(
  first: readonly ChangeLine[] = [],
  answer: (request: CallRequest) => unknown = () => undefined,
): FakeHost {
  const listeners = new Set<(lines: readonly ChangeLine[]) => void>();
  const losers = new Set<(why: string) => void>();
  const calls: CallRequest[] = [];
  const failure = { code: "UNAVAILABLE" as const, message: "nothing to see", done: nothingDone };
  return {
    calls,
    async call(request): Promise<CallReply> {
      calls.push(request);
      const value = answer(request);
      if (value === undefined) return { outputs: {}, failure, exitCode: 1, warnings: [] };
      return { outputs: {}, data: JSON.parse(JSON.stringify(value)), exitCode: 0, warnings: [] };
    },
    async *watch(_request, signal): AsyncIterable<Result<readonly ChangeLine[]>> {
      const waiting: (readonly ChangeLine[])[] = [first];
      let wake = Promise.withResolvers<void>();
      let end: string | undefined;
      const hear = (lines: readonly ChangeLine[]): void => {
        waiting.push(lines);
        wake.resolve();
      };
      const lose = (why: string): void => {
        end = why;
        wake.resolve();
      };
      listeners.add(hear);
      losers.add(lose);
      signal.addEventListener("abort", () => wake.resolve());
      try {
        while (!signal.aborted) {
          for (let lines = waiting.shift(); lines !== undefined; lines = waiting.shift()) yield succeed(lines);
          if (end !== undefined) return yield fail({ ...failure, message: end });
          await wake.promise;
          wake = Promise.withResolvers();
        }
      } finally {
        listeners.delete(hear);
        losers.delete(lose);
      }
    },
    async *observe() {
      yield fail(failure);
    },
    async *listen() {
      yield fail(failure);
    },
    async *send() {
      yield fail(failure);
    },
    recall: async () => fail(failure),
    ring: async () => fail(failure),
    begin: async () => fail(failure),
    end: async () => succeed(undefined),
    close: async () => undefined,
    tell(lines) {
      for (const listener of listeners) listener(lines);
    },
    lose(why) {
      for (const loser of [...losers]) loser(why);
    },
    onLost(callback) {
      losers.add(callback);
    },
  };
}

export async function keep(host: FakeHost): Promise<KeptHost> {
  const kept = new KeptHost(async () => succeed(host));
  await kept.start();
  return kept;
}
