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

/** How the page stands with the process that serves it, and that one with what runs tools. */
export type LinkState =
  | { readonly state: "connecting" }
  | { readonly state: "open"; readonly host: HostState }
  | { readonly state: "lost" }
  | { readonly state: "refused"; readonly why: string };

/** As much of a browser's socket as is used. */
export interface Wire {
  send(text: string): void;
  close(): void;
}

export interface WireEvents {
  onOpen(): void;
  onMessage(data: unknown): void;
  onClose(): void;
}

/** What the page keeps for as long as its tab lives. */
export interface Keeper {
  /** The key of the address, until the page was let in: a reload before that must not lose it. */
  link: string | undefined;
  session: string | undefined;
}

const [shortestPauseMs, longestPauseMs] = [250, 2000];
/** What was told and never shown makes room. */
const mostPictures = 32;
/** Whoever answers later at this address is likely to be somebody else. */
const givenUpMs = 10_000;

type Listener = (data: unknown) => void;

/** Requests and events over one socket, which is opened again when it is lost. */
export class Rpc {
  readonly link = new Store<LinkState>({ state: "connecting" });
  /** What the page's title is, so that its window is known. */
  readonly title = new Store("Deskmap inspector");
  private wire: Wire | undefined;
  /** Whether the server has proved who it is: before, nothing that it says is believed. */
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
        if (typeof data === "string") this.hear(JSON.parse(data), wire, nonce);
        else if (data instanceof ArrayBuffer && this.isProved) this.keepPicture(data);
      },
      onClose: () => {
        if (this.wire === wire) this.lose();
      },
    });
    this.wire = wire;
  }

  /** Asks, and waits; a lost connection is a failure as others are. The signal takes the question back. */
  call<Name extends keyof Methods & string>(
    method: Name,
    params: Methods[Name]["params"],
    signal?: AbortSignal,
  ): Promise<Result<Methods[Name]["value"]>> {
    return new Promise((resolve) => {
      if (this.wire === undefined || this.link.value.state !== "open") return resolve({ ok: false, failure: noLink });
      const take = (result: Result<unknown>): void => {
        if (isTrusted<Result<Methods[Name]["value"]>>(result)) resolve(result);
      };
      this.requests.ask(method, params, take, signal);
    });
  }

  on<Name extends keyof Events & string>(event: Name, listener: (data: Events[Name]) => void): () => void {
    const all = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, all);
    const hear: Listener = (data) => {
      if (isTrusted<Events[Name]>(data)) listener(data);
    };
    all.add(hear);
    return () => void all.delete(hear);
  }

  /** Calls back now, if it can be asked, and whenever it can be asked again after a break: nothing asked before goes on. */
  onOpen(callback: () => void): () => void {
    this.openers.add(callback);
    if (this.link.value.state === "open") callback();
    return () => void this.openers.delete(callback);
  }

  /** The file of a picture; it is given once. */
  takePicture(number: number, type = "image/jpeg"): Blob | undefined {
    const file = this.pictures.get(number);
    this.pictures.delete(number);
    return file === undefined ? undefined : new Blob([file], { type });
  }

  private hear(said: unknown, wire: Wire, nonce: string): void {
    if (!isTrusted<PanelReply | Push | Greeting>(said)) return;
    if ("proof" in said) return void this.answerProof(said.proof, wire, nonce);
    // Also a refusal: anybody can say that. The socket ends then, and it is tried again for a while.
    if (!this.isProved) return;
    if ("id" in said) return this.requests.hear(said.id, said);
    if ("event" in said) return this.tell(said.event, said.data);
    if ("refused" in said) return this.giveUp(said.refused);
    this.keeper.link = undefined;
    this.pauseMs = shortestPauseMs;
    clearTimeout(this.end);
    this.end = undefined;
    this.title.set(said.welcome.title);
    this.link.set({ state: "open", host: { state: "connecting" } });
    for (const opener of this.openers) opener();
  }

  /** Another user's program may have the port by now: it is told nothing. */
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
    // Before the server counts the link as used: a page that is loaded again now can come in by either.
    if (by === "link") this.keeper.session = next;
    wire.send(JSON.stringify({ proof } satisfies PageProof));
  }

  /** Nothing is tried again, and nothing is left that somebody could come in by. */
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

  private tell(event: string, data: unknown): void {
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

const notLetIn = "The link was used before, or is of an inspector that has ended. Start it again: deskmap inspect";
const notTheOne =
  "What answers at this address is not the inspector that this page was opened by. Type nothing here, no PIN above all: close " +
  "the page, and start it again: deskmap inspect";
const ended = "The inspector has ended. Close this page, and start it again: deskmap inspect";

const noLink: Failure = {
  code: "UNAVAILABLE",
  message: "the inspector does not answer",
  suggestion: "it is tried again by itself; deskmap inspect starts it anew.",
  done: "it is not known what was done.",
};

/** The server is of the same build: what it says is what the methods and events declare. */
function isTrusted<T>(_said: unknown): _said is T {
  return true;
}
