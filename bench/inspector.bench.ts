import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { loadPage } from "../src/server/inspector/http.ts";
import { openBrowser, openPage, startInspector } from "../tests/desktop/inspected.ts";
import { openScene, type Scene, waitFor } from "../tests/desktop/scene.ts";
import { isQuick } from "./lab/options.ts";
import { readProcessorMs } from "./lab/processor-time.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { formatTable, type Spread, showMs, showRange, spreadOf } from "./lab/table.ts";

const bars = { paintMs: 1000, detailMs: 50, hideMs: 250, bundleBytes: 250_000, idleShare: 0.01 };
const rounds = isQuick ? 3 : 20;
/** The pause between two selections. */
const restMs = 250;
const idleMs = isQuick ? 5000 : 30_000;

/** Both buttons of the dialog have a mark. */
const bothMarked = /^2 (of \d+ )?marks/;

const scene = await openScene({ width: 1280, height: 800 });
await scene.start(["mousepad", "--disable-server"], "Mousepad");
await scene.start(["zenity", "--entry", "--title=Alone", "--text=Your name", "--entry-text=Ada"], "Alone");
await scene.settle();
const [inspector, browser] = await Promise.all([startInspector(scene), openBrowser()]);

try {
  const { page } = await openPage(browser, inspector.url);
  await page.locator(".surface img").waitFor();
  const paints: number[] = [];
  const pictures: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.reload();
    await page.locator(".surface img").waitFor();
    paints.push(await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime"));
    pictures.push(await page.evaluate<number>("performance.now()"));
  }
  const details = await measureDetails(page);
  const hides = await measureHiding(page, scene);
  const share = await measureIdle(page, scene, inspector.process.pid ?? 0);
  const sizes = [...(await loadPage()).values()].map(({ body }) => gzipSync(body).length);
  const bundleBytes = sizes.reduce((sum, size) => sum + size, 0);

  const spreads: readonly (readonly [string, Spread, number | undefined])[] = [
    ["from the address to the first paint", spreadOf(paints), bars.paintMs],
    ["from the address to the first picture with marks", spreadOf(pictures), undefined],
    ["from a selection in the picture to its details", spreadOf(details), bars.detailMs],
    ["from a window that has moved to no mark at its old place", spreadOf(hides), bars.hideMs],
  ];
  const misses = [
    ...spreads.flatMap(([what, { median }, bar]) => {
      return bar !== undefined && median > bar ? [`${what}: ${showMs(median)} ms, bar ${bar} ms`] : [];
    }),
    ...(bundleBytes > bars.bundleBytes ? [`the page is ${bundleBytes} bytes, bar ${bars.bundleBytes}`] : []),
    ...(share > bars.idleShare ? [`at rest ${(share * 100).toFixed(2)} % of a core, bar 1 %`] : []),
  ];
  const rows = spreads.map(([what, spread, bar]) => {
    return [what, showMs(spread.median), showRange(spread), bar === undefined ? "—" : String(bar)];
  });
  publish("The inspector", [
    `Chromium without a window, on a screen with Mousepad and a dialog; ${rounds} rounds each. Milliseconds.`,
    formatTable({ head: ["what", "median ms", "range ms", "bar ms"], rows }),
    `The page is ${(bundleBytes / 1000).toFixed(1)} kB, packed (bar: 250). With the page open and nothing changing, the inspector and ` +
      `the daemon together take ${(share * 100).toFixed(2)} % of a core over ${idleMs / 1000} s (bar: 1 %). ${describeMisses(misses)}`,
  ]);
} finally {
  await browser.close();
  await inspector.close();
  scene.deskmap("serve", "stop");
  await scene.close();
}

/** Measured by the page itself: from the selection until the details are rendered. */
async function measureDetails(page: Page): Promise<readonly number[]> {
  await page.getByRole("tab", { name: "Element" }).click();
  await page.getByRole("application").focus();
  const count = (): Promise<number> => page.evaluate("performance.getEntriesByName('element-detail').length");
  const keys = ["ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"];
  let presses = 0;
  for (let round = 0; round < rounds; round += 1) {
    const before = await count();
    // Not every direction leads to another control.
    await waitFor("details", async () => {
      await page.keyboard.press(keys[presses % keys.length] ?? "ArrowDown");
      presses += 1;
      await Bun.sleep(restMs);
      return (await count()) > before;
    });
  }
  return page.evaluate<number[]>("performance.getEntriesByName('element-detail').map(({ duration }) => duration)");
}

/** From the end of the move command until the page draws no mark in that window. */
async function measureHiding(page: Page, { run }: Scene): Promise<readonly number[]> {
  const [id = ""] = run("xdotool", "search", "--onlyvisible", "--name", "Alone").stdout.split("\n");
  await page.getByRole("searchbox", { name: "Draw marks only for" }).fill("app:zenity role:button");
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.getByText(bothMarked).waitFor();
    await page.evaluate(`{
      const count = document.querySelector(".readout span");
      window.hiddenAt = 0;
      const watcher = new MutationObserver(() => {
        if (!/^0 (of \\d+ )?marks/.test(count.textContent)) return;
        window.hiddenAt = Date.now();
        watcher.disconnect();
      });
      watcher.observe(count, { subtree: true, characterData: true, childList: true });
    }`);
    run("xdotool", "windowmove", id, String(100 + 40 * (round % 10)), "200");
    const movedAt = Date.now();
    await waitFor("no marks", async () => (await page.evaluate<number>("window.hiddenAt")) > 0);
    took.push(Math.max(0, (await page.evaluate<number>("window.hiddenAt")) - movedAt));
  }
  return took;
}

/** The share of a core that is used while nothing changes. */
async function measureIdle(page: Page, { deskmap, settle }: Scene, pid: number): Promise<number> {
  await page.getByText(bothMarked).waitFor();
  await settle();
  const daemon = JSON.parse(deskmap("serve", "status", "--format", "json").stdout).pid;
  const read = (): number => readProcessorMs(pid) + readProcessorMs(daemon);
  const before = read();
  await Bun.sleep(idleMs);
  return (read() - before) / idleMs;
}
