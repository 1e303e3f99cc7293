import { type Events, type Greeting, maxUnderWay, type PanelReply } from "../../inspector/messages.ts";
import { isNonce } from "../../inspector/proof.ts";
import { nameFault } from "../../model/caught.ts";
import type { Env } from "../../model/env.ts";
import { describeIssue, type Failure, fail, makeFailure, type Result } from "../../model/failure.ts";
import { findIssue } from "../../tools/define.ts";
import type { Challenge, Entry } from "./entry.ts";
import type { KeptHost } from "./keep-host.ts";
import type { Method, PanelContext } from "./panel.ts";
import { activityMethods } from "./panels/activity.ts";
import { demosMethods } from "./panels/demos.ts";
import { elementMethods } from "./panels/element.ts";
import { mapMethods } from "./panels/map.ts";
import { screenMethods } from "./panels/screen.ts";
import { treeMethods } from "./panels/tree.ts";

const methods: ReadonlyMap<string, Method> = new Map(
  [
    ...[...screenMethods, ...treeMethods, ...elementMethods],
    ...[...mapMethods, ...activityMethods, ...demosMethods],
  ].map((one) => [one.name, one]),
);

export function findMethod(name: string): Method | undefined {
  return methods.get(name);
}

const helloMs = 10_000;
const maxHelloBytes = 4096;

export interface InspectorContext {
  readonly host: KeptHost;
  readonly env: Env;
  readonly version: string;
  readonly entry: Entry;
  readonly ownTitle: string;
}

interface Wire {
  send(data: string | Uint8Array): number;
  getBufferedAmount(): number;
  close(code?: number, reason?: string): void;
}

/** One page's connection: no request is taken before the page has proved that it knows the key. */
export class PageSocket {
  private wire: Wire | undefined;
  private isIn = false;
  private challenge: Challenge | undefined;
  private readonly underWay = new Map<number, AbortController>();
  private timer: NodeJS.Timeout | undefined;
  private readonly ending = new AbortController();
  private readonly pressure = new BackPressure();
  private pictures = 0;
  private readonly context: PanelContext;

  constructor(private readonly inspector: InspectorContext) {
    const { host, env, ownTitle } = inspector;
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

  get isLetIn(): boolean {
    return this.isIn;
  }

  attach(wire: Wire): void {
    this.wire = wire;
    this.timer = setTimeout(() => this.refuse("It did not say who it is."), helloMs);
  }

  async hear(message: string | Uint8Array): Promise<void> {
    if (!this.isIn && message.length > maxHelloBytes) return this.refuse();
    const said = typeof message === "string" ? parse(message) : undefined;
    if (!this.isIn) return this.challenge === undefined ? this.greet(said) : this.letIn(this.challenge, said);
    if (typeof said?.cancel === "number") return this.underWay.get(said.cancel)?.abort();
    if (said === undefined || typeof said.id !== "number" || typeof said.method !== "string") {
      return this.refuse("That was no request.");
    }
    const { id } = said;
    if (this.underWay.has(id)) return this.refuse("It used a number twice.");
    const result = this.underWay.size < maxUnderWay ? await this.run(id, said.method, said.params) : fail(tooMuch);
    this.send({ id, ...result } satisfies PanelReply);
  }

  drain(): void {
    if ((this.wire?.getBufferedAmount() ?? 0) === 0) this.pressure.release();
  }

  end(): void {
    clearTimeout(this.timer);
    this.ending.abort();
    this.pressure.release();
    this.wire = undefined;
  }

  private greet(said: Fields | undefined): void {
    const nonce = isFields(said?.hello) ? said.hello.nonce : undefined;
    this.challenge = isNonce(nonce) ? this.inspector.entry.challenge(nonce) : undefined;
    if (this.challenge === undefined) return this.refuse();
    this.send({ proof: this.challenge.said } satisfies Greeting);
  }

  private letIn(challenge: Challenge, said: Fields | undefined): void {
    const { entry, version, ownTitle } = this.inspector;
    if (typeof said?.proof !== "string" || !entry.accept(challenge, said.proof)) return this.refuse();
    clearTimeout(this.timer);
    this.isIn = true;
    this.ending.signal.addEventListener("abort", entry.enter(), { once: true });
    this.send({ welcome: { version, title: ownTitle } } satisfies Greeting);
    const tell = (state: Events["shell.host"]): void => void this.push("shell.host", state);
    tell(this.inspector.host.state);
    const release = this.inspector.host.onState(tell);
    this.ending.signal.addEventListener("abort", release, { once: true });
  }

  refuse(why = notLetIn): void {
    this.send({ refused: why } satisfies Greeting);
    this.wire?.close(1008, "refused");
    this.end();
  }

  private async run(id: number, name: string, params: unknown): Promise<Result<unknown>> {
    const method = findMethod(name);
    if (method === undefined) return fail(makeFailure("USAGE", `nothing is called "${name}" here`));
    const parsed = method.params.safeParse(params);
    if (!parsed.success) return fail(describeIssue(name, findIssue(parsed.error)));
    const own = new AbortController();
    this.underWay.set(id, own);
    try {
      return await method.run(parsed.data, this.context, AbortSignal.any([own.signal, this.ending.signal]));
    } catch (error) {
      return fail(describeFault(error));
    } finally {
      this.underWay.delete(id);
    }
  }

  private push<Name extends keyof Events>(event: Name, data: Events[Name]): Promise<void> {
    this.send({ event, data });
    return this.pressure.wait();
  }

  private sendPicture(file: Uint8Array): number {
    this.pictures += 1;
    const message = new Uint8Array(file.length + 4);
    new DataView(message.buffer).setUint32(0, this.pictures);
    message.set(file, 4);
    this.pressure.note(this.wire?.send(message));
    return this.pictures;
  }

  private send(message: object): void {
    this.pressure.note(this.wire?.send(JSON.stringify(message)));
  }

  private onHostOpen(callback: () => void): () => void {
    const release = this.inspector.host.onState(({ state }) => {
      if (state === "open") callback();
    });
    this.ending.signal.addEventListener("abort", release, { once: true });
    return release;
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

const notLetIn = "The link was used before, or is of an inspector that has ended. Start it again: deskmap inspect";

const tooMuch = makeFailure(
  "UNAVAILABLE",
  `the page has ${maxUnderWay} requests that are not answered yet`,
  "wait for them.",
);

function describeFault(error: unknown): Failure {
  const message = `Deskmap itself failed: ${nameFault(error)}`;
  return { code: "FAILED", message, done: "it stopped there." };
}

/** Makes senders of much data wait until the page has taken it. */
export class BackPressure {
  private full: PromiseWithResolvers<void> | undefined;

  /** Notes what `send` returned: -1 if the message waits to be taken. */
  note(sent: number | undefined): void {
    // One promise for everybody: one that was replaced would never be resolved.
    if (sent === -1) this.full ??= Promise.withResolvers();
  }

  wait(): Promise<void> {
    return this.full?.promise ?? Promise.resolve();
  }

  release(): void {
    this.full?.resolve();
    this.full = undefined;
  }
}
