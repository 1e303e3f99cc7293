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

/** A server on which an administrator has been once. */
export async function startShared(): Promise<TestServer> {
  const server = await TestServer.start();
  const first = new SharedDesk(server.url("admin"));
  await first.meet();
  first.remove();
  return server;
}

/** One machine with its own copy of a shared map; every visit is a command of its own. */
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

  /** Opens the map, works, tells others, closes; with what a person would have been told. */
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

  /** The marks of what is in a bar, by name. */
  async read(bar: FakeDesktop): Promise<Record<string, number>> {
    return (await this.visit((store) => readMarks(bar, store))).value;
  }

  /** Tells and hears everything; returns what a person would have been told, if the server did not answer. */
  async meet(): Promise<string> {
    return (await this.visit(() => undefined)).remark;
  }

  /** Works without the server, as if it were away: nothing is sent and nothing comes. */
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
