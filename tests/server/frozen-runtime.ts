import { LookTally } from "../../src/guard/audit/looks.ts";
import { Journal } from "../../src/host/journal.ts";
import type { Runtime } from "../../src/host/runtime.ts";
import { ViewMemory } from "../../src/live/view-memory.ts";
import { succeed } from "../../src/model/failure.ts";
import type { WindowRead } from "../../src/model/snapshot.ts";
import { OverlayController } from "../../src/overlay/controller.ts";
import type { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { LivePlatform, MirrorFigures, Platform, WindowList } from "../../src/platform/port.ts";
import { makeMapFolder, openStore } from "../map/desk.ts";

type Frozen = { -readonly [Part in keyof Runtime]: Runtime[Part] } & { thaw(): void; reads: number };

/** A runtime whose platform caches what it has read, as a live one does, until it is notified of a change. */
export function openFrozenRuntime(desktop: FakeDesktop, mapPath?: string): Frozen {
  const map = mapPath === undefined ? makeMapFolder() : undefined;
  const marks = openStore(mapPath ?? map?.path ?? "");
  const platform = desktop.open();
  let list: WindowList | undefined;
  const reads = new Map<string, WindowRead>();
  const figures: MirrorFigures = {
    followedApplications: 1,
    events: 0,
    partReads: 0,
    wholeReads: 0,
    surveys: 0,
    questions: 0,
    wholeReadReasons: {},
  };
  const own: Partial<Platform> = {
    listWindows: async () => {
      if (list !== undefined) return succeed(list);
      const fresh = await platform.listWindows();
      if (fresh.ok) list = fresh.value;
      return fresh;
    },
    readWindows: async (request) => {
      const keyOf = (id: number): string => `${id} ${request.includeHidden}`;
      const missing = request.windows.filter(({ id }) => !reads.has(keyOf(id)));
      if (missing.length > 0) {
        runtime.reads += 1;
        const fresh = await platform.readWindows({ ...request, windows: missing });
        if (!fresh.ok) return fresh;
        for (const read of fresh.value) reads.set(keyOf(read.window.id), read);
      }
      return succeed(request.windows.flatMap(({ id }) => reads.get(keyOf(id)) ?? []));
    },
  };
  const mirror: LivePlatform["mirror"] = {
    onChange: () => () => {},
    follow: async () => succeed({ release: () => {} }),
    figures: () => figures,
    expectTyping: () => undefined,
    peek: () => ({
      list: undefined,
      reads: new Map(),
      unread: new Map(),
      shifted: new Map(),
      moved: new Map(),
      changed: new Map<number, number>(),
      listChangedMs: 0,
      drawn: [],
      popups: [],
    }),
  };
  const live: LivePlatform = Object.assign(Object.create(platform), own, {
    mirror,
    forCall: () => Object.assign(Object.create(platform), { close: () => undefined }),
    openDrawingSurface: () => desktop.openDrawingSurface(),
    listenForKeys: async () => succeed(() => undefined),
    listenToPerson: async () => succeed(() => undefined),
  });
  const runtime: Frozen = {
    reads: 0,
    thaw: () => {
      list = undefined;
      reads.clear();
    },
    sources: [],
    memory: new ViewMemory(),
    tally: new LookTally(),
    journal: new Journal(),
    overlay: new OverlayController(async () => succeed(live)),
    openPlatform: async () => succeed(live),
    openMap: async () => succeed(marks),
    check: async () => succeed(undefined),
    renew: () => runtime.thaw(),
    figures: () => figures,
    settle: async () => undefined,
    close: () => {
      runtime.overlay.close();
      marks.close();
      map?.remove();
    },
  };
  return runtime;
}
