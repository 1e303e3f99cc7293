import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { type Inspector, openBrowser, openPage, startInspector } from "./inspected.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
let inspector: Inspector;
let browser: Browser;
let page: Page;
let errors: readonly string[] = [];

beforeAll(async () => {
  scene = await openScene({ width: 1000, height: 700 });
  await scene.start(["zenity", "--entry", "--title=Alone", "--text=Your name", "--entry-text=Ada"], "Alone");
  await scene.settle();
  [inspector, browser] = await Promise.all([startInspector(scene), openBrowser()]);
  ({ page, errors } = await openPage(browser, inspector.url));
}, 60_000);
afterAll(async () => {
  await browser.close();
  await inspector.close();
  scene.deskmap("serve", "stop");
  await scene.close();
});

test("the page comes in with its link and shows the application", async () => {
  await page.getByRole("status").getByText("Live").waitFor();
  await page.getByText("Your name").first().waitFor();
  expect(errors).toEqual([]);
});
