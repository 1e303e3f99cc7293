import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { encode } from "gpt-tokenizer";
import { buildContext, showScreen, showTree } from "../../src/assistant/context/build.ts";
import { Fence, writeInstructions } from "../../src/assistant/conversation/prompt.ts";
import { modelTools } from "../../src/assistant/conversation/tools.ts";
import { Desk, flatten, type SeenElement } from "../../src/assistant/desk.ts";
import { connectHost } from "../../src/client/connect.ts";
import type { Host } from "../../src/host/port.ts";
import { casesOf } from "../tier.ts";
import { measureSlowness } from "../wait.ts";
import { prepareChromium } from "./chromium.ts";
import { openScene, prepareFirefox, type Scene } from "./scene.ts";

// What a model is told of real windows. The page and both texts are those of the specification.

const aria = `<!doctype html><html lang="en"><title>Aria example</title>
<div role="navigation" aria-label="Main navigation">
  <button>Home</button>
  <button aria-controls="settings-panel" aria-expanded="false">Settings</button>
  <hr aria-hidden="true">
</div>
<div id="main" role="main">
  <div id="email-label">Email address</div>
  <input aria-labelledby="email-label" aria-required="true" placeholder="you@example.com">
  <div id="results" aria-busy="true"><div>Loading...</div></div>
</div>
<section id="settings-panel" aria-label="Panel"></section></html>`;

const screen = `[Navigation: Main navigation]
  [Button: Home]
  [Button: Settings (collapsed, controls: settings-panel)]
[Main]
  Email address
  [Input: Email address (required)]
  [Container: results, loading]
    Loading...`;

const tree = `navigation ["Main navigation"]
  button ["Home"]
  button ["Settings", collapsed, controls: settings-panel]
main
  text ["Email address"]
  input ["Email address", required]
  container#results [loading]
    text ["Loading..."]`;

let scene: Scene;
let host: Host;
beforeAll(async () => {
  scene = await openScene();
  const connected = await connectHost(scene.sandbox.env, { start: true });
  if (!connected.ok) throw new Error(connected.failure.message);
  host = connected.value;
});
afterAll(async () => {
  await host?.close();
  scene.deskmap("serve", "stop");
  await scene.close();
});

const recipient = "https://model.example";

async function readPage(title: string): Promise<readonly SeenElement[]> {
  const desk = new Desk(host, { recipient });
  const read = await desk.ask<{ readonly elements: readonly SeenElement[] }>("read", { window: title, aria: true });
  if (!read.ok) throw new Error(read.failure.message);
  const page = flatten(read.value.elements).find(({ r }) => r === "web");
  // The panel is there so that browsers report what the button controls; the specification does not show it.
  return (page?.c ?? []).filter(({ t }) => t !== "Panel");
}

describe("the context", () => {
  test.each(casesOf([["Chromium", prepareChromium] as const], [["Firefox", prepareFirefox] as const]))(
    "of the specification's ARIA example has the specification's two texts, in %s",
    async (_name, prepare) => {
      const browser = prepare(aria);
      const child = await scene.start(browser.command, "Aria example");
      try {
        await scene.settle();
        const page = await readPage("Aria example");
        expect(showScreen(page)).toBe(screen);
        expect(showTree(page, undefined, false)).toBe(tree);
        // What is sent has marks besides.
        expect(showTree(page)).toMatch(/^ {2}button \["Home"\] #\d+$/m);
      } finally {
        child.kill();
        browser.remove();
      }
    },
  );

  test("of a window with 500 elements has at most 5,000 tokens, and is there at once", async () => {
    const rows = Array.from({ length: 250 }, (_, at) => `<p>Order ${at} of today</p><button>Show order ${at}</button>`);
    const browser = prepareChromium(
      `<!doctype html><title>Orders</title><style>body{columns:9;column-gap:4px;margin:0}body *{display:block;margin:0;padding:0;border:0;line-height:9px;font-size:7px}</style>${rows.join("")}`,
    );
    const child = await scene.start(browser.command, "Orders");
    try {
      await scene.settle();
      const desk = new Desk(host, { recipient });
      const listed = await desk.listWindows();
      const window = listed.ok ? listed.value.find(({ title }) => title.includes("Orders")) : undefined;
      if (window === undefined) throw new Error("the window is not listed");
      const times: number[] = [];
      for (let round = 0; round < 8; round += 1) {
        const from = performance.now();
        const context = await buildContext(desk, window);
        times.push(performance.now() - from);
        if (!context.ok) throw new Error(context.failure.message);
        if (round > 0) continue;
        const sent = JSON.stringify([writeInstructions(context.value, { fence: new Fence() }), modelTools]);
        expect(encode(sent).length).toBeLessThanOrEqual(5000);
      }
      const read = await desk.ask<{ readonly elements: readonly SeenElement[] }>("read", { windowId: window.id });
      expect(read.ok ? flatten(read.value.elements).length : 0).toBeGreaterThanOrEqual(500);
      expect(Math.min(...times)).toBeLessThan(20 * measureSlowness());
    } finally {
      child.kill();
      browser.remove();
    }
  });
});
