import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { type Inspector, openBrowser, openPage, startInspector } from "./inspected.ts";
import { type Scene, waitFor } from "./scene.ts";
import { openThreeMonitors } from "./three-monitors.ts";

// Each monitor shows a white block on black. Its corner in the picture is read from the picture's pixels, its corner on the
// screen from the X server.

const fixture = join(import.meta.dir, "../fixtures/apps/white-blocks.py");
let scene: Scene;
let inspector: Inspector;
let browser: Browser;
let page: Page;

interface Monitor {
  readonly name: string;
  readonly bounds: readonly [number, number, number, number];
}
let monitors: readonly Monitor[] = [];

/** Off centre and at odd coordinates, so that no rounding is right by chance. */
const offset = [101, 77] as const;
const size = [63, 41] as const;

beforeAll(async () => {
  scene = await openThreeMonitors();
  const opening = openBrowser();
  monitors = JSON.parse(scene.deskmap("list", "--monitors", "--format", "json").stdout).monitors;
  const places = monitors.map(({ bounds: [x, y] }) => [x + offset[0], y + offset[1], ...size].join());
  await scene.start(["/usr/bin/python3", fixture, ...places], "Block 0");
  await scene.settle();
  [inspector, browser] = await Promise.all([startInspector(scene), opening]);
  ({ page } = await openPage(browser, inspector.url));
  await page.getByRole("application").locator("img").waitFor();
});
afterAll(async () => {
  await browser.close();
  await inspector.close();
  scene.deskmap("serve", "stop");
  await scene.close();
});

/** The origin of a block according to X. */
function askServer(index: number): readonly [number, number] {
  const { stdout } = scene.run("xwininfo", "-name", `Block ${index}`);
  const [x = "", y = ""] = ["X", "Y"].map(
    (axis) => new RegExp(`Absolute upper-left ${axis}:\\s+(-?\\d+)`).exec(stdout)?.[1],
  );
  return [Number(x), Number(y)];
}

/** The middle of the first white pixel of the picture in the view, as a point of the page. */
function findCorner(): Promise<{ readonly x: number; readonly y: number }> {
  return page.evaluate<{ x: number; y: number }>(`(async () => {
    const image = document.querySelector(".surface img");
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    const [box, view] = [image, image.parentElement].map((one) => one.getBoundingClientRect());
    const [across, down] = [box.width / image.naturalWidth, box.height / image.naturalHeight];
    const { data, width } = pen.getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) {
      const pixel = at / 4;
      const [x, y] = [box.left + (pixel % width + 0.5) * across, box.top + (Math.floor(pixel / width) + 0.5) * down];
      const isIn = x >= view.left && x < view.right && y >= view.top && y < view.bottom;
      if (isIn && data[at + 1] > 128) return { x, y };
    }
    throw new Error("no white pixel");
  })()`);
}

test("a point picked on the picture is exactly that pixel of the screen, on every monitor and at every zoom from 1", async () => {
  expect(monitors).toHaveLength(3);
  for (const [index, { name, bounds }] of monitors.entries()) {
    const [x, y] = askServer(index);
    expect([x - bounds[0], y - bounds[1]]).toEqual([...offset]);
    await page.getByRole("combobox", { name: "Monitor" }).selectOption(name);
    await page.getByRole("button", { name: "100 %" }).click();
    // The picture is requested again when more of its pixels are shown.
    await page.locator(".surface img").waitFor();
    const isWhole = (): Promise<boolean> => page.evaluate('document.querySelector(".surface img").naturalWidth > 3000');
    await waitFor("a picture of all pixels", isWhole);
    for (const zoom of [100, 150]) {
      await page.locator(".bar").getByText(`${zoom} %`, { exact: true }).last().waitFor();
      await page.locator(".stage").evaluate((stage) => stage.scrollTo(0, 0));
      const corner = await findCorner();
      await page.mouse.click(corner.x, corner.y);
      const expected = `${x}, ${y} · ${name} ${offset[0]}, ${offset[1]}`;
      expect(await page.locator(".picked").textContent()).toContain(`Picked ${expected}`);
      await page.getByRole("button", { name: "Larger" }).click();
    }
  }
});

test("all monitors are on one picture, each with its name", async () => {
  await page.getByRole("combobox", { name: "Monitor" }).selectOption("");
  await page.getByRole("button", { name: "Fit" }).click();
  expect(await page.locator(".monitor").allTextContents()).toEqual(monitors.map(({ name }) => name));
});
