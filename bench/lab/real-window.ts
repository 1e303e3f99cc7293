import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { look, recognise } from "../../src/find/read.ts";
import type { MapStore } from "../../src/map/store/port.ts";
import { flatten } from "../../src/model/element.ts";
import { openPlatform } from "../../src/platform/pick.ts";
import { type App, apps } from "./apps.ts";
import { openTestbed } from "./testbed.ts";

/** The times to read a real window and to recognise what was read. */
export interface RealTrial {
  readonly elements: number;
  readonly readMs: number;
  readonly recogniseMs: number;
  /** The same again, in the same run of the application. */
  readonly readAgainMs: number;
  readonly recogniseAgainMs: number;
}

const columns = 30;
const rows = 19;

/** Firefox with a page of buttons that are all in view: what is not in view is neither read nor recognised. */
const fullPage: App = {
  ...apps.firefox,
  prepare(folder) {
    const [program, ...words] = apps.firefox.prepare(folder);
    // A page is recognised by its address, so every run uses the same one.
    const site = join(tmpdir(), "deskmap-bench-page");
    mkdirSync(site, { recursive: true });
    const page = join(site, "page.html");
    const line = (row: number): string =>
      Array.from({ length: columns }, (_, column) => `<button>${row * columns + column}</button>`).join("");
    const body = Array.from({ length: rows }, (_, row) => `<div>${line(row)}</div>`).join("\n");
    const style =
      "button { width: 38px; height: 28px; padding: 0; font-size: 10px } body { margin: 4px; line-height: 0 }";
    writeFileSync(page, `<!doctype html><meta charset=utf-8><title>Big page</title><style>${style}</style>${body}`);
    return [program, ...words.slice(0, -1), page];
  },
};

/** A fresh run of the application on a desktop of its own, read and recognised twice. */
export async function tryRealWindow(store: MapStore, practice: MapStore): Promise<RealTrial> {
  const testbed = await openTestbed(fullPage);
  try {
    const opened = await openPlatform({ env: testbed.env, timeoutMs: 10_000 });
    if (!opened.ok) throw new Error(opened.failure.message);
    const platform = opened.value;
    const measure = async (windowId: number, marks: MapStore) => {
      const startedMs = performance.now();
      const seen = await look(platform, { windowId }, { includeHidden: false, timeoutMs: 30_000 });
      const readMs = performance.now() - startedMs;
      if (!seen.ok) throw new Error(seen.failure.message);
      const elements = flatten(seen.value.windows.flatMap(({ root }) => root ?? []));
      const wanted = new Set(elements.map(({ handle }) => handle));
      const knownMs = performance.now();
      recognise(marks, seen.value, wanted, true);
      return { readMs, recogniseMs: performance.now() - knownMs, elements: elements.length };
    };
    try {
      for (let count = 0; count < 3; count += 1) await measure(testbed.runIn.id, practice);
      await testbed.waitUntilQuiet();
      const first = await measure(testbed.subject.id, store);
      await testbed.waitUntilQuiet();
      const again = await measure(testbed.subject.id, store);
      return { ...first, readAgainMs: again.readMs, recogniseAgainMs: again.recogniseMs };
    } finally {
      platform.close();
    }
  } finally {
    await testbed.close();
  }
}
