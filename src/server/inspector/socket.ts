import type { Events, Greeting, PanelReply } from "../../inspector/messages.ts";
import { type Failure, fail, nothingDone, type Result } from "../../model/failure.ts";
import type { Entry } from "./entry.ts";
import type { KeptHost } from "./keep-host.ts";
import { findMethod } from "./methods.ts";
import type { PanelContext } from "./panel.ts";

/** Time to say hello. */
const helloMs = 10_000;

export interface SocketMeans {
  readonly host: KeptHost;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly entry: Entry;
  readonly ownTitle: string;
}

/** As much of Bun's socket as is used. */
interface Wire {
  send(data: string | Uint8Array): number;
  getBufferedAmount(): number;
  close(code?: number, reason?: string): void;
}

/** One page's connection: nothing is heard before it has said who it is. */
export class PageSocket {
  private wire: Wire | undefined;
  private isLetIn = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly ending = new AbortController();
  private drained = Promise.withResolvers<void>();
  private pictures = 0;
  private readonly context: PanelContext;

  constructor(private readonly means: SocketMeans) {
    this.drained.resolve();
    const { host, env, ownTitle } = means;
    this.context = {
      host,
      env,
      ownTitle,
      signal: this.ending.signal,
      push: (event, data) => this.push(event, data),
      sendPicture: (file) => this.sendPicture(file),
      onHostOpen: (callback) => this.onHostOpen(callback),
    };
  }

  attach(wire: Wire): void {
    this.wire = wire;
    this.timer = setTimeout(() => this.refuse("It did not say who it is."), helloMs);
  }

  async hear(message: string | Uint8Array): Promise<void> {
    const said = typeof message === "string" ? parse(message) : undefined;
    if (!this.isLetIn) return this.greet(said);
    if (said === undefined || typeof said.id !== "number" || typeof said.method !== "string") {
      return this.refuse("That was no request.");
    }
    const result = await this.run(said.method, said.params);
    this.send({ id: said.id, ...result } satisfies PanelReply);
  }

  drain(): void {
    if ((this.wire?.getBufferedAmount() ?? 0) === 0) this.drained.resolve();
  }

  end(): void {
    clearTimeout(this.timer);
    this.ending.abort();
    this.drained.resolve();
    this.wire = undefined;
  }

  private greet(said: Fields | undefined): void {
    const hello = isFields(said?.hello) ? said.hello : {};
    const { entry, version, ownTitle } = this.means;
    const session =
      typeof hello.session === "string" && entry.isSession(hello.session)
        ? hello.session
        : entry.useToken(typeof hello.token === "string" ? hello.token : "");
    if (session === undefined) {
      return this.refuse(
        "The link was used before, or is of an inspector that has ended. Start it again: deskmap inspect",
      );
    }
    clearTimeout(this.timer);
    this.isLetIn = true;
    this.send({ welcome: { session, version, title: ownTitle } } satisfies Greeting);
    const tell = (state: Events["shell.host"]): void => void this.push("shell.host", state);
    tell(this.means.host.state);
    const release = this.means.host.onState(tell);
    this.ending.signal.addEventListener("abort", release, { once: true });
  }

  private refuse(why: string): void {
    this.send({ refused: why } satisfies Greeting);
    this.wire?.close(1008, "refused");
    this.end();
  }

  private async run(name: string, params: unknown): Promise<Result<unknown>> {
    const method = findMethod(name);
    if (method === undefined) return fail(describeUsage(`nothing is called "${name}" here`));
    const parsed = method.params.safeParse(params);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return fail(describeUsage(`${name}: ${String(issue?.path[0] ?? "")}: ${issue?.message ?? "not accepted"}`));
    }
    try {
      return await method.run(parsed.data, this.context);
    } catch (error) {
      return fail(describeFault(error));
    }
  }

  private push<Name extends keyof Events>(event: Name, data: Events[Name]): Promise<void> {
    this.send({ event, data });
    return this.drained.promise;
  }

  private sendPicture(file: Uint8Array): number {
    this.pictures += 1;
    const message = new Uint8Array(file.length + 4);
    new DataView(message.buffer).setUint32(0, this.pictures);
    message.set(file, 4);
    this.note(this.wire?.send(message));
    return this.pictures;
  }

  private send(message: object): void {
    this.note(this.wire?.send(JSON.stringify(message)));
  }

  /** -1: it waits to be taken. */
  private note(sent: number | undefined): void {
    if (sent === -1) this.drained = Promise.withResolvers();
  }

  private onHostOpen(callback: () => void): void {
    const release = this.means.host.onState(({ state }) => {
      if (state === "open") callback();
    });
    this.ending.signal.addEventListener("abort", release, { once: true });
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function describeUsage(message: string): Failure {
  return { code: "USAGE", message, done: nothingDone };
}

function describeFault(error: unknown): Failure {
  const message = `Deskmap itself failed: ${error instanceof Error ? error.message : String(error)}`;
  return { code: "FAILED", message, done: "it stopped there." };
}
