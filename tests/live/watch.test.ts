import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ViewMemory } from "../../src/live/view-memory.ts";
import { type WatchQuery, type WatchSession, watchDesktop } from "../../src/live/watch.ts";
import type { ChangeLine } from "../../src/model/change-line.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { Mirror, MirrorChange, Platform } from "../../src/platform/port.ts";
import { makeMapFolder } from "../map/desk.ts";

/** A mirror that reports a change when the test says so. */
class TestMirror implements Mirror {
  readonly listeners = new Set<(change: MirrorChange) => void>();
  followed: readonly number[] = [];

  onChange(listener: (change: MirrorChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async follow(windows: readonly { readonly id: number }[]) {
    this.followed = windows.map(({ id }) => id);
    return succeed({ release: () => undefined });
  }

  expectTyping() {
    // It reads nothing by itself.
  }

  peek() {
    return {
      list: undefined,
      reads: new Map(),
      unread: new Map<number, number>(),
      shifted: new Map(),
      moved: new Map(),
      changed: new Map<number, number>(),
      listChangedMs: 0,
      drawn: [],
      popups: [],
    };
  }

  figures() {
    return {
      followedApplications: 0,
      events: 0,
      partReads: 0,
      wholeReads: 0,
      surveys: 0,
      questions: 0,
      wholeReadReasons: {},
    };
  }

  tell(change: Partial<MirrorChange> = {}): void {
    for (const listener of this.listeners) listener({ windows: this.followed, isListChanged: false, ...change });
  }
}

let folder: ReturnType<typeof makeMapFolder>;
let desktop: FakeDesktop;
let platform: Platform;
let mirror: TestMirror;
let source: WatchSession;
let log: string[];
let refusal: Failure | undefined;
let looks: number;
let ending: AbortController;

beforeEach(() => {
  folder = makeMapFolder();
  desktop = new FakeDesktop({ applications: [editorSketch()] });
  const bare = desktop.open();
  platform = new Proxy(bare, {
    get(target, name) {
      if (name === "readWindows") looks += 1;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  mirror = new TestMirror();
  const marks = folder.open();
  [log, refusal, looks, ending] = [[], undefined, 0, new AbortController()];
  source = {
    openLive: async () => (refusal === undefined ? succeed({ desktop: { platform, marks }, mirror }) : fail(refusal)),
    memory: new ViewMemory(),
    clientName: "test",
    recordLasting: (tool, apps, words) => {
      log.push(`${tool} ${apps.join("+")} ${words}`);
      return succeed(undefined);
    },
  };
});
afterEach(() => {
  ending.abort();
  folder.remove();
});

function editorSketch() {
  return {
    name: "Editor",
    windows: [
      {
        title: "notes.txt",
        children: [
          { role: "button" as const, name: "Save", actions: ["press" as const] },
          { role: "input" as const, name: "Text", value: "a" },
        ],
      },
    ],
  };
}

function watch(query: Partial<WatchQuery> = {}) {
  const whole = { includeHidden: false, timeoutMs: 50, withPlaces: false, debounceMs: 1, ...query };
  const batches = watchDesktop(source, whole, ending.signal);
  return {
    next: async (): Promise<readonly ChangeLine[]> => take(await batches.next()),
    /** How it ended: the failure, or undefined. */
    end: async (): Promise<Failure | undefined> => {
      const { value } = await batches.next();
      return value === undefined || value.ok ? undefined : value.failure;
    },
    leave: () => batches.return(undefined),
  };
}

function take({ value }: IteratorResult<Result<readonly ChangeLine[]>>): readonly ChangeLine[] {
  if (value?.ok !== true) throw new Error(`no lines: ${JSON.stringify(value)}`);
  return value.value;
}

const control = (name: string) => {
  const found = desktop.applications
    .flatMap(({ windows }) => windows.flatMap((window) => window.listControls()))
    .find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};
const kinds = (lines: readonly ChangeLine[]): string[] => lines.map((line) => line.kind);
const tokenOf = (lines: readonly ChangeLine[]): string => {
  const last = lines.at(-1);
  return last?.kind === "token" ? last.token : "";
};

describe("a watch", () => {
  test("reports the current state, then changes", async () => {
    const watching = watch();
    expect(kinds(await watching.next())).toEqual(["start", "window", "window", "appeared", "appeared", "token"]);
    control("Text").value = "b";
    mirror.tell();
    expect(await watching.next()).toMatchObject([
      { kind: "changed", name: "Text", value: "b", was: { value: "a" } },
      { kind: "token" },
    ]);
  });

  test("reports only changes if requested", async () => {
    const watching = watch({ isFromNow: true });
    expect(kinds(await watching.next())).toEqual(["token"]);
    control("Save").remove();
    mirror.tell();
    expect(kinds(await watching.next())).toEqual(["gone", "token"]);
  });

  test("waits for an application that is not there yet, and continues when it has ended", async () => {
    const watching = watch({ app: "Player" });
    expect(kinds(await watching.next())).toEqual(["start", "token"]);
    const player = desktop.start({ name: "Player", windows: [{ title: "Song", children: [] }] });
    mirror.tell({ isListChanged: true });
    expect(await watching.next()).toMatchObject([{ kind: "window", what: "opened", app: "Player" }, { kind: "token" }]);
    desktop.end(player);
    mirror.tell({ isListChanged: true });
    expect(await watching.next()).toMatchObject([{ kind: "window", what: "closed", app: "Player" }, { kind: "token" }]);
  });

  test("finds windows that were not reported", async () => {
    const watching = watch();
    await watching.next();
    desktop.applications[0]?.windows[0]?.retitle("other.txt");
    expect(await watching.next()).toMatchObject([{ kind: "window", what: "changed", title: "other.txt" }, {}]);
  });

  test("knows the same controls after a restart", async () => {
    const watching = watch();
    const before = await watching.next();
    desktop.applications[0]?.restart();
    mirror.tell({ isListChanged: true });
    const after = await watching.next();
    const marks = (lines: readonly ChangeLine[]) =>
      lines.flatMap((line) => (line.kind === "appeared" ? [line.id] : []));
    expect(marks(after)).toEqual(marks(before));
    expect(marks(after)).toHaveLength(2);
  });

  test("continues after a token", async () => {
    const first = watch();
    const token = tokenOf(await first.next());
    await first.leave();
    control("Text").value = "b";
    expect(kinds(await watch({ since: token }).next())).toEqual(["changed", "token"]);
    expect(await watch({ since: token, app: "editor" }).next()).toMatchObject([
      { kind: "start", reason: "other-selection" },
      {},
      {},
      {},
      {},
      {},
    ]);
    expect((await watch({ since: "other.1" }).next())[0]).toEqual({ kind: "start", reason: "restarted" });
  });

  test("sends a slow reader the difference from its last state, once", async () => {
    const watching = watch({ isFromNow: true });
    await watching.next();
    const before = looks;
    for (let count = 0; count < 1000; count += 1) {
      control("Text").value = `b${count}`;
      mirror.tell();
    }
    expect(looks).toBe(before);
    const lines = await watching.next();
    expect(lines).toMatchObject([{ kind: "changed", value: "b999", was: { value: "a" } }, { kind: "token" }]);
    expect(looks).toBe(before + 1);
  });
});

test("a watch of constant changes still reports them, and does not read at every sign", async () => {
  const watching = watch({ isFromNow: true, debounceMs: 30 });
  await watching.next();
  let signs = 0;
  const storm = setInterval(() => {
    signs += 1;
    control("Text").value = `b${signs}`;
    mirror.tell();
  }, 5);
  try {
    // Continues until three batches have arrived.
    for (let batch = 0; batch < 3; batch += 1) expect(kinds(await watching.next())).toEqual(["changed", "token"]);
    expect(looks).toBeLessThan(signs);
  } finally {
    clearInterval(storm);
  }
});

describe("a watch of windows that keep opening and closing", () => {
  /** Every list names a window that is gone when it is read. */
  const listVanishingWindow = (onList: () => void = () => undefined): void => {
    const quiet = platform;
    const ghost = { title: "Ghost", children: [] };
    platform = new Proxy(quiet, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== "listWindows") return value;
        return async (...given: unknown[]) => {
          const player = desktop.start({ name: "Player", windows: [ghost] });
          try {
            return await Reflect.apply(value, target, given);
          } finally {
            desktop.end(player);
            onList();
          }
        };
      },
    });
  };

  test("reports the state after some attempts", async () => {
    listVanishingWindow();
    const lines = await watch().next();
    expect(lines.filter(({ kind }) => kind === "appeared")).toMatchObject([{ name: "Save" }, { name: "Text" }]);
    expect(looks).toBe(5);
  });

  test("ends with its signal, even while it retries", async () => {
    listVanishingWindow(() => ending.abort());
    expect(await watch().end()).toBeUndefined();
    expect(looks).toBe(1);
  });
});

describe("a watch ends", () => {
  test("with its signal, even while it waits", async () => {
    const watching = watch();
    await watching.next();
    const ended = watching.end();
    ending.abort();
    expect(await ended).toBeUndefined();
    expect(mirror.listeners.size).toBe(0);
  });

  test("after its time, and after the requested number of batches", async () => {
    const timed = watch({ forMs: 20 });
    await timed.next();
    expect(await timed.end()).toBeUndefined();
    const counted = watch({ maxBatches: 1, isFromNow: true });
    await counted.next();
    control("Text").value = "b";
    mirror.tell();
    await counted.next();
    expect(await counted.end()).toBeUndefined();
  });

  test("with the failure, when the display is gone", async () => {
    const watching = watch();
    await watching.next();
    platform.close();
    expect(await watching.end()).toMatchObject({ code: "UNAVAILABLE" });
  });

  test("with a refusal, when a person stops everything, though nothing changes", async () => {
    const watching = watch();
    await watching.next();
    refusal = { code: "REFUSED", reason: "stopped", message: "a person has stopped everything", done: nothingDone };
    expect(await watching.end()).toMatchObject({ code: "REFUSED", reason: "stopped" });
  });
});

test("the log has the beginning of a watch, each application that joins, and its end", async () => {
  const watching = watch();
  await watching.next();
  desktop.start({ name: "Player", windows: [{ title: "Song", children: [] }] });
  mirror.tell({ isListChanged: true });
  await watching.next();
  await watching.leave();
  expect(log).toEqual(["watch Editor begins", "watch Player joins", "watch Editor+Player ends, 2 looks so far"]);
});
