/**
 * `npm run pictures`: makes the pictures of the README anew, from the real program on a private desktop: docs/inspector.png and
 * docs/overlay.png.
 */
import { join } from "node:path";
import { openBrowser, openPage, startInspector } from "./inspected.ts";
import { openScene } from "./scene.ts";

const docs = join(import.meta.dir, "../../docs");
const screen = { width: 1000, height: 640 };
const scene = await openScene(screen);
const browser = await openBrowser();
try {
  await scene.start(["mousepad"], "Mousepad");
  await scene.start(["gnome-calculator"], "Calculator");
  place("Mousepad", 20, 40, 520, 420);
  place("Calculator", 560, 60, 400, 520);
  await scene.settle();
  const key = findControl("7", "--app", "gnome-calculator");
  act("type", "Six by seven is", "--app", "mousepad");
  const text = JSON.parse(act("read", "--app", "mousepad", "--roles", "input", "--format", "json")).elements[0];
  act("overlay", "on");
  act(
    "annotate",
    "connect",
    "--id",
    String(text.i),
    "--to",
    String(key.mark),
    "--route",
    "orthogonal",
    "--label",
    "then here",
  );
  await scene.settle();
  scene.run("import", "-window", "root", join(docs, "overlay.png"));
  act("overlay", "off");

  const inspector = await startInspector(scene);
  try {
    const { page } = await openPage(browser, inspector.url);
    await page.setViewportSize({ width: 1280, height: 760 });
    const picture = page.getByRole("application");
    await picture.locator("img").waitFor();
    await page.getByText(/^[1-9]\d*( of \d+)? marks/).waitFor();
    const shown = await picture.boundingBox();
    if (shown === null) throw new Error("the page shows no picture");
    const scale = shown.width / screen.width;
    await page.mouse.click(shown.x + key.point[0] * scale, shown.y + key.point[1] * scale);
    await page.getByRole("tab", { name: "Element" }).click();
    await page.getByText("Found again").first().waitFor();
    await page.getByAltText("The control as it looks now").waitFor();
    await page.screenshot({ path: join(docs, "inspector.png") });
  } finally {
    await inspector.close();
  }
} finally {
  scene.deskmap("serve", "stop");
  await browser.close();
  await scene.close();
}

function act(...words: readonly string[]): string {
  const { status, stdout, stderr } = scene.deskmap(...words);
  if (status !== 0) throw new Error(`deskmap ${words.join(" ")}: ${stderr}`);
  return stdout;
}

function place(title: string, x: number, y: number, width: number, height: number): void {
  const id = scene.run("xdotool", "search", "--onlyvisible", "--name", title).stdout.trim().split("\n")[0] ?? "";
  scene.run(
    "xdotool",
    "windowsize",
    "--sync",
    id,
    String(width),
    String(height),
    "windowmove",
    "--sync",
    id,
    String(x),
    String(y),
  );
}

function findControl(words: string, ...choice: string[]): { readonly mark: number; readonly point: [number, number] } {
  const { matches } = JSON.parse(act("find", words, ...choice, "--format", "json"));
  return { mark: matches[0].i, point: matches[0].p };
}
