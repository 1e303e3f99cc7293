import type { Host } from "../client/host.ts";
import { type ActOptions, Caller } from "./caller.ts";
import { DeskmapError } from "./error.ts";
import type { ApplicationInfo, Effect, WindowInfo } from "./results.ts";
import { Scope } from "./scope.ts";

export interface DeskOptions {
  /** The name under which the guard knows whoever calls; its log has it. */
  readonly client?: string | undefined;
  /** The desktop's environment, where it is not this process's own: DISPLAY and the rest. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The deskmap program, where it is not the one of this package. */
  readonly program?: string | undefined;
  /** How long calls wait for a control to be there and ready, unless they say otherwise (10 s). */
  readonly timeoutMs?: number | undefined;
}

const defaultTimeoutMs = 10_000;

/** The whole desktop. */
export class Desk extends Scope {
  /** `ended` resolves when nothing of the connection is left. */
  constructor(
    host: Host,
    { timeoutMs = defaultTimeoutMs }: DeskOptions = {},
    private readonly ended: Promise<void> = Promise.resolve(),
  ) {
    super(new Caller(host, timeoutMs), {});
  }

  /** The windows of an application; part of its name will do. It need not run yet. */
  app(name: string): Scope {
    return new Scope(this.caller, { app: name });
  }

  /** Windows by a part of their title. */
  window(title: string): Scope {
    return new Scope(this.caller, { window: title });
  }

  windows(): Promise<readonly WindowInfo[]> {
    return this.caller.ask("list", {});
  }

  apps(): Promise<readonly ApplicationInfo[]> {
    return this.caller.ask("list", { apps: true });
  }

  /** Opens an application, a file or an address. */
  open(what: string, args: readonly string[] = [], options: ActOptions = {}): Promise<Effect> {
    return this.caller.act("open", { what, args }, {}, options);
  }

  /** A picture of the screen, or of one control, without what must not be seen. */
  async screenshot({ mark, scale }: { readonly mark?: number; readonly scale?: number } = {}): Promise<Uint8Array> {
    const { data } = await this.caller.ask<{ readonly data: string }>("screenshot", { id: mark, scale });
    return Buffer.from(data, "base64");
  }

  /** Does several things that no other client's actions come between; at most `forMs` long. */
  async hold<T>(work: () => Promise<T>, forMs = 30_000): Promise<T> {
    const held = await this.caller.host.begin(forMs);
    if (!held.ok) throw new DeskmapError(held.failure);
    this.caller.turn = held.value.turn;
    try {
      return await work();
    } finally {
      this.caller.turn = undefined;
      await this.caller.host.end(held.value.turn);
    }
  }

  /** Any tool by its name, with its input as docs/tools.md lists it; the answer is its JSON. */
  call(tool: string, input: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return this.caller.ask(tool, input);
  }

  async close(): Promise<void> {
    await this.caller.host.close();
    await this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
