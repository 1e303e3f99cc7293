import type { Events, Greeting, Hello, HostState, Methods, PanelReply, Push } from "../src/inspector/messages.ts";
import type { Failure, Result } from "../src/model/failure.ts";
import { Store } from "./observable.ts";

/** How the page stands with the process that serves it, and that one with what runs tools. */
export type LinkState =
  | { readonly state: "connecting" }
  | { readonly state: "open"; readonly host: HostState }
  | { readonly state: "lost" }
  | { readonly state: "refused"; readonly why: string };

/** As much of a browser's socket as is used. */
export interface Wire {
  send(text: string): void;
}

export interface WireEvents {
  onOpen(): void;
  onMessage(data: unknown): void;
  onClose(): void;
}

/** What the page keeps for as long as its tab lives. */
export interface Keeper {
  /** The token of the address; it is taken out of it. */
  takeToken(): string | undefined;
  session: string | undefined;
}

const [shortestPauseMs, longestPauseMs] = [250, 5000];
/** What was told and never shown makes room. */
const mostPictures = 32;

type Answer = (result: Result<unknown>) => void;
type Listener = (data: unknown) => void;

/** Requests and events over one socket, which is opened again when it is lost. */
export class Rpc {
  readonly link = new Store<LinkState>({ state: "connecting" });
  /** What the page's title is, so that its window is known. */
  readonly title = new Store("Deskmap inspector");
  private wire: Wire | undefined;
  private pauseMs = shortestPauseMs;
  private nextId = 1;
  private readonly pending = new Map<number, Answer>();
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly openers = new Set<() => void>();
  private readonly pictures = new Map<number, Uint8Array<ArrayBuffer>>();

  constructor(
    private readonly open: (events: WireEvents) => Wire,
    private readonly keeper: Keeper,
  ) {}

  connect(): void {
    this.wire = this.open({
      onOpen: () => {
        const hello: Hello = { hello: { session: this.keeper.session, token: this.keeper.takeToken() } };
        this.wire?.send(JSON.stringify(hello));
      },
      onMessage: (data) => {
        if (typeof data === "string") this.hear(JSON.parse(data));
        else if (data instanceof ArrayBuffer) this.keepPicture(data);
      },
      onClose: () => this.lose(),
    });
  }

  /** Asks, and waits; a lost connection is a failure as others are. */
  call<Name extends keyof Methods & string>(
    method: Name,
    params: Methods[Name]["params"],
  ): Promise<Result<Methods[Name]["value"]>> {
    return new Promise((resolve) => {
      if (this.wire === undefined || this.link.value.state !== "open") return resolve({ ok: false, failure: noLink });
      const id = this.nextId;
      this.nextId += 1;
      this.pending.set(id, (result) => {
        if (isTrusted<Result<Methods[Name]["value"]>>(result)) resolve(result);
      });
      this.wire.send(JSON.stringify({ id, method, params }));
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

  private hear(said: unknown): void {
    if (!isTrusted<PanelReply | Push | Greeting>(said)) return;
    if ("id" in said) {
      const answer = this.pending.get(said.id);
      this.pending.delete(said.id);
      return answer?.(said);
    }
    if ("event" in said) return this.tell(said.event, said.data);
    if ("refused" in said) return this.link.set({ state: "refused", why: said.refused });
    const { session, title } = said.welcome;
    this.keeper.session = session;
    this.pauseMs = shortestPauseMs;
    this.title.set(title);
    this.link.set({ state: "open", host: { state: "connecting" } });
    for (const opener of this.openers) opener();
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
    this.wire = undefined;
    this.pictures.clear();
    for (const answer of this.pending.values()) answer({ ok: false, failure: noLink });
    this.pending.clear();
    if (this.link.value.state === "refused") return;
    this.link.set({ state: "lost" });
    setTimeout(() => this.connect(), this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, longestPauseMs);
  }
}

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
