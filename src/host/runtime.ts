import { LookTally } from "../guard/audit/look-tally.ts";
import { ViewMemory } from "../live/view-memory.ts";
import type { MapStore } from "../map/store/port.ts";
import type { ActionObserver } from "../model/activity.ts";
import type { Env } from "../model/env.ts";
import { type Failure, type Result, succeed } from "../model/failure.ts";
import { OverlayController } from "../overlay/controller.ts";
import type { LivePlatform, MirrorFigures } from "../platform/port.ts";
import type { AddedSource } from "../sources/port.ts";

/** What all sessions of a process that lives long share. */
export interface Runtime {
  /** The desktop, followed while somebody looks at it. */
  openPlatform(): Promise<Result<LivePlatform>>;
  /** `onTrouble` is told why the map cannot be written: then marks do not last. */
  openMap(onTrouble: (why: string) => void): Promise<Result<MapStore>>;
  /**
   * Asks the display whether it is there; a connection that is dead is given up, and made anew. Its value says what does not
   * work all the same, where somebody reads, or has just met with trouble.
   */
  check(hasMetTrouble?: boolean): Promise<Result<string | undefined>>;
  /** Forgets what is known of the desktop: whoever looks next reads it anew, over new connections. */
  renew(): void;
  /** Undefined until somebody has looked. */
  figures(): MirrorFigures | undefined;
  /** Tells those who share the map what was learned; returns what a person should know. */
  settle(): Promise<string | undefined>;
  /** What clients have seen, to be compared with what is there later. */
  readonly memory: ViewMemory;
  /** What was looked at, for the log. */
  readonly tally: LookTally;
  /** Sources beside the platform's own tree. */
  readonly sources: readonly AddedSource[];
  /** What is drawn over the screen. */
  readonly overlay: OverlayController;
  /** Looks on while clients act. */
  readonly observer?: ActionObserver | undefined;
  close(): void;
}

/** Opens the desktop and its map when they are first needed, once for all; what could not be opened is tried again. */
export function openRuntime(env: Env, timeoutMs: number, sources: readonly AddedSource[] = []): Runtime {
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
  return {
    openPlatform: () => platform.open(),
    memory: new ViewMemory(),
    tally,
    sources,
    overlay,
    openMap: async (onTrouble) => {
      const opened = await map.open();
      for (const trouble of troubles) onTrouble(trouble);
      return opened;
    },
    check: async (hasMetTrouble = false) => {
      const lost = await findLoss(platform);
      if (lost !== undefined) return lost;
      const isReading = (platform.current?.mirror.figures().followedApplications ?? 0) > 0;
      // To ask is to be on the accessibility bus, which is not done for nothing.
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
      platform.close();
      map.close();
    },
  };
}

/** Twice: where the first connection is dead, whether a new one can be made. */
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

/** Why no tree can be read. */
async function findTrouble(platform: LivePlatform | undefined): Promise<string | undefined> {
  const covered = await platform?.covers([]);
  return covered === undefined || covered.ok ? undefined : covered.failure.message;
}

class Shared<Part extends { close(): void }> {
  private opening: Promise<Result<Part>> | undefined;
  /** What is open now. */
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

  /** Closes what is open, unless it is another by now. */
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
