import { ViewMemory } from "../../src/live/view-memory.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { fail, nothingDone, type Result, succeed } from "../../src/model/failure.ts";
import { attend } from "../../src/platform/attentive.ts";
import type { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { Capability, Platform } from "../../src/platform/port.ts";
import { composePictures } from "../../src/sources/compose.ts";
import type { Session } from "../../src/tools/session.ts";
import { openGuard } from "../guard/open-guard.ts";

/** A session on a test platform and map; `onOpen` is called whenever a tool opens one of them. */
export function makeSession(bare: Platform, marks: SqliteStore, onOpen = () => {}): Session {
  const platform = composeWithoutVision(bare);
  const give = <T>(value: T): Promise<Result<T>> => {
    onOpen();
    return Promise.resolve(succeed(value));
  };
  return {
    openPlatform: () => give(platform),
    openDesktop: () => give({ platform, marks }),
    openLive: () => give({ desktop: { platform, marks }, mirror: attend(platform).mirror }),
    openToAct: () =>
      Promise.resolve(fail({ code: "UNAVAILABLE", message: "this test acts on nothing", done: nothingDone })),
    openPlatformToAct: () =>
      Promise.resolve(fail({ code: "UNAVAILABLE", message: "this test acts on nothing", done: nothingDone })),
    hold(_tool, work) {
      return work(this);
    },
    diagnose: () => Promise.resolve([]),
    recordLooks: () => succeed(undefined),
    recordLasting: () => succeed(undefined),
    recordRefusal: (_tool, failure) => failure,
    recordAction: () => {},
    beginWriting: () => Promise.resolve(succeed({ end: () => {} })),
    findReadOnly: () => Promise.resolve(undefined),
    setCaller: () => {},
    timeoutMs: 50,
    clientName: "test",
    folder: process.cwd(),
    hasInput: true,
    memory: new ViewMemory(),
    overlay: undefined,
    warnings: [],
    tellProgress: () => {},
    interrupted: new Promise(() => {}),
    settle: () => Promise.resolve(undefined),
    close: () => marks.close(),
  };
}

/** No picture reader here. */
function composeWithoutVision(platform: Platform): Platform {
  return composePictures(platform, async () => succeed(undefined));
}

/** A session that may act on an in-memory desktop. */
export function makeActingSession(
  desktop: FakeDesktop,
  marks: SqliteStore,
  without: readonly Capability[] = [],
): Session {
  const platform = composeWithoutVision(desktop.open(without));
  const guard = openGuard(desktop, { without });
  return {
    ...makeSession(platform, marks),
    openToAct: () => Promise.resolve(succeed({ platform, marks, guard })),
    openPlatformToAct: () => Promise.resolve(succeed({ platform, guard })),
  };
}
