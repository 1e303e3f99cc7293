import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mapPath } from "../../src/map/store/places.ts";
import { SharedStore } from "../../src/map/store/shared/store.ts";
import { SqliteStore } from "../../src/map/store/sqlite.ts";
import type { Env } from "../../src/model/env.ts";
import type { FakeDesktop } from "../../src/platform/fake/open.ts";
import { TestServer } from "./shared-server.ts";
import { readMarks } from "./tool-bar.ts";

/** A server that an administrator has set up. */
export async function startShared(): Promise<TestServer> {
  const server = await TestServer.start();
  const first = new SharedDesk(server.url("admin"));
  await first.meet();
  first.remove();
  return server;
}

/** One machine with its own copy of a shared map; every visit is a separate command. */
export class SharedDesk {
  private readonly folder = mkdtempSync(join(tmpdir(), "deskmap-shared-"));

  constructor(readonly url: string) {}

  get env(): Env {
    return { XDG_DATA_HOME: this.folder, DESKMAP_MAP: this.url };
  }

  get path(): string {
    return mapPath(this.env);
  }

  tryOpen() {
    return SharedStore.join(this.env);
  }

  /** Opens the map, runs `work`, syncs, and closes; returns the warnings a person would see. */
  async visit<T>(
    work: (store: SqliteStore) => T | Promise<T>,
  ): Promise<{ readonly value: T; readonly remark: string }> {
    const opened = await this.tryOpen();
    if (!opened.ok) throw new Error(`${opened.failure.message} (${opened.failure.suggestion})`);
    const store = opened.value;
    try {
      const value = await work(store);
      return { value, remark: (await store.settle()) ?? "" };
    } finally {
      store.close();
    }
  }

  /** The marks of the buttons in a bar, by name. */
  async read(bar: FakeDesktop): Promise<Record<string, number>> {
    return (await this.visit((store) => readMarks(bar, store))).value;
  }

  /** Syncs completely; returns the warning that a person would see if the server did not answer. */
  async meet(): Promise<string> {
    return (await this.visit(() => undefined)).remark;
  }

  /** Works offline: nothing is sent or received. */
  alone<T>(work: (store: SqliteStore) => T): T {
    const store = SqliteStore.open(this.path);
    if (!store.ok) throw new Error(store.failure.message);
    const value = work(store.value);
    const close = (): void => store.value.close();
    if (value instanceof Promise) value.then(close, close);
    else close();
    return value;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
