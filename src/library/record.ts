import type { Demo } from "../demo/file.ts";
import { makeDemo } from "../demo/make.ts";
import { checkDemo } from "../demo/read.ts";
import type { Host } from "../host/port.ts";
import type { RecordedAction } from "../model/demo.ts";
import { actingAliases } from "../model/tool-name.ts";
import { callObservers, type MadeCall } from "./caller.ts";
import { DeskmapError } from "./error.ts";

export interface RecordOptions {
  /** What it is for. */
  readonly description?: string | undefined;
}

/** The host knows the last 500 actions of 30 minutes: before that, they are fetched. */
const [mostCalls, longestMs] = [150, 10 * 60_000];
/** Two clocks of one machine may be read a little apart. */
const slackMs = 5;

/** What one desk does, from `desk.record()` to `stop()`. */
export class DemoRecording {
  private calls: readonly MadeCall[] = [];
  private actions: readonly RecordedAction[] = [];
  private fetchedMs = Date.now();
  private fetching: Promise<void> = Promise.resolve();
  private isOver = false;

  constructor(
    private readonly host: Host,
    private readonly name: string,
    private readonly options: RecordOptions & { readonly client?: string | undefined } = {},
  ) {
    const observers = callObservers.get(host) ?? new Set();
    callObservers.set(host, observers.add(this.note));
  }

  /** Ends it, and returns what was done as a demo; later calls return the same. */
  async stop(): Promise<Demo> {
    this.isOver = true;
    callObservers.get(this.host)?.delete(this.note);
    this.fetch();
    await this.fetching;
    const { description, client } = this.options;
    const made = makeDemo(this.actions, { name: this.name, description, client });
    const checked = checkDemo(JSON.parse(JSON.stringify(made)), "the demo");
    if (!checked.ok) throw new DeskmapError(checked.failure);
    return checked.value;
  }

  private readonly note = (made: MadeCall): void => {
    this.calls = [...this.calls, made];
    if (this.isOver) return;
    if (this.calls.length >= mostCalls || made.endedMs - this.fetchedMs > longestMs) this.fetch();
  };

  private fetch(): void {
    const { calls } = this;
    this.calls = [];
    this.fetchedMs = Date.now();
    const [first] = calls;
    if (first === undefined) return;
    const work = this.fetching.then(async () => {
      const recalled = await this.host.recall({
        sinceMs: first.beganMs - slackMs,
        client: this.options.client,
      });
      if (!recalled.ok) throw new DeskmapError(recalled.failure);
      this.actions = [...this.actions, ...chooseOwn(recalled.value, calls)];
    });
    this.fetching = work;
    // It is thrown by `stop`.
    work.catch(() => undefined);
  }
}

/**
 * The actions that these calls did. Another client may have acted while a call waited for its turn, but ended before it: of
 * those within a call, its own is the last.
 */
export function chooseOwn(actions: readonly RecordedAction[], calls: readonly MadeCall[]): readonly RecordedAction[] {
  const own = new Set<RecordedAction>();
  for (const { tool, beganMs, endedMs } of calls) {
    const within = actions.filter(
      ({ atMs, tookMs, by }) => by === "agent" && atMs >= beganMs - slackMs && atMs + tookMs <= endedMs + slackMs,
    );
    const named = Object.entries(actingAliases).find(([alias]) => alias === tool)?.[1] ?? tool;
    const fit = tool === "do" ? within : within.filter((one) => one.tool === named).slice(-1);
    for (const one of fit) own.add(one);
  }
  return actions.filter((one) => own.has(one));
}
