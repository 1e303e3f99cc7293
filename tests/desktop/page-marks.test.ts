import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { casesOf, matrix } from "../tier.ts";
import { prepareChromium } from "./chromium.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

const script = `addEventListener("keydown", ({ key }) => {
  if (key === "F8") {
    beside.textContent = "Changed";
    document.title = "Changed page";
  }
  if (key === "F9") {
    history.pushState(null, "", "?pushed");
    beside.textContent = "Pushed";
  }
});`;
const first = `<!doctype html><title>Trial page</title><div><button>Go</button> <button>Go</button></div><button id=main-action>Click Me!</button><p id=beside>Beside</p><button>Send</button>
  <div role=tablist><button role=tab>A</button><button role=tab>B</button></div>
  <p><a href="two.html">Go on</a></p><script>${script}</script>`;
const second = `<!doctype html><title>Trial page</title><button id=main-action>ONE</button><p>Beside</p><button>Send</button>
  <p><a href="two.html?item=2">Other item</a></p>`;
const browsers = { chromium: prepareChromium(first), firefox: prepareFirefox(first) };
afterAll(() => {
  for (const { remove } of Object.values(browsers)) remove();
});

interface Shown {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
}

type App = keyof typeof browsers;

async function openBrowser(app: App): Promise<Scene> {
  const scene = await openScene();
  const { command, page } = browsers[app];
  writeFileSync(join(dirname(page), "two.html"), second);
  await scene.start(command, "Trial page");
  await scene.settle();
  return scene;
}

const makeReader = (scene: Scene, app: App) => (): Shown[] =>
  JSON.parse(scene.deskmap("read", "--app", app, "--compact").stdout).elements;

const findSend = (shown: readonly Shown[]): number => shown.find(({ t }) => t === "Send")?.i ?? 0;
const findPage = (shown: readonly Shown[]): number => shown.find(({ r }) => r === "web")?.i ?? 0;

describe.each([...casesOf(["chromium"] as const, ["firefox"] as const)])("in a page of %s", (app) => {
  test("a list of tabs and equal buttons keep their marks beside another text, and a page at another address has its own marks", async () => {
    const scene = await openBrowser(app);
    try {
      const read = makeReader(scene, app);
      const before = read();
      const listKept = (): number[] => read().flatMap(({ i, r, t }) => (r === "tabs" || t === "Go" ? [i] : []));
      const kept = listKept();
      expect(kept.length).toBeGreaterThan(2);
      scene.run("xdotool", "key", "F8");
      await waitFor("the other text", () => read().some(({ t }) => t === "Changed"));
      expect(listKept()).toEqual(kept);
      expect(findPage(read())).toBe(findPage(before));
      // A script gives its page another address: the objects stay.
      scene.run("xdotool", "key", "F9");
      await waitFor("the pushed address", () => read().some(({ t }) => t === "Pushed"));
      expect([...listKept(), findSend(read()), findPage(read())]).toEqual([
        ...kept,
        findSend(before),
        findPage(before),
      ]);
      await expectOtherPage(scene, app, "Go on", () => read().some(({ t }) => t === "ONE"));
      // Where the query is all that differs, it tells one item's page from another's.
      const former = findSend(read());
      await expectOtherPage(scene, app, "Other item", () => findSend(read()) !== former);
    } finally {
      await scene.close();
    }
  });

  matrix.test("so it is with a daemon that follows the page", async () => {
    const scene = await openBrowser(app);
    try {
      expect(scene.deskmap("serve", "--detach").status).toBe(0);
      const read = makeReader(scene, app);
      await expectOtherPage(scene, app, "Go on", () => read().some(({ t }) => t === "ONE"));
    } finally {
      scene.deskmap("serve", "stop");
      await scene.close();
    }
  });
});

/** Follows a link. No mark of the former page leads to anything, and the refusal names what leads to the button now. */
async function expectOtherPage(scene: Scene, app: App, link: string, isThere: () => boolean): Promise<void> {
  const read = makeReader(scene, app);
  const isOfPage = ({ r, t = "" }: Shown): boolean => r === "web" || ["Send", "ONE", "Click Me!"].includes(t);
  const before = read().filter(isOfPage);
  expect(before).toHaveLength(3);
  expect(scene.deskmap("click", link, "--app", app).stderr).toBe("");
  await waitFor("the other page", isThere);
  const after = read().filter(isOfPage);
  expect(after).toHaveLength(3);
  const former = new Set(before.map(({ i }) => i));
  expect(after.filter(({ i }) => former.has(i))).toEqual([]);
  const refused = scene.deskmap("click", "--id", String(findSend(before)), "--app", app);
  const { code, nearest } = JSON.parse(refused.stderr).error;
  expect([code, nearest[0]]).toEqual(["NOT_FOUND", expect.stringMatching(/^\d+ btn "Send" in /)]);
  expect(Number.parseInt(nearest[0], 10)).toBe(findSend(after));
}
