/** `npm run pictures`: makes docs/demo.gif, docs/overlay.png and docs/inspector.png from real runs on private desktops. */
import { join } from "node:path";
import type { Bounds } from "../../src/model/bounds.ts";
import { openBrowser, openPage, startInspector } from "./inspected.ts";
import { takeMovingPicture } from "./moving-picture.ts";
import { openScene, type Scene } from "./scene.ts";

const docs = join(import.meta.dir, "../../docs");
const browser = await openBrowser();
try {
  await withScene({ width: 740, height: 540 }, async (scene) => {
    place(scene, "Mousepad", { x: 6, y: 30, width: 350, height: 440 });
    place(scene, "Calculator", { x: 366, y: 16, width: 366, height: 508 });
    scene.run("xsetroot", "-solid", "#4c566a");
    await scene.settle();
    act(scene, "read", "--app", "mousepad"); // so that its marks begin at 1
    act(scene, "overlay", "on");
    await takeMovingPicture(scene, browser, join(docs, "demo.gif"));
  });
  await withScene({ width: 1000, height: 640 }, async (scene) => {
    place(scene, "Mousepad", { x: 20, y: 40, width: 520, height: 420 });
    place(scene, "Calculator", { x: 560, y: 60, width: 400, height: 520 });
    await scene.settle();
    const key = findControl(scene, "7", "--app", "gnome-calculator");
    await takeOverlay(scene, key.mark);
    await takeInspector(scene, key.point);
  });
} finally {
  await browser.close();
}

type Screen = { readonly width: number; readonly height: number };

/** A private desktop with both applications; always closed. */
async function withScene(screen: Screen, use: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = await openScene(screen);
  try {
    await scene.start(["mousepad"], "Mousepad");
    await scene.start(["gnome-calculator"], "Calculator");
    await use(scene);
  } finally {
    scene.deskmap("serve", "stop");
    await scene.close();
  }
}

async function takeOverlay(scene: Scene, key: number): Promise<void> {
  act(scene, "type", "Six by seven is", "--app", "mousepad");
  const { elements } = JSON.parse(act(scene, "read", "--app", "mousepad", "--roles", "input", "--format", "json"));
  const text = String(elements[0].i);
  act(scene, "overlay", "on");
  const line = ["--route", "orthogonal", "--label", "then here"];
  act(scene, "annotate", "connect", "--id", text, "--to", String(key), ...line);
  await scene.settle();
  scene.run("import", "-window", "root", join(docs, "overlay.png"));
  act(scene, "overlay", "off");
}

async function takeInspector(scene: Scene, point: readonly [number, number]): Promise<void> {
  const inspector = await startInspector(scene);
  try {
    const { page } = await openPage(browser, inspector.url);
    await page.setViewportSize({ width: 1280, height: 760 });
    const picture = page.getByRole("application");
    await picture.locator("img").waitFor();
    await page.getByText(/^[1-9]\d*( of \d+)? marks/).waitFor();
    const shown = await picture.boundingBox();
    if (shown === null) throw new Error("the page shows no picture");
    const scale = shown.width / 1000;
    await page.mouse.click(shown.x + point[0] * scale, shown.y + point[1] * scale);
    await page.getByRole("tab", { name: "Element" }).click();
    await page.getByText("Found again").first().waitFor();
    await page.getByAltText("The control as it looks now").waitFor();
    await page.screenshot({ path: join(docs, "inspector.png") });
  } finally {
    await inspector.close();
  }
}

function act(scene: Scene, ...words: readonly string[]): string {
  const { status, stdout, stderr } = scene.deskmap(...words);
  if (status !== 0) throw new Error(`deskmap ${words.join(" ")}: ${stderr}`);
  return stdout;
}

function place(scene: Scene, title: string, { x, y, width, height }: Bounds): void {
  const id = scene.run("xdotool", "search", "--onlyvisible", "--name", title).stdout.trim().split("\n")[0] ?? "";
  const size = [String(width), String(height)];
  scene.run("xdotool", "windowsize", "--sync", id, ...size, "windowmove", "--sync", id, String(x), String(y));
}

function findControl(
  scene: Scene,
  words: string,
  ...choice: string[]
): { readonly mark: number; readonly point: [number, number] } {
  const { matches } = JSON.parse(act(scene, "find", words, ...choice, "--format", "json"));
  return { mark: matches[0].i, point: matches[0].p };
}
