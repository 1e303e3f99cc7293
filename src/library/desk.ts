import { AsyncLocalStorage } from "node:async_hooks";
import type { Demo } from "../demo/file.ts";
import { chooseValues, type Values } from "../demo/parameters.ts";
import { picturesOf } from "../demo/pictures.ts";
import { checkDemo, readDemoFile } from "../demo/read.ts";
import { replay } from "../demo/replay/replay.ts";
import type { ReplayReport } from "../demo/replay/report.ts";
import type { Host } from "../host/port.ts";
import type { Env } from "../model/env.ts";
import type { EffectData } from "../show/effect.ts";
import type { FrameData } from "../show/frame.ts";
import type { ApplicationData, ListData, WindowData } from "../show/list.ts";
import { type ActOptions, Caller, type Selection } from "./caller.ts";
import { DeskmapError } from "./error.ts";
import { DemoRecording, type RecordOptions } from "./record.ts";
import { Scope } from "./scope.ts";

export interface DeskOptions {
  /** The client's name in the policy and the log. */
  readonly client?: string | undefined;
  /** The desktop's environment (DISPLAY and others); by default this process's. */
  readonly env?: Env | undefined;
  /** The deskmap program; by default that of this package. */
  readonly program?: string | undefined;
  /** False: the map is not written, and new marks are temporary. */
  readonly memory?: boolean | undefined;
  /** How long calls wait for a control to be there and ready (10 s). */
  readonly timeoutMs?: number | undefined;
}

/** Which part of a demo is run, and how. */
export interface ReplayRange {
  /** The first and the last step, from 1. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only find each control, and do nothing. */
  readonly isDry?: boolean | undefined;
  /** Also steps that are known by their place only, where it looks as it did; "unseen": also without a picture of it. */
  readonly allowsCoordinates?: boolean | "unseen" | undefined;
  /** Also steps that were recorded with a doubt. */
  readonly allowsDoubtful?: boolean | undefined;
  /** How long each step waits for what it needs. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const defaultTimeoutMs = 10_000;

export class Desk extends Scope {
  private lastHold: Promise<unknown> = Promise.resolve();
  /** The hold around the current code; without a desk once it is over. */
  private readonly around = new AsyncLocalStorage<{ held: Desk | undefined }>();

  /** `ended` resolves when the connection is closed; `turn` is the turn of all calls of this desk. */
  constructor(
    host: Host,
    private readonly options: DeskOptions = {},
    private readonly ended: Promise<void> = Promise.resolve(),
    turn?: string,
  ) {
    super(new Caller(host, options.timeoutMs ?? defaultTimeoutMs, turn), {});
  }

  /** The windows of an application, by a part of its name. It need not run yet. */
  app(name: string): Scope {
    return new Scope(this.caller, { app: name });
  }

  /** Windows by a part of their title. */
  window(title: string): Scope {
    return new Scope(this.caller, { window: title });
  }

  /** Windows by everything that is given: application, title, the id that `windows` lists, process. */
  scope(selection: Selection): Scope {
    return new Scope(this.caller, selection);
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

  /** A redacted picture of the screen or of one control; a locator takes its own. */
  async screenshot({ mark, scale }: { readonly mark?: number; readonly scale?: number } = {}): Promise<Uint8Array> {
    const { data = "" } = await this.caller.ask<FrameData>("screenshot", { id: mark, scale });
    return Buffer.from(data, "base64");
  }

  /**
   * Runs several actions without any other client's in between, for at most `forMs`. Only calls of the desk that `work`
   * gets belong to the hold; calls of this desk wait as other clients' do. A second hold begins when the first is over; one
   * inside the first is a part of it.
   */
  hold<T>(work: (held: Desk) => Promise<T>, forMs = 30_000): Promise<T> {
    // Inside a hold: the turn is held already.
    if (this.caller.turn !== undefined) return work(this);
    const held = this.around.getStore()?.held;
    if (held !== undefined) return work(held);
    const holding = this.lastHold.then(() => this.holdOnce(work, forMs));
    this.lastHold = holding.catch(() => undefined);
    return holding;
  }

  private async holdOnce<T>(work: (held: Desk) => Promise<T>, forMs: number): Promise<T> {
    const { host } = this.caller;
    const begun = await host.begin(forMs);
    if (!begun.ok) throw new DeskmapError(begun.failure);
    const { turn } = begun.value;
    const held = new Desk(host, this.options, this.ended, turn);
    const frame: { held: Desk | undefined } = { held };
    try {
      return await this.around.run(frame, () => work(held));
    } finally {
      // Code that still runs after the hold must not use it.
      frame.held = undefined;
      await host.end(turn);
    }
  }

  /**
   * Runs a demo, given as its content or as the path of its file, with values for its parameters. It stops at the first
   * doubt, which is thrown: the error says what was sought, what is there instead and what was done.
   */
  async replay(demo: Demo | string, params: Values = {}, options: ReplayRange = {}): Promise<ReplayReport> {
    const read = typeof demo === "string" ? readDemoFile(demo) : checkDemo(demo, "the demo");
    if (!read.ok) throw new DeskmapError(read.failure);
    const values = chooseValues(read.value, params);
    if (!values.ok) throw new DeskmapError(values.failure);
    const { host, defaultTimeoutMs: timeoutMs, turn } = this.caller;
    const own = {
      call: (...call: Parameters<Host["call"]>) => this.caller.send(...call),
      watch: (...watch: Parameters<Host["watch"]>) => host.watch(...watch),
    };
    const pictures = typeof demo === "string" ? picturesOf(demo) : undefined;
    const report = await replay(read.value, { timeoutMs, ...options, host: own, turn, pictures, values: values.value });
    if (report.stop !== undefined) throw new DeskmapError(report.stop.failure);
    return report;
  }

  /**
   * Records the actions of this desk from now on, also those of a hold; `stop` returns them as a demo. Nobody is listened to:
   * what other clients and people do is not in it.
   */
  record(name = "recorded", options: RecordOptions = {}): DemoRecording {
    return new DemoRecording(this.caller.host, name, { ...options, client: this.options.client });
  }

  /** Any tool by its name, with its input as docs/tools.md lists it; the answer is its data. */
  call(tool: string, input: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return this.caller.ask(tool, input);
  }

  /** Closes the connection; does nothing for the desk of a hold, which has none of its own. */
  async close(): Promise<void> {
    if (this.caller.turn !== undefined) return;
    await this.caller.host.close();
    await this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
