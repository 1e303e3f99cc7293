import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import type { ChangeLine } from "../../src/model/change-line.ts";
import { type InspectorServer, serveInspector } from "../../src/server/inspector/http.ts";
import { type FakeHost, keep, makeFakeHost } from "../inspector/fake-host.ts";
import { openBrowser, openPage } from "./inspected.ts";
import { waitFor } from "./scene.ts";

// A tree larger than any real application's, served by an in-memory host: the page is what is measured.

const groups = 500;
const inGroup = 99;
const total = groups * (inGroup + 1);
let host: FakeHost;
let server: InspectorServer;
let browser: Browser;
let page: Page;
let errors: readonly string[] = [];

function* listLines(): Generator<ChangeLine> {
  yield { kind: "start", reason: "first" };
  yield { kind: "window", what: "opened", window: 1, app: "Large", title: "Very large", place: "800x600 at 0,0" };
  let mark = 0;
  for (let group = 0; group < groups; group += 1) {
    mark += 1;
    const holder = mark;
    yield { kind: "appeared", id: holder, role: "group", name: `Group ${group}`, window: 1, bounds: [0, 0, 800, 600] };
    for (let at = 0; at < inGroup; at += 1) {
      mark += 1;
      const name = `Button ${group}.${at}`;
      yield { kind: "appeared", id: mark, role: "button", name, window: 1, in: holder, bounds: [at, group, 20, 10] };
    }
  }
  yield { kind: "token", token: "t", atMs: 1 };
}

beforeAll(async () => {
  host = makeFakeHost([...listLines()]);
  const served = await serveInspector({ host: await keep(host), env: {}, version: "1" }, 0);
  if (!served.ok) throw new Error(served.failure.message);
  server = served.value;
  browser = await openBrowser();
  ({ page, errors } = await openPage(browser, server.url));
  await page.getByText(`${total} controls`).waitFor();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const countRows = (): Promise<number> => page.locator('[role="treeitem"]').count();

test("of 50,000 controls only the visible ones are in the page, at any scroll position", async () => {
  expect(await countRows()).toBeLessThan(80);
  for (const share of [0.5, 1, 0.25, 0]) {
    await page.evaluate(`{
      const tree = document.querySelector(".tree");
      tree.scrollTop = (tree.scrollHeight - tree.clientHeight) * ${share};
    }`);
    const group = Math.min(groups - 1, Math.round(groups * share));
    await page
      .getByText(new RegExp(`^(Group|Button) ${group}(\\.|$)`))
      .first()
      .waitFor();
    expect(await countRows()).toBeLessThan(80);
  }
});

test("keys move through the whole tree, and each line states its position", async () => {
  await page.getByRole("treeitem").first().click();
  await page.keyboard.press("End");
  const last = page.locator('[role="treeitem"]:focus');
  await last.getByText(`Button ${groups - 1}.${inGroup - 1}`).waitFor();
  expect(await last.getAttribute("aria-level")).toBe("3");
  expect(await last.getAttribute("aria-posinset")).toBe(String(inGroup));
  expect(await last.getAttribute("aria-setsize")).toBe(String(inGroup));
  await page.keyboard.press("ArrowLeft");
  await last.getByText(`Group ${groups - 1}`, { exact: true }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await waitFor("a closed group", async () => (await last.getAttribute("aria-expanded")) === "false");
  await page.keyboard.press("Home");
  await last.getByText("Very large").waitFor();
});

test("a search finds distant lines, counts matches, and scrolls there", async () => {
  const search = page.getByRole("searchbox", { name: "Search the tree" });
  await search.fill("button 321.");
  await page.getByText(`${inGroup} found`).waitFor();
  await search.press("Enter");
  await page.locator('[role="treeitem"][aria-selected="true"]').getByText("Button 321.0").waitFor();
  await search.fill("");
});

test("changes during scrolling are shown when reached, and the page has no extra lines", async () => {
  await page.mouse.move(1000, 400);
  for (let step = 0; step < 30; step += 1) {
    await page.mouse.wheel(0, 4000);
    host.tell([
      { kind: "changed", id: 2 + step, role: "button", name: `Renamed ${step}`, window: 1, was: { name: "" } },
      { kind: "gone", id: 402 + step, role: "button", name: "", window: 1 },
      { kind: "token", token: "t", atMs: 1 },
    ]);
    expect(await countRows()).toBeLessThan(80);
  }
  await page.getByText(`${total - 30} controls`).waitFor();
  await page.getByRole("searchbox", { name: "Search the tree" }).fill("renamed");
  await page.getByText("30 found").waitFor();
  await page.evaluate('document.querySelector(".tree").scrollTop = 0');
  await page.getByText("Renamed 0", { exact: true }).waitFor();
  expect(errors).toEqual([]);
});
