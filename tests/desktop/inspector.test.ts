import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, Locator, Page } from "playwright-core";
import { type Inspector, openBrowser, openPage, startInspector } from "./inspected.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

const fixture = join(import.meta.dir, "../fixtures/apps/inspected-gtk3.py");
const evil = `<img src=x onerror="document.title='owned'">`;
let scene: Scene;
let pid = 0;
let inspector: Inspector;
let browser: Browser;
let page: Page;
let errors: readonly string[] = [];

beforeAll(async () => {
  scene = await openScene({ width: 1000, height: 700 });
  const opening = openBrowser();
  pid = (await scene.start(["/usr/bin/python3", fixture, "Looked at"], "Looked at")).pid ?? 0;
  await scene.settle();
  [inspector, browser] = await Promise.all([startInspector(scene), opening]);
  ({ page, errors } = await openPage(browser, inspector.url));
});
afterAll(async () => {
  await browser.close();
  await inspector.close();
  scene.deskmap("serve", "stop");
  await scene.close();
});

const row = (name: string): Locator => page.getByRole("treeitem").filter({ hasText: name }).first();
const live = (): Promise<void> => page.getByRole("status").getByText("Live", { exact: true }).waitFor();
const surface = (): Locator => page.getByRole("application");

/** Records every text that an element of the page shows from now on. */
async function note(selector: string): Promise<() => Promise<readonly string[]>> {
  const name = `told${notes}`;
  notes += 1;
  const options = "{ subtree: true, characterData: true, childList: true }";
  await page.evaluate(`{
    const [told, watched] = [(window.${name} = []), document.querySelector(${JSON.stringify(selector)})];
    new MutationObserver(() => told.push(watched.textContent)).observe(watched, ${options});
  }`);
  return () => page.evaluate<readonly string[]>(`window.${name}`);
}

let notes = 0;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The bounds of a button according to pyatspi. */
function placeOf(name: string): Place {
  const told = scene.ask("first", String(pid), "push button", name);
  const [x, y, width, height] = (told as { extents: [number, number, number, number] }).extents;
  return { x, y, width, height };
}

/** The centre of a control on the page. */
async function findOnPage(name: string): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = placeOf(name);
  const box = await surface().boundingBox();
  if (box === null) throw new Error("no picture");
  const scale = box.width / 1000;
  return { x: box.x + (x + width / 2) * scale, y: box.y + (y + height / 2) * scale };
}

test("the page opens with its link and shows the application, on the picture and in the tree", async () => {
  await live();
  await row("Count").waitFor();
  await surface().locator("img").waitFor();
  await page.getByText(/^[1-9]\d* marks$/).waitFor();
  expect(errors).toEqual([]);
  expect(page.url()).not.toContain("#");
});

test("the link works once; the page that used it can be reloaded", async () => {
  const second = await openPage(browser, inspector.url);
  await second.page.getByRole("alert").getByText("used before").waitFor();
  expect(await second.page.getByRole("tab").count()).toBe(0);
  // It could not stop anything.
  expect(await second.page.getByRole("button", { name: "Stop everything" }).count()).toBe(0);
  await second.page.context().close();
  await page.reload();
  await live();
  await row("Count").waitFor();
});

test("the filters show what can be written in them, whole, also where there is little room", async () => {
  const searches = page.getByRole("searchbox");
  expect(await searches.count()).toBe(2);
  const wide = page.viewportSize() ?? { width: 1280, height: 800 };
  // Less room than this shows one panel alone.
  for (const width of [wide.width, 1150, 1060, 980]) {
    await page.setViewportSize({ ...wide, width });
    for (const search of await searches.all()) {
      // A placeholder has no size of its own: the same words as a value have.
      await search.fill((await search.getAttribute("placeholder")) ?? "");
      expect([width, await search.evaluate((field) => field.scrollWidth - field.clientWidth)]).toEqual([width, 0]);
      await search.fill("");
    }
  }
  await page.setViewportSize(wide);
});

test("a page of another origin can neither read the inspector nor open its socket", async () => {
  const other = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }),
  });
  const context = await browser.newContext();
  const stranger = await context.newPage();
  await stranger.goto(`http://127.0.0.1:${other.port}/`);
  const { host } = new URL(inspector.url);
  const seen = await stranger.evaluate(async (target) => {
    const fetched = await fetch(`http://${target}/`).then(
      ({ status }) => status,
      () => "blocked",
    );
    const socket = await new Promise((resolve) => {
      const tried = new WebSocket(`ws://${target}/socket`);
      tried.onopen = () => resolve("open");
      tried.onclose = () => resolve("blocked");
    });
    return [fetched, socket];
  }, host);
  expect(seen).toEqual(["blocked", "blocked"]);
  await context.close();
  await other.stop(true);
});

test("hovering over a control shows what it is; a click selects it in every panel", async () => {
  const { x, y } = await findOnPage("Count");
  await page.mouse.move(x, y);
  const card = page.locator(".card");
  await card.getByText("Count").waitFor();
  await card.getByText(/confidence 0\.\d+, source a11y/).waitFor();
  expect(await card.textContent()).toContain("button");
  await page.mouse.down();
  await page.mouse.up();
  await page.locator('[role="treeitem"][aria-selected="true"]').getByText("Count").waitFor();
  await page.locator("#element-title").getByText("Count").waitFor();
  expect(await card.count()).toBe(0);
  const { x: left, y: top, width, height } = placeOf("Count");
  const picked = (await page.locator(".picked").textContent()) ?? "";
  const [, px = "", py = ""] = /Picked (\d+), (\d+)/.exec(picked) ?? [];
  expect(Math.abs(Number(px) - (left + width / 2))).toBeLessThanOrEqual(2);
  expect(Math.abs(Number(py) - (top + height / 2))).toBeLessThanOrEqual(2);
});

test("a selection in the tree is shown on the picture", async () => {
  await row("some text").click();
  await page
    .locator(".readout")
    .getByText(/^input, mark \d+$/)
    .waitFor();
});

test("a filter draws only matching marks", async () => {
  const filter = page.getByRole("searchbox", { name: "Draw marks only for" });
  await filter.fill("role:button count");
  await page.getByText(/^1 of [34] marks$/).waitFor();
  await filter.fill("app:nothing");
  await page.getByText(/^0 of [34] marks$/).waitFor();
  await filter.fill("colour:red");
  await page.getByText("unknown key colour: role, app, window, state", { exact: true }).waitFor();
  await filter.fill("");
});

test("changes in the application appear in the tree, flash, and are in a new picture", async () => {
  const before = await surface().locator("img").getAttribute("src");
  const { x, y, width, height } = placeOf("Count");
  scene.run("xdotool", "mousemove", String(x + width / 2), String(y + height / 2), "click", "1");
  await row("pressed 1 times").waitFor();
  await waitFor(
    "a flash",
    async () => (await row("pressed 1 times").getAttribute("class"))?.includes("flash") === true,
  );
  await waitFor("a new picture", async () => (await surface().locator("img").getAttribute("src")) !== before);
  scene.run("xdotool", "click", "1");
  await row("A newcomer").waitFor();
});

test("a window that moves has no marks until the picture shows its new place", async () => {
  const [id = ""] = scene.run("xdotool", "search", "--onlyvisible", "--name", "Looked at").stdout.split("\n");
  await page.getByText("4 marks", { exact: true }).waitFor();
  const listTold = await note(".readout span");
  scene.run("xdotool", "windowmove", id, "20", "330");
  await waitFor("marks at the new place", async () => {
    const told = await listTold();
    return told.includes("0 marks") && told.at(-1) === "4 marks";
  });
  const { x, y } = await findOnPage("Count");
  await page.mouse.click(x, y);
  await page.locator('[role="treeitem"][aria-selected="true"]').getByText("Count").waitFor();
  // A control whose new place is told after the others waits for one more picture.
  expect((await listTold()).join()).toMatch(/^0 marks(,[1-3] marks)*,4 marks$/);
});

test("text that looks like code stays text", async () => {
  await row(evil).waitFor();
  await row(evil).click();
  await page.locator(".readout").getByText(evil).waitFor();
  expect(await page.title()).toStartWith("Deskmap inspector");
  expect(await page.locator(".tree img, .readout img").count()).toBe(0);
});

test("everything is reachable by keyboard", async () => {
  await page.keyboard.press("Alt+2");
  await page.locator("#tab-tree:focus").waitFor();
  const search = page.getByRole("searchbox", { name: "Search the tree" });
  await search.fill("role:button");
  await page.getByText("3 found", { exact: false }).waitFor();
  await search.press("Enter");
  await search.press("Enter");
  await page.getByText(/^\d of [34] found$/).waitFor();
  await search.press("Shift+Enter");
  await row("Looked at").click();
  await page.keyboard.press("ArrowLeft");
  await waitFor("a closed window", async () => (await page.getByRole("treeitem").count()) === 1);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("c");
  await page.locator('[role="treeitem"][aria-level="2"]:focus').getByText("Count").waitFor();
  await surface().focus();
  await page.keyboard.press("ArrowDown");
  await waitFor(
    "another choice",
    async () => !((await page.locator(".readout").textContent()) ?? "").includes("Count,"),
  );
});

test("keyboard navigation stays in the tree when the focused line disappears", async () => {
  const dialog = await scene.start(["zenity", "--info", "--title=Brief", "--text=Not for long"], "Brief");
  await row("Not for long").click();
  const isInTree = "document.activeElement.closest('[role=tree]') !== null";
  await waitFor("the focus in the tree", () => page.evaluate<boolean>(isInTree));
  dialog.kill("SIGTERM");
  await row("Not for long").waitFor({ state: "detached" });
  await waitFor("the focus in the tree again", () => page.evaluate<boolean>(isInTree));
  await page.keyboard.press("ArrowUp");
  await page.locator('[role="treeitem"][aria-selected="true"]:focus').waitFor();
});

test("a repeated announcement goes to another element, so that a screen reader reads it again", async () => {
  const { x, y } = await findOnPage("Count");
  const regions = page.locator('.announcer [aria-live="polite"]');
  const findSaid = async (): Promise<number> =>
    (await regions.allTextContents()).findIndex((words) => /Count/.test(words));
  await page.mouse.click(x, y);
  await waitFor("the words", async () => (await findSaid()) >= 0);
  for (let time = 1; time <= 2; time += 1) {
    const before = await findSaid();
    await page.mouse.click(x, y);
    await waitFor("the words in the other place", async () => (await findSaid()) === 1 - before);
  }
});

test("a sheet lists all keys", async () => {
  await surface().focus();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keys" });
  for (const key of ["Alt+5", "Alt+P", "Alt+A", "Alt+R", "Arrows", "R"]) {
    await sheet.getByText(key, { exact: true }).waitFor();
  }
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
  expect(violations.map(({ id }) => id)).toEqual([]);
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "hidden" });
  expect(await page.getByRole("tab", { name: "Tree" }).getAttribute("aria-keyshortcuts")).toBe("Alt+2");
});

test("with room for one panel, pointing at a control shows its element; moving along the tree does not", async () => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.getByRole("tab", { name: "Tree" }).click();
  await row("Looked at").click();
  await page.keyboard.press("ArrowDown");
  await page.locator('[role="treeitem"][aria-level="2"]:focus').waitFor();
  for (const name of ["Count", evil]) {
    const box = await row(name).locator(".mark").boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(320);
  }
  await page.keyboard.press("Enter");
  await page.locator("#tab-element:focus").waitFor();
  await page.getByRole("tab", { name: "Screen" }).click();
  const { x, y } = await findOnPage("Count");
  await page.mouse.click(x, y);
  await page.locator("#element-title").getByText("Count").waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
});

test("axe-core finds no violations, in light and dark, wide and at 320 px", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 320]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 700 });
      // A wide page has room for both.
      for (const tab of width > 1000 ? ["Screen"] : ["Screen", "Tree"]) {
        await page.getByRole("tab", { name: tab }).click();
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
        const told = violations.map(({ id, nodes }) => [colorScheme, width, tab, id, nodes.map(({ html }) => html)]);
        expect(told).toEqual([]);
        const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect([tab, overflow]).toEqual([tab, 0]);
      }
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
});

test("after the daemon has ended the page says so, reconnects by itself and continues", async () => {
  const listTold = await note(".link");
  expect(scene.deskmap("serve", "stop").status).toBe(0);
  await waitFor("the news", async () => (await listTold()).some((told) => told.startsWith("Daemon lost")));
  await live();
  await row("pressed 2 times").waitFor();
  const { x, y, width, height } = placeOf("Count");
  scene.run("xdotool", "mousemove", String(x + width / 2), String(y + height / 2), "click", "1");
  await row("pressed 3 times").waitFor();
  expect(errors).toEqual([]);
});
