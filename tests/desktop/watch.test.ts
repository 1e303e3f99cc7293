import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Element } from "../../src/model/element.ts";
import type { Sign, Watch } from "../../src/sources/port.ts";
import { matrix } from "../tier.ts";
import { type ControlsScene, type Kit, openControls, unwrap } from "./controls-scene.ts";
import { waitFor } from "./scene.ts";

// Signs of change. All actions here come from the pointer or from pyatspi, never from Deskmap's own input.

let controls: ControlsScene;

function open(kit: Kit): void {
  beforeAll(async () => {
    controls = await openControls(kit);
  });
  afterAll(() => controls.close());
}

/** Watches all windows during `work`, until every expected source has reported a sign. */
async function watchWhile(
  work: (watch: Watch) => unknown,
  wanted: readonly Sign["source"][],
): Promise<readonly Sign[]> {
  const watch = unwrap(await controls.platform.watch(await controls.windows(), 2000));
  const signs: Sign[] = [];
  try {
    expect(watch.take().filter(({ source }) => source !== "pixels")).toEqual([]);
    await work(watch);
    await waitFor(`signs of ${wanted.join(" and ")}`, async () => {
      await watch.waitForSign(100);
      signs.push(...watch.take());
      return wanted.every((source) => signs.some((sign) => sign.source === source));
    });
    return signs;
  } finally {
    watch.close();
  }
}

function click({ clickPoint }: Element): void {
  const { x, y } = clickPoint ?? { x: 0, y: 0 };
  expect(controls.scene.run("xdotool", "mousemove", String(x), String(y), "click", "1").status).toBe(0);
}

async function expectStillness(): Promise<void> {
  const watch = unwrap(await controls.platform.watch(await controls.windows(), 2000));
  expect(await watch.waitForStillness(150, 30_000)).toBe(true);
  watch.close();
}

describe("a watch of a GTK 3 application", () => {
  open("gtk3");

  test("reports which control changed, and that pixels did", async () => {
    const check = await controls.find("Check");
    const signs = await watchWhile(() => click(check), ["event", "pixels"]);
    expect(signs.map(({ handle }) => handle)).toContain(check.handle);
  });

  test("reports menus, dialogs and titles", async () => {
    const menu = await controls.find("Things");
    await watchWhile(() => click(menu), ["windows"]);
    await watchWhile(() => controls.scene.run("xdotool", "key", "Escape"), ["windows"]);
    const ask = await controls.find("Ask");
    await watchWhile(() => click(ask), ["windows"]);
    await waitFor("the dialog", () => controls.scene.run("wmctrl", "-l").stdout.includes("Question"));
    const title = ["search", "--name", "^Question$", "set_window", "--name", "Query"];
    await watchWhile(() => controls.scene.run("xdotool", ...title), ["windows"]);
    const answer = await controls.find("OK");
    await watchWhile(() => click(answer), ["windows"]);
  });

  test("becomes silent while a caret blinks in a single-line and a multi-line field", async () => {
    for (const name of ["Entry", "Lines"]) {
      click(await controls.find(name));
      await waitFor("the focus", () => controls.see("text", name).states.includes("focused"));
      await expectStillness();
    }
  });

  test("ignores other applications, and everything once it is closed", async () => {
    const own = (await controls.windows()).filter(({ title }) => title === "Deeds");
    await controls.scene.start(["zenity", "--entry", "--title=Other", "--text=Other"], "Other");
    await controls.scene.settle();
    const watch = unwrap(await controls.platform.watch(own, 2000));
    const activate = ["search", "--onlyvisible", "--name", "^Other$", "windowactivate", "--sync"];
    expect(controls.scene.run("xdotool", ...activate).status).toBe(0);
    // In a separate call: after a search, xdotool sends a key by XTEST or as a plain event, depending on the current focus.
    expect(controls.scene.run("xdotool", "type", "words").status).toBe(0);
    const other = (await controls.windows()).find(({ title }) => title === "Other");
    await waitFor("the words", () => {
      return (controls.scene.ask("text", String(other?.pid), "text") as string[]).includes("words");
    });
    expect(watch.take().filter(({ source }) => source === "event")).toEqual([]);
    watch.close();
    const check = await controls.find("Check");
    click(check);
    expect(await watch.waitForSign(50)).toBeUndefined();
  });

  test("opens even for a hanging application, which is neither glimpsed nor acted on", async () => {
    const press = await controls.find("Press");
    process.kill(controls.pid, "SIGSTOP");
    try {
      const watch = unwrap(await controls.platform.watch(await controls.windows(), 1000));
      watch.close();
      const before = controls.record().length;
      const glimpse = await controls.platform.glimpse(press, 300);
      expect(glimpse).toMatchObject({ failure: { code: "TIMEOUT", done: "nothing was done." } });
      expect(await controls.act(press, { kind: "invoke", action: "click" })).toMatchObject({
        failure: { code: "TIMEOUT", done: "nothing was done." },
      });
      expect(controls.record()).toHaveLength(before);
    } finally {
      process.kill(controls.pid, "SIGCONT");
    }
  });
});

for (const kit of ["gtk4", "qt5", "firefox", "chromium"] as const) {
  matrix.describe(`a watch of ${kit}`, () => {
    open(kit);

    test("sees a check box being clicked, and becomes silent while a caret blinks", async () => {
      const check = await controls.find("Check", "checkbox");
      await watchWhile(() => click(check), ["pixels"]);
      click(await controls.find("Entry", "input"));
      await expectStillness();
    });
  });
}
