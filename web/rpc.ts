import type {
  Events,
  Greeting,
  Hello,
  HostState,
  Methods,
  PageProof,
  PanelReply,
  Push,
  ServerProof,
} from "../src/inspector/messages.ts";
import type { Failure, Result } from "../src/model/failure.ts";
import { Store } from "./observable.ts";
import { makeNonce, prove } from "./prove.ts";
import { Requests } from "./requests.ts";

/** The page's connection to the inspector; `host` is the inspector's own connection to the process that runs tools. */
export type LinkState =
  | { readonly state: "connecting" }
  | { readonly state: "open"; readonly host: HostState }
  | { readonly state: "lost" }
  | { readonly state: "refused"; readonly why: string };

/** The part of a WebSocket that is used. */
export interface Wire {
  send(text: string): void;
  close(): void;
}

export interface WireEvents {
  onOpen(): void;
  onMessage(data: unknown): void;
  onClose(): void;
}

/** Storage that lives as long as the tab. */
export interface Keeper {
  /** The key from the address, kept until the server has accepted it: a reload before that must not lose it. */
  link: string | undefined;
  session: string | undefined;
}

const [shortestPauseMs, longestPauseMs] = [250, 2000];
/** The oldest pictures that were never taken are dropped. */
const mostPictures = 32;
/** After this time without a connection, another program may own the address. */
const givenUpMs = 10_000;

type Listener = (data: unknown) => void;

/** Requests and events over one socket, which is opened again when it is lost. */
export class Rpc {
  readonly link = new Store<LinkState>({ state: "connecting" });
  /** The title of the page, by which its window is recognised. */
  readonly title = new Store("Deskmap inspector");
  private wire: Wire | undefined;
  /** Whether the server has proved its identity; until then its messages are ignored. */
  private isProved = false;
  private pauseMs = shortestPauseMs;
  private again: ReturnType<typeof setTimeout> | undefined;
  private end: ReturnType<typeof setTimeout> | undefined;
  private readonly requests = new Requests((message) => this.wire?.send(JSON.stringify(message)));
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly openers = new Set<() => void>();
  private readonly pictures = new Map<number, Uint8Array<ArrayBuffer>>();

  constructor(
    private readonly open: (events: WireEvents) => Wire,
    private readonly keeper: Keeper,
    private readonly patienceMs = givenUpMs,
  ) {}

  connect(): void {
    this.isProved = false;
    const nonce = makeNonce();
    const wire = this.open({
      onOpen: () => wire.send(JSON.stringify({ hello: { nonce } } satisfies Hello)),
      onMessage: (data) => {
        if (this.wire !== wire) return;
        if (typeof data === "string") this.receive(JSON.parse(data), wire, nonce);
        else if (data instanceof ArrayBuffer && this.isProved) this.keepPicture(data);
      },
      onClose: () => {
        if (this.wire === wire) this.lose();
      },
    });
    this.wire = wire;
  }

  /** Calls a method. A lost connection is an ordinary failure; the signal cancels the call. */
  call<Name extends keyof Methods & string>(
    method: Name,
    params: Parameters<Methods[Name]>[0],
    signal?: AbortSignal,
  ): Promise<Result<ReturnType<Methods[Name]>>> {
    return new Promise((resolve) => {
      if (this.wire === undefined || this.link.value.state !== "open") return resolve({ ok: false, failure: noLink });
      const take = (result: Result<unknown>): void => {
        if (isTrusted<Result<ReturnType<Methods[Name]>>>(result)) resolve(result);
      };
      this.requests.ask(method, params, take, signal);
    });
  }

  on<Name extends keyof Events & string>(event: Name, listener: (data: Events[Name]) => void): () => void {
    const all = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, all);
    const receive: Listener = (data) => {
      if (isTrusted<Events[Name]>(data)) listener(data);
    };
    all.add(receive);
    return () => void all.delete(receive);
  }

  /** Calls back now if the connection is open, and after every reconnect: requests and subscriptions do not survive a break. */
  onOpen(callback: () => void): () => void {
    this.openers.add(callback);
    if (this.link.value.state === "open") callback();
    return () => void this.openers.delete(callback);
  }

  /** Returns the file of a picture, once. */
  takePicture(number: number, type = "image/jpeg"): Blob | undefined {
    const file = this.pictures.get(number);
    this.pictures.delete(number);
    return file === undefined ? undefined : new Blob([file], { type });
  }

  private receive(message: unknown, wire: Wire, nonce: string): void {
    if (!isTrusted<PanelReply | Push | Greeting>(message)) return;
    if ("proof" in message) return void this.answerProof(message.proof, wire, nonce);
    // This ignores even a refusal, which any program can send. The socket closes then, and the page retries for a while.
    if (!this.isProved) return;
    if ("id" in message) return this.requests.receive(message.id, message);
    if ("event" in message) return this.emit(message.event, message.data);
    if ("refused" in message) return this.giveUp(message.refused);
    this.keeper.link = undefined;
    this.pauseMs = shortestPauseMs;
    clearTimeout(this.end);
    this.end = undefined;
    this.title.set(message.welcome.title);
    this.link.set({ state: "open", host: { state: "connecting" } });
    for (const opener of this.openers) opener();
  }

  /** Verifies the server before it sends its own proof: another user's program may own the port by now. */
  private async answerProof({ by, nonce: server, mac }: ServerProof, wire: Wire, page: string): Promise<void> {
    const { link, session } = this.keeper;
    const key = by === "link" ? link : session;
    const nonces = { page, server };
    const isRight = key !== undefined && (await prove(key, "server", nonces)) === mac;
    if (this.wire !== wire || this.isProved) return;
    if (key === undefined || !isRight) return this.giveUp(session === undefined ? notLetIn : notTheOne);
    const [next, proof] = await Promise.all([prove(key, "session", nonces), prove(key, "page", nonces)]);
    if (this.wire !== wire) return;
    this.isProved = true;
    // Before the server marks the link as used: a page that is reloaded now can connect with either.
    if (by === "link") this.keeper.session = next;
    wire.send(JSON.stringify({ proof } satisfies PageProof));
  }

  /** Stops reconnecting and deletes the keys. */
  private giveUp(why: string): void {
    const { wire } = this;
    clearTimeout(this.again);
    clearTimeout(this.end);
    this.keeper.session = undefined;
    this.keeper.link = undefined;
    this.forget();
    this.link.set({ state: "refused", why });
    wire?.close();
  }

  private emit(event: string, data: unknown): void {
    if (event === "shell.host" && isTrusted<HostState>(data)) this.link.set({ state: "open", host: data });
    for (const listener of this.listeners.get(event) ?? []) listener(data);
  }

  private keepPicture(message: ArrayBuffer): void {
    this.pictures.set(new DataView(message).getUint32(0), new Uint8Array(message, 4));
    for (const oldest of this.pictures.keys()) {
      if (this.pictures.size <= mostPictures) break;
      this.pictures.delete(oldest);
    }
  }

  private lose(): void {
    this.forget();
    this.link.set({ state: "lost" });
    this.again = setTimeout(() => this.connect(), this.pauseMs);
    this.end ??= setTimeout(() => this.giveUp(ended), this.patienceMs);
    this.pauseMs = Math.min(this.pauseMs * 2, longestPauseMs);
  }

  private forget(): void {
    this.wire = undefined;
    this.pictures.clear();
    this.requests.end(noLink);
  }
}

const notLetIn = "The link was used before, or belongs to an inspector that has ended. Start it again: deskmap inspect";
const notTheOne =
  "The server at this address is not the inspector that opened this page. Do not type anything here, above all no PIN. Close " +
  "this page, and start the inspector again: deskmap inspect";
const ended = "The inspector has ended. Close this page, and start it again: deskmap inspect";

const noLink: Failure = {
  code: "UNAVAILABLE",
  message: "the inspector does not answer",
  suggestion: "the page retries by itself; deskmap inspect starts it again.",
  done: "it is not known what was done.",
};

/** The server is from the same build, so its messages have the declared types. */
function isTrusted<T>(_message: unknown): _message is T {
  return true;
}
