import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { type Inspector, openPage, startInspector } from "./inspected.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// The inspector on the very screen that it shows, in a browser that exposes its pages fully.

const fixture = join(import.meta.dir, "../fixtures/apps/inspected-gtk3.py");
let scene: Scene;
let inspector: Inspector;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  scene = await openScene({ width: 1400, height: 900 });
  await scene.start(["/usr/bin/python3", fixture, "Beside it"], "Beside it");
  const [id = ""] = scene.run("xdotool", "search", "--onlyvisible", "--name", "Beside it").stdout.split("\n");
  scene.run("xdotool", "windowmove", "--sync", id, "10", "30");
  inspector = await startInspector(scene);
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    headless: false,
    env: { ...scene.sandbox.env },
    args: ["--no-sandbox", "--force-renderer-accessibility", "--window-size=900,700", "--window-position=450,50"],
  });
  ({ page } = await openPage(browser, inspector.url, { viewport: null }));
});
afterAll(async () => {
  await browser.close();
  await inspector.close();
  scene.deskmap("serve", "stop");
  await scene.close();
});

test("it shows every window but its own, and becomes idle", async () => {
  await page.getByRole("status").getByText("Live", { exact: true }).waitFor();
  await page.getByRole("tab", { name: "Tree" }).click();
  await page.getByRole("treeitem").filter({ hasText: "Beside it" }).waitFor();
  // Deskmap itself sees both windows: only the inspector hides its own.
  await waitFor("its own window", () => scene.deskmap("list").stdout.includes("Deskmap inspector "));
  await waitFor("one window", async () => (await page.locator('[role="treeitem"][aria-level="1"]').count()) === 1);
  // No process on this desktop uses the processor any more: what the page shows of a change is not itself a change.
  await scene.settle();
  await page.getByRole("tab", { name: "Screen" }).click();
  await page.locator(".surface img").waitFor();
  await scene.settle();
  expect(await page.getByText(/^\d+ marks$/).textContent()).not.toBe("0 marks");
});
