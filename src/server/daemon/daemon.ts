import { chmodSync, rmdirSync, rmSync } from "node:fs";
import type { DaemonStatus, Hello } from "../../client/client-frame.ts";
import { type DaemonPlace, findBuild, findDaemonPlace, takeClientSettings } from "../../client/connect-place.ts";
import type { DaemonAnswer } from "../../client/protocol.ts";
import { FileRecords } from "../../guard/audit/file-records.ts";
import { unknownStart } from "../../guard/identity.ts";
import { type Lock, tryLock } from "../../guard/lock.ts";
import { findPlaces, makePrivateFolder } from "../../guard/places.ts";
import { findHolder } from "../../guard/turn.ts";
import { HeldTurns } from "../../host/held-turns.ts";
import { LocalHost } from "../../host/local-host.ts";
import { Observers } from "../../host/observers.ts";
import { openRuntime, type Runtime } from "../../host/runtime.ts";
import { nameFault } from "../../model/caught.ts";
import { defaultTimeoutMs } from "../../model/default-timeout.ts";
import type { Env } from "../../model/env.ts";
import { type Peer, sockets, user } from "../../os/index.ts";
import { AwakeClock } from "./awake-clock.ts";
import { ClientLink, type LinkDaemon } from "./link.ts";
import { DaemonLog } from "./log.ts";

const maxClients = 200;
const examineMs = 5000;
const defaultLostMs = 30_000;
/** How long clients have to read the last messages. */
const farewellMs = 200;
/** The same after a stop, which kills a process that does not end within 400 ms. */
const urgentMs = 40;
/** A shared map is synchronised after this time without requests. */
const settleMs = 1000;

export interface DaemonOptions {
  readonly env: Env;
  readonly idleMs: number;
  onLine?(line: string): void;
  /** For tests; the desktop of the environment by default. */
  readonly runtime?: Runtime;
  readonly lostMs?: number;
}

type Server = ReturnType<typeof Bun.listen<{ link: ClientLink | undefined }>>;

/** Serves the tools of one desktop to the processes of one user. */
export class Daemon implements LinkDaemon {
  readonly build = findBuild();
  readonly left: Promise<string>;
  private readonly leaving = Promise.withResolvers<string>();
  private readonly sinceMs = Date.now();
  private readonly clients = new Set<ClientLink>();
  private readonly turns = new HeldTurns();
  private readonly observers = new Observers();
  private readonly runtime: Runtime;
  private readonly records: FileRecords;
  private readonly journal: DaemonLog;
  private readonly timer: Timer;
  private server: Server | undefined;
  private isLeaving = false;
  private requests = 0;
  private refusals = 0;
  private readonly clock: AwakeClock;
  private aloneSinceMs = 0;
  private desktop: DaemonStatus["desktop"] = { state: "unopened" };
  private lostSinceMs: number | undefined;
  private hasBeenOpen = false;
  /** Whether a client needed a desktop, and there has never been one. */
  private isInVain = false;
  private isChecking = false;
  private remark: string | undefined;
  private settling: Timer | undefined;

  private constructor(
    private readonly options: DaemonOptions,
    private readonly place: DaemonPlace,
    private readonly lock: Lock,
  ) {
    const places = findPlaces(options.env);
    const runtime = options.runtime ?? openRuntime(options.env, defaultTimeoutMs);
    this.runtime = {
      ...runtime,
      observer: this.observers,
      openPlatform: async () => {
        const opened = await runtime.openPlatform();
        this.hasBeenOpen ||= opened.ok;
        // A lost desktop opens only when it is back.
        if (opened.ok && this.desktop.state === "lost") this.noteDesktop("open");
        return opened;
      },
      check: async (hasMetTrouble) => {
        const there = await runtime.check(hasMetTrouble);
        if (there.ok) this.noteDesktop("open", there.value);
        else this.noteDesktop("lost", there.failure.message);
        this.isInVain = !there.ok && hasMetTrouble === true && !this.hasBeenOpen;
        return there;
      },
    };
    this.records = new FileRecords(places);
    this.journal = new DaemonLog(places, options.onLine);
    this.left = this.leaving.promise;
    const everyMs = Math.min(examineMs, options.idleMs);
    this.clock = new AwakeClock(2 * everyMs);
    this.timer = setInterval(() => this.examine(), everyMs);
  }

  static start(options: DaemonOptions): Daemon | undefined {
    const place = findDaemonPlace(options.env);
    // In a folder of others, a client could connect to somebody else's socket.
    makePrivateFolder(place.folder);
    const lock = tryLock(place.lock);
    if (lock === undefined) return undefined;
    const daemon = new Daemon(options, place, lock);
    try {
      daemon.listen();
    } catch (error) {
      daemon.leave("it cannot listen");
      throw error;
    }
    return daemon;
  }

  log(words: string): void {
    this.journal.write(words);
  }

  onRequest(): void {
    this.requests += 1;
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle().catch((error: unknown) => this.onFault(error)), settleMs);
  }

  openHost({ client, isReadOnly, isShared = false, settings }: Hello, peer: Peer): LocalHost {
    const startTicks = isShared ? unknownStart : peer.startTicks;
    const env = {
      ...this.options.env,
      ...takeClientSettings(settings),
      DESKMAP_CLIENT: client,
      DESKMAP_READ_ONLY: isReadOnly ? "1" : "",
    };
    return new LocalHost(env, {
      runtime: this.runtime,
      turns: this.turns,
      observers: this.observers,
      caller: { pid: peer.pid, startTicks },
      onStuck: () => this.leave("a person stopped everything, and something under way did not end", true),
    });
  }

  answer({ t }: { readonly t: "status" | "leave" }): DaemonAnswer {
    if (t === "status") return { of: "status", status: this.describe() };
    // After this answer is on its way.
    queueMicrotask(() => this.leave("a client asked it to"));
    return { of: "leave" };
  }

  /** A signal during a stop is aimed at the action under way, which ends by itself; any other signal ends the daemon. */
  onTerminate(): void {
    const isStop = this.records.findStop() !== undefined && this.isActing();
    if (!isStop) this.leave("it was ended");
  }

  private isActing(): boolean {
    const holder = findHolder(findPlaces(this.options.env));
    return holder !== "free" && holder?.pid === process.pid;
  }

  /** What is known of the desktop may be wrong now. */
  onFault(error: unknown): void {
    this.log(`a fault of its own: ${nameFault(error)}`);
    this.runtime.renew();
  }

  leave(why: string, isUrgent = false): void {
    if (this.isLeaving) return;
    this.isLeaving = true;
    this.log(`leaves: ${why}`);
    clearInterval(this.timer);
    clearTimeout(this.settling);
    // A new client starts another daemon.
    rmSync(this.place.socket, { force: true });
    this.server?.stop(false);
    for (const client of [...this.clients]) client.leave(`the daemon leaves: ${why}`);
    this.turns.endAll("the daemon left");
    const waitMs = isUrgent ? urgentMs : farewellMs;
    setTimeout(() => void this.finish(why, isUrgent), this.clients.size === 0 ? 0 : waitMs);
  }

  private async finish(why: string, isUrgent: boolean): Promise<void> {
    try {
      this.server?.stop(true);
      if (!isUrgent) await this.settle();
      this.runtime.tally.flush(true);
      this.runtime.close();
    } catch (error) {
      this.onFault(error);
    } finally {
      rmSync(this.place.lock, { force: true });
      this.lock.release();
      removeIfEmpty(this.place.folder);
      this.leaving.resolve(why);
    }
  }

  private listen(): void {
    const { socket } = this.place;
    // Left by a daemon that was killed.
    rmSync(socket, { force: true });
    this.server = Bun.listen<{ link: ClientLink | undefined }>({
      unix: socket,
      socket: {
        open: (own) => {
          own.data = { link: this.admit(own) };
        },
        data: ({ data }, bytes) => data.link?.take(bytes),
        drain: ({ data }) => data.link?.drain(),
        close: ({ data }) => this.dismiss(data?.link),
        error: ({ data }, error) => {
          // Errors of the connection have a code; anything else is a bug in handling what arrived.
          if (!("code" in error)) this.onFault(error);
          this.dismiss(data?.link);
        },
      },
    });
    chmodSync(socket, 0o600);
    this.log(`serves ${this.options.env.DISPLAY ?? "no display"} at ${socket}`);
  }

  private admit(socket: Bun.Socket<{ link: ClientLink | undefined }>): ClientLink | undefined {
    const peer = sockets.findPeer(descriptorOf(socket));
    const isOwn = peer !== undefined && user.owns(peer);
    const refusal = !isOwn
      ? `process ${peer?.pid ?? "unknown"} of user ${peer?.uid ?? "unknown"} is refused: it is not this user's`
      : this.clients.size >= maxClients
        ? `process ${peer.pid} is refused: ${maxClients} clients are there already`
        : undefined;
    if (refusal !== undefined || peer === undefined) {
      this.refusals += 1;
      this.log(refusal ?? "");
      socket.terminate();
      return undefined;
    }
    const link = new ClientLink(socket, peer, this);
    this.clients.add(link);
    return link;
  }

  private dismiss(link: ClientLink | undefined): void {
    if (link === undefined || !this.clients.delete(link)) return;
    link.forget();
    this.aloneSinceMs = this.clock.read();
    // The next client starts another daemon, which may find a display.
    if (this.isInVain && this.clients.size === 0) this.leave("there is no display");
  }

  private examine(): void {
    const nowMs = this.clock.read();
    for (const client of [...this.clients]) client.examine(nowMs);
    this.runtime.tally.flush();
    if ((this.findIdleRest() ?? 1) <= 0) return this.leave("nobody needed it");
    this.check(nowMs).catch((error: unknown) => this.onFault(error));
  }

  /** The time left until it ends for lack of clients; undefined while it is needed. */
  private findIdleRest(): number | undefined {
    const isNeeded = this.clients.size > 0 || this.turns.list().length > 0 || this.runtime.overlay.isNeeded;
    return isNeeded ? undefined : this.aloneSinceMs + this.options.idleMs - this.clock.read();
  }

  private async check(nowMs: number): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    try {
      const there = await this.runtime.check();
      if (!there.ok) this.lostSinceMs ??= nowMs;
      else this.lostSinceMs = undefined;
      if (nowMs - (this.lostSinceMs ?? nowMs) >= (this.options.lostMs ?? defaultLostMs))
        this.leave("its display is gone");
    } finally {
      this.isChecking = false;
    }
  }

  private noteDesktop(state: "open" | "lost", reason?: string): void {
    const isSame = this.desktop.state === state && (this.desktop.reason === undefined) === (reason === undefined);
    const words = state === "lost" ? "no desktop" : "the desktop is there";
    if (!isSame) this.log(reason === undefined ? words : `${words}: ${reason}`);
    this.desktop = { state, reason };
  }

  private async settle(): Promise<void> {
    this.remark = await this.runtime.settle();
  }

  private describe(): DaemonStatus {
    const mirror = this.runtime.figures();
    const restMs = this.findIdleRest();
    const named = [...this.clients].filter(({ name }) => name !== "");
    return {
      pid: process.pid,
      build: this.build,
      sinceMs: this.sinceMs,
      socket: this.place.socket,
      display: this.options.env.DISPLAY ?? "",
      desktop: this.desktop.state === "unopened" && mirror !== undefined ? { state: "open" } : this.desktop,
      clients: named.map(({ name, peer, sinceMs }) => ({ name, pid: peer.pid, sinceMs })),
      watches: named.reduce((count, { watchCount }) => count + watchCount, 0),
      turns: this.turns.list(),
      requests: this.requests,
      refusals: this.refusals,
      memoryBytes: process.memoryUsage.rss(),
      leavesAtMs: restMs === undefined ? undefined : Date.now() + restMs,
      mirror: { ...mirror },
      remark: this.remark,
    };
  }
}

/** Bun's sockets have `fd`; its types do not. */
function descriptorOf(socket: object): number {
  const descriptor: unknown = Reflect.get(socket, "fd");
  return typeof descriptor === "number" ? descriptor : -1;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The daemon of another desktop has its socket there.
  }
}
