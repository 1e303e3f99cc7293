import { ViewMemory } from "./live/view-memory.ts";
import type { MapStore } from "./map/store/port.ts";
import type { Result } from "./model/failure.ts";
import type { LivePlatform } from "./platform/port.ts";

/** What all sessions of a process that lives long share. */
export interface Ground {
  /** The desktop, followed while somebody looks at it. */
  openPlatform(): Promise<Result<LivePlatform>>;
  /** `onTrouble` is told why the map cannot be written: then marks do not last. */
  openMap(onTrouble: (why: string) => void): Promise<Result<MapStore>>;
  /** What clients have seen, to be compared with what is there later. */
  readonly memory: ViewMemory;
  close(): void;
}

/** Opens the desktop and its map when they are first needed, once for all; what could not be opened is tried again. */
export function openGround(env: Readonly<Record<string, string | undefined>>, timeoutMs: number): Ground {
  const troubles: string[] = [];
  const platform = new Shared(async () => {
    const { openLivePlatform } = await import("./platform/pick.ts");
    return openLivePlatform({ env, timeoutMs });
  });
  const map = new Shared(async () => {
    const { openMapStore } = await import("./map/store/open.ts");
    return openMapStore(env, (why) => troubles.push(why));
  });
  return {
    openPlatform: () => platform.open(),
    memory: new ViewMemory(),
    openMap: async (onTrouble) => {
      const opened = await map.open();
      for (const trouble of troubles) onTrouble(trouble);
      return opened;
    },
    close: () => {
      platform.close();
      map.close();
    },
  };
}

class Shared<Part extends { close(): void }> {
  private opening: Promise<Result<Part>> | undefined;

  constructor(private readonly openFirst: () => Promise<Result<Part>>) {}

  async open(): Promise<Result<Part>> {
    this.opening ??= this.openFirst();
    const part = await this.opening;
    if (!part.ok) this.opening = undefined;
    return part;
  }

  close(): void {
    const { opening } = this;
    this.opening = undefined;
    opening?.then((part) => part.ok && part.value.close()).catch(() => undefined);
  }
}
