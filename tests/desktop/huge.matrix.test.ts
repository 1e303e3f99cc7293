import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { casesOf } from "../tier.ts";
import { measureSlowness } from "../wait.ts";
import { prepareChromium } from "./chromium.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

// The page's title lists which of its buttons are in view, according to layout rather than accessibility.

interface JsonElement {
  readonly r: string;
  readonly t?: string;
  readonly x?: readonly string[];
  readonly c?: readonly JsonElement[];
}

interface JsonRead {
  readonly partial?: boolean;
  readonly notes?: readonly { readonly code: string; readonly text: string }[];
  readonly elements?: readonly JsonElement[];
}

const paragraphs = 12_500;
const page = `<!doctype html><meta charset=utf-8><title>Loading</title><h1>Huge</h1>
${Array.from({ length: paragraphs }, (_, index) => `<p><a href="#${index}">Link ${index}</a> <button id=b${index}>Button ${index}</button></p>`).join("\n")}
<button style="position:fixed;right:20px;bottom:20px">Pinned</button>
<script>
const buttons = [...document.querySelectorAll("button")];
function tell() {
  const seen = buttons.filter((one) => { const box = one.getBoundingClientRect(); return box.bottom > 0 && box.top < innerHeight; });
  document.title = "Seen " + seen[0].textContent + " to " + seen.at(-2).textContent + ", " + seen.length;
}
addEventListener("scroll", tell); addEventListener("resize", tell); addEventListener("load", tell);
addEventListener("keydown", (event) => { if (event.key === "m") document.querySelector("#b6000").scrollIntoView(); });
</script>`;

const firefox = prepareFirefox(page);
const chromium = prepareChromium(page);
afterAll(() => {
  firefox.remove();
  chromium.remove();
});

const maxGrowthMb = 50;
let scene: Scene;

for (const { name, command } of casesOf(
  [{ name: "firefox", command: firefox.command }],
  [{ name: "chromium", command: chromium.command }],
)) {
  describe(`a page of 50,000 nodes in ${name}`, () => {
    let pid = 0;
    beforeAll(async () => {
      scene = await openScene();
      ({ pid = 0 } = await scene.start(command, "Seen Button 0 to"));
      await scene.settle();
    });
    afterAll(() => scene.close());

    test("is read where it is in view: completely, labelled as a part, without extra memory", async () => {
      await scrollTo("m", "Button 6003", name);
      const middle = readJson(name);
      expectAllInView(middle);
      expect(flatten(middle.elements).length).toBeLessThan(300);
      await scrollTo("Home", "Button 3", name);
      expectAllInView(readJson(name));
      const before = readMemory(pid);
      for (let count = 0; count < 10; count += 1) readJson(name);
      expect(readMemory(pid) - before).toBeLessThan(maxGrowthMb);
    });

    test("read completely in too little time gives what is in view, and says that the rest is missing", async () => {
      await scrollTo("m", "Button 6003", name);
      const whole = readJson(name, "--all", "--timeout-ms", String(Math.round(1500 * measureSlowness())));
      const shown = flatten(whole.elements).filter(({ x }) => x?.includes("hidden") !== true);
      expectAllInView({ ...whole, elements: shown.map((element) => ({ ...element, c: [] })) });
      expect(whole.notes?.map(({ code }) => code)).toContain("TIMEOUT");
    });
  });
}

/**
 * Chromium exposes only the part of a long page that had loaded when it was first drawn, until something in it changes; so
 * every test scrolls before it compares.
 */
async function scrollTo(key: string, button: string, app: string): Promise<void> {
  const show = async (): Promise<boolean> => {
    // A key pressed while the page is still being laid out is lost.
    scene.run("xdotool", "key", key);
    await scene.settle();
    return flatten(readJson(app).elements).some(({ t }) => t === button);
  };
  await waitFor(`the browser to show ${button}`, show, longestLayoutMs);
}

function flatten(elements: readonly JsonElement[] = []): JsonElement[] {
  return elements.flatMap((element) => [element, ...flatten(element.c)]);
}

/** Every button that the page reports in view appears once, in order, and no other button of the page does. */
function expectAllInView(read: JsonRead): void {
  const [, first, last, count] = /Seen Button (\d+) to Button (\d+), (\d+)/.exec(readTitle()) ?? [];
  const buttons = flatten(read.elements).filter(({ r, t }) => r === "btn" && /^(Button \d+|Pinned)$/.test(t ?? ""));
  const expected = Array.from({ length: Number(count) - 1 }, (_, index) => `Button ${Number(first) + index}`);
  expect(expected.at(-1)).toBe(`Button ${last}`);
  expect(buttons.map(({ t }) => t)).toEqual([...expected, "Pinned"]);
  expect(read.partial).toBe(true);
  expect(read.notes?.length).toBeGreaterThan(0);
}

/** Chromium lays out 50,000 nodes for accessibility again when it scrolls. */
const longestLayoutMs = 150_000;

/** On a busy machine Chromium needs longer for such a page than a read waits by default. */
const patience = ["--timeout-ms", "20000"];

function readJson(app: string, ...options: string[]): JsonRead {
  return JSON.parse(scene.deskmap("read", "--app", app, ...(options.length > 0 ? options : patience)).stdout);
}

function readTitle(): string {
  const { stdout } = scene.run("xdotool", "search", "--onlyvisible", "--name", "Seen Button");
  return scene.run("xdotool", "getwindowname", stdout.trim().split("\n").at(-1) ?? "").stdout;
}

function readMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
