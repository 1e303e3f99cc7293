import { LookTally } from "../guard/audit/looks.ts";
import { ViewMemory } from "../live/view-memory.ts";
import type { MapStore } from "../map/store/port.ts";
import type { ActionObserver } from "../model/activity.ts";
import type { Env } from "../model/env.ts";
import { type Failure, type Result, succeed } from "../model/failure.ts";
import { OverlayController } from "../overlay/controller.ts";
import type { LivePlatform, MirrorFigures } from "../platform/port.ts";
import { openSources } from "../sources/open.ts";
import type { AddedSource } from "../sources/port.ts";
import { Journal } from "./journal.ts";

export interface Runtime {
  /** The desktop, followed while it is read. */
  openPlatform(): Promise<Result<LivePlatform>>;
  /** `onTrouble` is called if the map cannot be written: then marks do not last. Some clients must not write it. */
  openMap(onTrouble: (why: string) => void, isWritten?: boolean): Promise<Result<MapStore>>;
  /**
   * Checks the display, and reconnects if the connection is dead. Returns a warning if the display works but the accessibility
   * bus does not; that is checked only while somebody reads or after trouble.
   */
  check(hasMetTrouble?: boolean): Promise<Result<string | undefined>>;
  /** Forgets the desktop's state: the next read uses new connections. */
  renew(): void;
  figures(): MirrorFigures | undefined;
  /** Writes what was learned to a shared map; returns a note for the person. */
  settle(): Promise<string | undefined>;
  readonly memory: ViewMemory;
  readonly tally: LookTally;
  /** The last actions of all sessions. */
  readonly journal: Journal;
  readonly sources: readonly AddedSource[];
  readonly overlay: OverlayController;
  readonly observer?: ActionObserver | undefined;
  close(): void;
}

/** Opens the desktop and its map on first use, for all sessions. A failed opening is repeated on the next use. */
export function openRuntime(env: Env, timeoutMs: number, sources = openSources(env)): Runtime {
  const troubles: string[] = [];
  let trouble: string | undefined;
  const tally = new LookTally();
  const platform = new Shared(async () => {
    const { openLivePlatform } = await import("../platform/pick.ts");
    return openLivePlatform({ env, timeoutMs });
  });
  const overlay = new OverlayController(() => platform.open());
  const map = new Shared(async () => {
    const { openMapStore } = await import("../map/store/open.ts");
    return openMapStore(env, (why) => troubles.push(why));
  });
  const unwritten = new Shared(async () => (await import("../map/store/open.ts")).openUnwritten(env));
  return {
    openPlatform: () => platform.open(),
    memory: new ViewMemory(),
    tally,
    journal: new Journal(),
    sources,
    overlay,
    openMap: async (onTrouble, isWritten = true) => {
      if (!isWritten) return unwritten.open();
      const opened = await map.open();
      for (const trouble of troubles) onTrouble(trouble);
      return opened;
    },
    check: async (hasMetTrouble = false) => {
      const lost = await findLoss(platform);
      if (lost !== undefined) return lost;
      const isReading = (platform.current?.mirror.figures().followedApplications ?? 0) > 0;
      // Connecting to the accessibility bus has a cost, so it is done only if needed.
      const isAsked = isReading || hasMetTrouble || trouble !== undefined;
      trouble = isAsked ? await findTrouble(platform.current) : undefined;
      return succeed(trouble);
    },
    renew: () => platform.close(),
    figures: () => platform.current?.mirror.figures(),
    settle: async () => map.current?.settle(),
    close: () => {
      overlay.close();
      tally.flush(true);
      for (const source of sources) source.close();
      platform.close();
      map.close();
      unwritten.close();
    },
  };
}

/** Twice: if the connection is dead, a new one is tried. */
async function findLoss(platform: Shared<LivePlatform>): Promise<{ ok: false; failure: Failure } | undefined> {
  let lost: { ok: false; failure: Failure } | undefined;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const opened = await platform.open();
    if (!opened.ok) return opened;
    const answer = await opened.value.findPointer();
    if (answer.ok) return undefined;
    lost = answer;
    platform.closeIf(opened.value);
  }
  return lost;
}

async function findTrouble(platform: LivePlatform | undefined): Promise<string | undefined> {
  const covered = await platform?.covers([]);
  return covered === undefined || covered.ok ? undefined : covered.failure.message;
}

class Shared<Part extends { close(): void }> {
  private opening: Promise<Result<Part>> | undefined;
  current: Part | undefined;

  constructor(private readonly openFirst: () => Promise<Result<Part>>) {}

  async open(): Promise<Result<Part>> {
    const opening = this.opening ?? this.openFirst();
    this.opening = opening;
    const part = await opening;
    if (this.opening !== opening) return part;
    if (part.ok) this.current = part.value;
    else this.opening = undefined;
    return part;
  }

  closeIf(part: Part): void {
    if (this.current === part) this.close();
  }

  close(): void {
    const { opening } = this;
    this.opening = undefined;
    this.current = undefined;
    opening?.then((part) => part.ok && part.value.close()).catch(() => undefined);
  }
}
