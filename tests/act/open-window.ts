import { afterAll, afterEach, beforeEach } from "bun:test";
import { type ActRequest, act } from "../../src/desktop/index.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import type { Bounds } from "../../src/model/bounds.ts";
import type { Effect } from "../../src/model/effect.ts";
import type { Failure, Result } from "../../src/model/failure.ts";
import type { Order } from "../../src/model/order.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import type { Platform } from "../../src/platform/port.ts";
import { openGuard } from "../guard/open-guard.ts";
import { Desk, makeMapFolder } from "../map/desk.ts";
import { ScriptedWatch } from "./scripted-watch.ts";

export interface OpenWindow {
  readonly desk: Desk;
  readonly watch: ScriptedWatch;
  readonly store: SqliteStore;
  /** The platform; tests may override its answers. */
  readonly platform: Platform;
  /** Shows a list in a window of its own. */
  openPopup(bounds: Bounds): Promise<void>;
  /** Carries out a command; throws if it is refused. */
  do(words: string, order: Order, options?: Pick<ActRequest, "isUnverified" | "foretold">): Promise<Effect>;
  /** The failure of a refused command; throws if it is carried out. */
  refuse(words: string, order: Order): Promise<Failure>;
}

/** Opens windows of an in-memory desktop, with a separate map per test. */
export function useWindows(): (...children: readonly ControlSketch[]) => OpenWindow {
  const folder = makeMapFolder();
  let store: SqliteStore;
  beforeEach(() => {
    store = folder.open();
  });
  afterEach(() => store.close());
  afterAll(() => folder.remove());
  return (...children) => {
    const desk = new Desk(store, { title: "Form", children });
    // Every in-memory application has the same process number.
    store.noteInput([desk.app.pid], { atMs: 0, isConfirmed: true });
    const watch = new ScriptedWatch();
    desk.fake.watch = () => watch;
    const platform = desk.fake.open();
    const desktop = { platform, marks: store, guard: openGuard(desk.fake) };
    const carryOut = (words: string, order: Order, options = {}): Promise<Result<Effect>> =>
      act(desktop, {
        tool: order.kind,
        aim: { by: "words", words },
        order,
        isDryRun: false,
        timeoutMs: 1000,
        ...options,
      });
    return {
      desk,
      watch,
      store,
      platform,
      async openPopup(bounds) {
        const list = await platform.listWindows();
        desk.fake.popups = list.ok ? list.value.windows.slice(0, 1).map((window) => ({ ...window, bounds })) : [];
      },
      async do(words, order, options) {
        const effect = await carryOut(words, order, options);
        if (!effect.ok) throw new Error(`${effect.failure.code} ${effect.failure.message}`);
        return effect.value;
      },
      async refuse(words, order) {
        const effect = await carryOut(words, order);
        if (effect.ok) throw new Error(`it was ${effect.value.verdict}`);
        return effect.failure;
      },
    };
  };
}
