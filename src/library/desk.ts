import { AsyncLocalStorage } from "node:async_hooks";
import type { Host } from "../host/port.ts";
import type { Env } from "../model/env.ts";
import type { EffectData } from "../show/effect.ts";
import type { FrameData } from "../show/frame.ts";
import type { ApplicationData, ListData, WindowData } from "../show/list.ts";
import { type ActOptions, Caller } from "./caller.ts";
import { DeskmapError } from "./error.ts";
import { Scope } from "./scope.ts";

export interface DeskOptions {
  /** The name under which the guard knows whoever calls; its log has it. */
  readonly client?: string | undefined;
  /** The desktop's environment, where it is not this process's own: DISPLAY and the rest. */
  readonly env?: Env | undefined;
  /** The deskmap program, where it is not the one of this package. */
  readonly program?: string | undefined;
  /** How long calls wait for a control to be there and ready, unless they say otherwise (10 s). */
  readonly timeoutMs?: number | undefined;
}

const defaultTimeoutMs = 10_000;

/** The whole desktop. */
export class Desk extends Scope {
  private lastHold: Promise<unknown> = Promise.resolve();
  /** The hold in which something runs; without a desk once it is over. */
  private readonly around = new AsyncLocalStorage<{ held: Desk | undefined }>();

  /** `ended` resolves when nothing of the connection is left; `turn` is the one in which all of this desk's calls are made. */
  constructor(
    host: Host,
    { timeoutMs = defaultTimeoutMs }: DeskOptions = {},
    private readonly ended: Promise<void> = Promise.resolve(),
    turn?: string,
  ) {
    super(new Caller(host, timeoutMs, turn), {});
  }

  /** The windows of an application; part of its name will do. It need not run yet. */
  app(name: string): Scope {
    return new Scope(this.caller, { app: name });
  }

  /** Windows by a part of their title. */
  window(title: string): Scope {
    return new Scope(this.caller, { window: title });
  }

  async windows(): Promise<readonly WindowData[]> {
    const list = await this.caller.ask<ListData>("list", {});
    return "windows" in list ? list.windows : [];
  }

  async apps(): Promise<readonly ApplicationData[]> {
    const list = await this.caller.ask<ListData>("list", { apps: true });
    return "apps" in list ? list.apps : [];
  }

  /** Opens an application, a file or an address. */
  open(what: string, args: readonly string[] = [], options: ActOptions = {}): Promise<EffectData> {
    return this.caller.act("open", { what, args }, {}, options);
  }

  /** A picture of the screen, or of one control, without what must not be seen. */
  async screenshot({ mark, scale }: { readonly mark?: number; readonly scale?: number } = {}): Promise<Uint8Array> {
    const { data = "" } = await this.caller.ask<FrameData>("screenshot", { id: mark, scale });
    return Buffer.from(data, "base64");
  }

  /**
   * Does several things that no other client's actions come between; at most `forMs` long. What is done with the desk that
   * `work` is given belongs to it; what is done with this one beside it does not, and waits like everybody else's. A second
   * hold of this desk begins when the first is over; one within the first belongs to it, and to its time.
   */
  hold<T>(work: (held: Desk) => Promise<T>, forMs = 30_000): Promise<T> {
    // Who holds the desktop already goes on holding it.
    if (this.caller.turn !== undefined) return work(this);
    const held = this.around.getStore()?.held;
    if (held !== undefined) return work(held);
    const holding = this.lastHold.then(() => this.holdOnce(work, forMs));
    this.lastHold = holding.catch(() => undefined);
    return holding;
  }

  private async holdOnce<T>(work: (held: Desk) => Promise<T>, forMs: number): Promise<T> {
    const { host, defaultTimeoutMs: timeoutMs } = this.caller;
    const begun = await host.begin(forMs);
    if (!begun.ok) throw new DeskmapError(begun.failure);
    const { turn } = begun.value;
    const held = new Desk(host, { timeoutMs }, this.ended, turn);
    const frame: { held: Desk | undefined } = { held };
    try {
      return await this.around.run(frame, () => work(held));
    } finally {
      // What was begun within it and goes on by itself holds nothing any more.
      frame.held = undefined;
      await host.end(turn);
    }
  }

  /** Any tool by its name, with its input as docs/tools.md lists it; the answer is its data. */
  call(tool: string, input: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return this.caller.ask(tool, input);
  }

  /** Ends the connection; a desk that was given for a hold has none of its own to end. */
  async close(): Promise<void> {
    if (this.caller.turn !== undefined) return;
    await this.caller.host.close();
    await this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
