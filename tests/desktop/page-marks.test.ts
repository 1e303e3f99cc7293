import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { casesOf } from "../tier.ts";
import { prepareChromium } from "./chromium.ts";
import { openScene, prepareFirefox, waitFor } from "./scene.ts";

const script = `addEventListener("keydown", ({ key }) => {
  if (key !== "F8") return;
  beside.textContent = "Changed";
  document.title = "Changed page";
});`;
const [first, second] = [
  `<!doctype html><title>Trial page</title><div><button>Go</button> <button>Go</button></div><button id=main-action>Click Me!</button><p id=beside>Beside</p><button>Send</button>
  <div role=tablist><button role=tab>A</button><button role=tab>B</button></div>
  <p><a href="two.html">Go on</a></p><script>${script}</script>`,
  "<!doctype html><title>Trial page</title><button id=main-action>ONE</button><p>Beside</p><button>Send</button>",
];
const browsers = { chromium: prepareChromium(first), firefox: prepareFirefox(first) };
afterAll(() => {
  for (const { remove } of Object.values(browsers)) remove();
});

interface Shown {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
}

describe.each([...casesOf(["chromium"] as const, ["firefox"] as const)])("in a page of %s", (app) => {
  test("a list of tabs and equal buttons keep their marks beside another text, and a page at another address has its own marks", async () => {
    const scene = await openScene();
    const { command, page } = browsers[app];
    writeFileSync(join(dirname(page), "two.html"), second);
    try {
      await scene.start(command, "Trial page");
      await scene.settle();
      const read = (): Shown[] => JSON.parse(scene.deskmap("read", "--app", app, "--compact").stdout).elements;
      const before = read();
      const listKept = (): number[] => read().flatMap(({ i, r, t }) => (r === "tabs" || t === "Go" ? [i] : []));
      const kept = listKept();
      expect(kept.length).toBeGreaterThan(2);
      scene.run("xdotool", "key", "F8");
      await waitFor("the other text", () => read().some(({ t }) => t === "Changed"));
      expect(listKept()).toEqual(kept);
      expect(scene.deskmap("click", "Go on", "--app", app).stderr).toBe("");
      await waitFor("the other page", () => read().some(({ t }) => t === "ONE"));
      const known = new Map(before.map(({ i, t = "" }) => [i, t]));
      const passed = read().filter(({ i, r, t }) => r === "btn" && (known.get(i) ?? t) !== t);
      expect(passed).toEqual([]);
      // In Chromium it keeps its mark (docs/limits.md).
      if (app === "chromium") return;
      // The mark of the former page is refused, and the refusal has the mark that leads to the button now.
      const findSend = (shown: readonly Shown[]): number => shown.find(({ t }) => t === "Send")?.i ?? 0;
      const refused = scene.deskmap("click", "--id", String(findSend(before)), "--app", app);
      const { code, nearest } = JSON.parse(refused.stderr).error;
      expect([code, nearest[0]]).toEqual(["NOT_FOUND", expect.stringMatching(/^\d+ btn "Send" in /)]);
      expect(Number.parseInt(nearest[0], 10)).toBe(findSend(read()));
    } finally {
      await scene.close();
    }
  });
});
