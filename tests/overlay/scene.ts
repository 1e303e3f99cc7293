import { LookTally } from "../../src/guard/audit/looks.ts";
import { findPlaces } from "../../src/guard/places.ts";
import { HotkeyPost } from "../../src/guard/stop/hotkey.ts";
import { Journal } from "../../src/host/journal.ts";
import { LocalHost } from "../../src/host/local-host.ts";
import type { CallReply } from "../../src/host/port.ts";
import type { Runtime } from "../../src/host/runtime.ts";
import { ViewMemory } from "../../src/live/view-memory.ts";
import type { Drawing } from "../../src/model/drawing.ts";
import { succeed } from "../../src/model/failure.ts";
import type { Combo } from "../../src/model/keys.ts";
import { OverlayController } from "../../src/overlay/controller.ts";
import type { FakeDrawingSurface } from "../../src/platform/fake/drawing-surface.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { ApplicationSketch } from "../../src/platform/fake/sketch.ts";
import type { FakeWindow } from "../../src/platform/fake/windows.ts";
import type { LivePlatform, MirrorChange } from "../../src/platform/port.ts";
import { makeMapFolder } from "../map/desk.ts";
import { makeHome } from "../server/daemon-scene.ts";
import { waitFor } from "../wait.ts";

/** An in-memory desktop, served as the daemon would serve it, with a drawing surface that a test can inspect. */
export class OverlayScene {
  readonly desktop: FakeDesktop;
  readonly home = makeHome();
  readonly runtime: Runtime;
  readonly host: LocalHost;
  /** Stops listening for the keys that stop everything. */
  readonly endHotkey: () => void;
  /** The requested hotkeys; a test can press them. */
  readonly keys: { combo: Combo; press(): void; isEnded: boolean }[] = [];
  private readonly listeners = new Set<(change: MirrorChange) => void>();

  constructor(applications: readonly ApplicationSketch[], lostMs = 60_000) {
    this.desktop = new FakeDesktop({ applications });
    const map = makeMapFolder();
    const marks = map.open();
    const platform = this.desktop.open();
    const live: LivePlatform = Object.assign(Object.create(platform), {
      forCall: () => Object.assign(Object.create(platform), { close: () => undefined }),
      mirror: {
        onChange: (listener: (change: MirrorChange) => void) => {
          this.listeners.add(listener);
          return () => this.listeners.delete(listener);
        },
        follow: async () => succeed({ release: () => undefined }),
        figures: () => ({ followedApplications: 0, events: 0, partReads: 0, wholeReads: 0, wholeReadReasons: {} }),
      },
      openDrawingSurface: () => this.desktop.openDrawingSurface(),
      listenForKeys: async (combo: Combo, press: () => void) => {
        const key = { combo, press, isEnded: false };
        this.keys.push(key);
        return succeed(() => {
          key.isEnded = true;
        });
      },
    });
    const openPlatform: Runtime["openPlatform"] = async () => succeed(live);
    const overlay = new OverlayController(openPlatform, { lostMs });
    this.runtime = {
      sources: [],
      memory: new ViewMemory(),
      tally: new LookTally(),
      journal: new Journal(),
      overlay,
      openPlatform,
      openMap: async () => succeed(marks),
      check: async () => succeed(undefined),
      renew: () => undefined,
      figures: () => undefined,
      settle: async () => undefined,
      close: () => {
        overlay.close();
        platform.close();
        marks.close();
        map.remove();
      },
    };
    // Without a real display, nothing can listen for the keys that stop everything.
    let post = HotkeyPost.take(findPlaces(this.home.env));
    post?.announceReady();
    this.endHotkey = () => {
      post?.leave();
      post = undefined;
    };
    this.host = this.connect();
  }

  connect(client = "test", env: Readonly<Record<string, string>> = {}): LocalHost {
    return new LocalHost({ ...this.home.env, DESKMAP_CLIENT: client, ...env }, this.runtime);
  }

  /** The open drawing surface. */
  get surface(): FakeDrawingSurface {
    const surface = this.desktop.surfaces.findLast(({ isClosed }) => !isClosed);
    if (surface === undefined) throw new Error("no surface is open");
    return surface;
  }

  /** How many listeners receive changes. */
  get watching(): number {
    return this.listeners.size;
  }

  get openSurfaces(): number {
    return this.desktop.surfaces.filter(({ isClosed }) => !isClosed).length;
  }

  find(key: string): Drawing | undefined {
    return this.desktop.surfaces.findLast(({ isClosed }) => !isClosed)?.drawings.find((one) => one.key === key);
  }

  get tags(): readonly string[] {
    return this.surface.drawings.flatMap((one) => (one.kind === "tag" ? [one.text] : []));
  }

  /** As an application, or the window manager, would. */
  tell(change: Partial<MirrorChange>): void {
    for (const listener of this.listeners) listener({ windows: [], isListChanged: false, ...change });
  }

  move(window: FakeWindow, x: number, y: number): void {
    window.moveTo(x, y);
    this.tell({ isListChanged: true });
  }

  window(title: string): FakeWindow {
    const found = this.desktop.applications.flatMap(({ windows }) => windows).find((one) => one.title === title);
    if (found === undefined) throw new Error(`no window ${title}`);
    return found;
  }

  call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    options: Parameters<LocalHost["call"]>[1] = {},
  ): Promise<CallReply> {
    return this.host.call({ tool, input, formats: ["json", "text", "csv"], timeoutMs: 2000 }, options);
  }

  /** The answer; throws if it is a failure. */
  async ask(tool: string, input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    const { outputs, failure } = await this.call(tool, input);
    if (failure !== undefined) throw new Error(`${tool}: ${failure.message}`);
    return JSON.parse(outputs.json ?? "{}");
  }

  /** The mark that `read` gives a control of this name. */
  async markOf(name: string): Promise<number> {
    const { outputs } = await this.call("find", { words: name });
    const { matches } = JSON.parse(outputs.json ?? "{}");
    return Number(matches?.[0]?.i);
  }

  /** Waits until a condition holds; on timeout, fails with the current state. */
  async until(
    isSo: () => boolean,
    describe: () => unknown = () => this.desktop.surfaces.at(-1)?.drawings,
  ): Promise<void> {
    await waitFor(() => `what is there instead: ${JSON.stringify(describe())}`, isSo);
  }

  close(): void {
    this.runtime.close();
    this.endHotkey();
    this.home.remove();
  }
}
