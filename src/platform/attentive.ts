import { setTimeout as pause } from "node:timers/promises";
import { type Result, succeed } from "../model/failure.ts";
import type { Window } from "../model/window.ts";
import type { ElementSource, Watch } from "../sources/port.ts";
import { Lack, refusePerson, replaceMethods } from "./lack.ts";
import type {
  Following,
  Kept,
  LivePlatform,
  Mirror,
  MirrorChange,
  MirrorFigures,
  PersonPort,
  Platform,
} from "./port.ts";

/** How often the watch is checked without any sign. */
const stepMs = 500;

/** A live platform for systems without a mirror: it reads anew each time and reports a change at every sign. */
export function attend(platform: Platform, person?: PersonPort): LivePlatform {
  const all = (windows: readonly Window[]) => Promise.resolve(succeed(new Set(windows.map(({ id }) => id))));
  const mirror = new SignMirror({ covers: all, watch: (...given) => platform.watch(...given) });
  return replaceMethods(platform, {
    mirror,
    // One call closes it without ending the others.
    forCall: () => replaceMethods(platform, { close: () => undefined }),
    ...(person ?? refusePerson(new Lack("person", platform.name))),
    close: () => {
      mirror.close();
      platform.close();
    },
  });
}

/** Part of the desktop that a mirror does not follow by itself. */
export interface Unfollowed extends Pick<ElementSource, "covers" | "watch"> {
  /** The time between two reports, where reading what changed is expensive. */
  readonly restMs?: number;
}

/** A mirror that also reports, at every sign, changes of what it does not follow by itself. */
export function extendMirror(mirror: Mirror, others: readonly Unfollowed[]): Mirror {
  const mirrors = [mirror, ...others.map((one) => new SignMirror(one, one.restMs))];
  return {
    onChange(listener) {
      const ends = mirrors.map((one) => one.onChange(listener));
      return () => {
        for (const end of ends) end();
      };
    },
    async follow(windows, timeoutMs) {
      const followed = await Promise.all(mirrors.map((one) => one.follow(windows, timeoutMs)));
      const release = (): void => {
        for (const one of followed) if (one.ok) one.value.release();
      };
      const [own] = followed;
      if (own?.ok !== false) return succeed({ release });
      release();
      return own;
    },
    figures: () => mirror.figures(),
    // What others follow they do not keep.
    peek: () => mirror.peek(),
    expectTyping: (forMs) => mirror.expectTyping(forMs),
  };
}

class SignMirror implements Mirror {
  private readonly listeners = new Set<(change: MirrorChange) => void>();
  private readonly watches = new Set<Watch>();
  private signs = 0;

  constructor(
    private readonly source: Pick<ElementSource, "covers" | "watch">,
    private readonly restMs = 0,
  ) {}

  onChange(listener: (change: MirrorChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async follow(windows: readonly Window[], timeoutMs: number): Promise<Result<Following>> {
    const covered = await this.source.covers(windows);
    if (!covered.ok) return covered;
    const own = windows.filter(({ id }) => covered.value.has(id));
    if (own.length === 0) return succeed({ release: () => undefined });
    const watch = await this.source.watch(own, timeoutMs);
    if (!watch.ok) return watch;
    this.watches.add(watch.value);
    void this.pass(
      watch.value,
      own.map(({ id }) => id),
    );
    return succeed({ release: () => this.release(watch.value) });
  }

  figures(): MirrorFigures {
    return {
      followedApplications: this.watches.size,
      events: this.signs,
      partReads: 0,
      wholeReads: 0,
      surveys: 0,
      questions: 0,
      wholeReadReasons: {},
    };
  }

  expectTyping(): void {
    // It reads nothing by itself.
  }

  /** It keeps nothing: whoever asks reads anew. */
  peek(): Kept {
    return {
      list: undefined,
      reads: new Map(),
      unread: new Map(),
      shifted: new Map(),
      moved: new Map(),
      changed: new Map(),
      listChangedMs: 0,
      drawn: [],
      popups: [],
    };
  }

  close(): void {
    for (const watch of this.watches) this.release(watch);
  }

  private release(watch: Watch): void {
    this.watches.delete(watch);
    watch.close();
  }

  private async pass(watch: Watch, windows: readonly number[]): Promise<void> {
    while (this.watches.has(watch)) {
      if ((await watch.waitForSign(stepMs)) === undefined) continue;
      const signs = watch.take();
      this.signs += signs.length;
      const isListChanged = signs.some(({ source }) => source === "windows");
      for (const listener of this.listeners) listener({ windows, isListChanged });
      if (this.restMs > 0) await pause(this.restMs, undefined, { ref: false });
    }
  }
}
