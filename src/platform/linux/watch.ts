import { fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { Window } from "../../model/window.ts";
import type { Sign, Temper, Watch } from "../../sources/port.ts";
import { listBusApplications } from "./atspi/access.ts";
import { listenToEvents } from "./atspi/events.ts";
import { handleOf } from "./atspi/object.ts";
import { findReaction, hasLateTitles } from "./atspi/reaction.ts";
import { recallToolkit } from "./atspi/toolkit.ts";
import type { Parts } from "./connections.ts";
import type { Bus } from "./dbus/bus.ts";
import { watchChanges, type XChanges } from "./x11/changes.ts";
import { XUnavailable } from "./x11/transport.ts";

/** How long an application may take to register a listener; one that hangs is watched by its pixels alone. */
const registerMs = 500;

/** What a mirror adds to a watch: known applications, processed changes, and what changes by itself. */
interface WatchingMirror {
  findBusNames(bus: Bus, pid: number): readonly string[] | undefined;
  beginAction(pids: ReadonlySet<number>, windows: readonly number[], onChange: () => void): () => void;
  findTemper(windows: readonly number[], id: string): Temper | undefined;
  noteInput(): (id: string) => boolean;
}

/**
 * Watches the applications of some windows. Applications that are not on the accessibility bus, or for which listening
 * is expensive, are watched by what they draw.
 */
export async function watchApplications(
  parts: Parts,
  windows: readonly Window[],
  timeoutMs: number,
  mirror?: WatchingMirror,
): Promise<Result<Watch>> {
  const signs = new Signs();
  const pids = new Set(windows.map(({ pid }) => pid).filter((pid) => pid !== 0));
  let toolkits: readonly string[] = [""];
  const reported = new Set<string>();
  const [changes, listening] = await Promise.all([
    openChanges(parts, windows, timeoutMs, signs),
    parts.withBus(async (bus) => {
      const known = [...pids].map((pid) => mirror?.findBusNames(bus, pid));
      const isKnown = known.every((names) => names !== undefined);
      const names = isKnown ? known.flat() : await findBusNames(bus, pids, timeoutMs);
      toolkits = names.map((name) => recallToolkit(bus, name));
      return listenToEvents(bus, names, Math.min(registerMs, timeoutMs), false, ({ sender, path }) => {
        const handle = handleOf(bus, sender, path);
        reported.add(handle);
        signs.add("event", handle);
      });
    }),
  ]);
  const ids = windows.map(({ id }) => id);
  const end = mirror?.beginAction(pids, ids, () => signs.add("view", undefined));
  const close = (): void => {
    end?.();
    if (changes.ok) changes.value.close();
    if (listening.ok) listening.value.close();
    signs.end();
  };
  if (!changes.ok) {
    close();
    return changes;
  }
  // The initial report of a newly watched window is no change.
  signs.take();
  return succeed({
    take: () => signs.take(),
    waitForSign: (forMs) => signs.waitForSign(forMs),
    waitForStillness: (quietMs, forMs, counted) => signs.waitForStillness(quietMs, forMs, counted),
    findTemper: (id) => mirror?.findTemper(ids, id),
    findCrossing: (by) => ({
      reactionMs: Math.max(0, ...toolkits.map((toolkit) => findReaction(toolkit, by))),
      hasLateTitles: toolkits.some(hasLateTitles),
      wasBefore: mirror?.noteInput() ?? recall(new Set(reported)),
    }),
    close,
  });
}

/** Without a mirror, what was reported since the watch began. */
function recall(reported: ReadonlySet<string>): (id: string) => boolean {
  return (id) => reported.has(id);
}

async function findBusNames(bus: Bus, pids: ReadonlySet<number>, timeoutMs: number): Promise<string[]> {
  const applications = await listBusApplications(bus, timeoutMs);
  return applications.filter(({ pid }) => pids.has(pid)).map(({ busName }) => busName);
}

async function openChanges(
  parts: Parts,
  windows: readonly Window[],
  timeoutMs: number,
  signs: Signs,
): Promise<Result<XChanges>> {
  try {
    const ids = windows.map(({ id }) => id);
    const onChange: Parameters<typeof watchChanges>[3] = (source, window = 0) => {
      if (source !== "pixels" || !parts.isCaptured(window)) signs.add(source, undefined);
    };
    return succeed(await watchChanges(parts.options.env, ids, timeoutMs, onChange));
  } catch (error) {
    if (!(error instanceof XUnavailable)) throw error;
    return fail(
      makeFailure(
        "UNAVAILABLE",
        `the display cannot be watched: ${error.message}`,
        "check that the X server still runs.",
      ),
    );
  }
}

/** Events that were not taken yet, without duplicates. */
export class Signs {
  private untaken = new Map<string, Sign>();
  private lastAtMs = Number.NEGATIVE_INFINITY;
  private lastToldAtMs = Number.NEGATIVE_INFINITY;
  private readonly wakers = new Set<() => void>();
  private hasEnded = false;

  add(source: Sign["source"], handle: string | undefined): void {
    if (source !== "view") this.lastAtMs = performance.now();
    if (source !== "pixels" && source !== "view") this.lastToldAtMs = this.lastAtMs;
    const key = `${source} ${handle ?? ""}`;
    if (!this.untaken.has(key)) this.untaken.set(key, { source, handle });
    this.wake();
  }

  take(): readonly Sign[] {
    const taken = [...this.untaken.values()];
    this.untaken = new Map();
    return taken;
  }

  async waitForSign(timeoutMs: number): Promise<Sign | undefined> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const [first] = this.untaken.values();
      const leftMs = deadline - performance.now();
      if (first !== undefined || this.hasEnded || leftMs <= 0) return first;
      await this.pause(leftMs);
    }
  }

  /** Quiet is measured from the call: earlier quiet says nothing about the last action. */
  async waitForStillness(quietMs: number, timeoutMs: number, counted: "all" | "told" = "all"): Promise<boolean> {
    const startedAtMs = performance.now();
    for (;;) {
      const nowMs = performance.now();
      const lastAtMs = counted === "all" ? this.lastAtMs : this.lastToldAtMs;
      const quietAtMs = Math.max(startedAtMs, lastAtMs) + quietMs;
      if (nowMs >= quietAtMs || this.hasEnded) return true;
      const leftMs = startedAtMs + timeoutMs - nowMs;
      if (leftMs <= 0) return false;
      await new Promise((resolve) => setTimeout(resolve, Math.min(quietAtMs - nowMs, leftMs)));
    }
  }

  /** Wakes all waiters. */
  end(): void {
    this.hasEnded = true;
    this.wake();
  }

  private wake(): void {
    for (const waker of this.wakers) waker();
    this.wakers.clear();
  }

  private async pause(forMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const waker = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.wakers.delete(waker);
        resolve();
      }, forMs);
      this.wakers.add(waker);
    });
  }
}
