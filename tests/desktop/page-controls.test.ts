import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openDesktop } from "../../src/library/index.ts";
import { matrix } from "../tier.ts";
import { prepareChromium } from "./chromium.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

// Controls of pages that are refused or mistaken easily. The page's own handlers report in its title what reached them.

const page = readFileSync(join(import.meta.dir, "../fixtures/apps/page-controls.html"), "utf8");

interface Answer {
  readonly status: number;
  readonly effect?: string;
  readonly evidence?: readonly string[];
  readonly matches?: readonly { readonly i: number }[];
  readonly error?: { readonly code: string; readonly message: string; readonly nearest?: readonly string[] };
}

let scene: Scene;
let app: string;

function open(name: string, prepare: typeof prepareChromium | typeof prepareFirefox): void {
  const browser = prepare(page);
  beforeAll(async () => {
    app = name;
    scene = await openScene();
    await scene.start(browser.command, "Waiting");
    await scene.settle();
    await waitFor("the page", () => call("find", "Land").status === 0);
  });
  afterAll(async () => {
    await scene.close();
    browser.remove();
  });
}

function call(...args: string[]): Answer {
  const { status, stdout, stderr } = scene.deskmap(...args, "--app", app, "--format", "json");
  return { status, ...JSON.parse(stdout || stderr) };
}

const titleOf = (): string => scene.run("xdotool", "getactivewindow", "getwindowname").stdout;

function expectTold(words: string): Promise<void> {
  return waitFor(
    () => `"${words}" in the title, which is ${titleOf()}`,
    () => titleOf().startsWith(words),
  );
}

async function expectDone(told: string, ...args: string[]): Promise<void> {
  expect(call(...args)).toMatchObject({ status: 0, effect: "confirmed" });
  await expectTold(told);
}

const findFirst = (words: string): string => String(call("find", words).matches?.[0]?.i);

const isOpen = (): boolean =>
  scene.deskmap("read", "--app", app, "--roles", "menuitem,option").stdout.includes('"Belgium"');

/** Firefox does not report in the page that its list is open. */
async function openList(): Promise<void> {
  call("expand", "Land", "--role", "select");
  await waitFor("the open list", isOpen);
}

/** What is the same in every browser. */
function testControls(): void {
  test("a click presses a field, whose handlers run, and focus only focuses it", async () => {
    expect(call("focus", "Notes", "--role", "input")).toMatchObject({ status: 0, effect: "confirmed" });
    await expectTold("Waiting");
    await expectDone("notes clicked", "click", "Notes", "--role", "input");
  });

  test("words of a sentence are no target, nor what a canvas shows", () => {
    for (const words of ["circle", "board", "press the circle on the board"]) {
      expect(call("click", words)).toMatchObject({ status: 1, error: { code: "NOT_FOUND" } });
    }
    expect(titleOf()).toStartWith("notes clicked");
  });

  test("what is neither on nor off is not checked or toggled", () => {
    for (const [tool, words] of [
      ["check", "Notes"],
      ["toggle", "Playback"],
      ["uncheck", "Be busy"],
    ] as const) {
      expect(call(tool, words)).toMatchObject({ status: 1, error: { code: "PATTERN_UNSUPPORTED" } });
    }
    expect(titleOf()).toStartWith("notes clicked");
    expect(scene.deskmap("read", "--app", app).stdout).not.toContain('"Next"');
  });

  test("a date and a time are set part by part; nothing is typed where the parts cannot be told apart", async () => {
    await expectDone("date 2012-09-10", "set-value", "2012-09-10", "--on", "Date", "--role", "input");
    await expectDone("time 14:05", "set-value", "14:05", "--on", "Time", "--role", "input");
    // The title would tell of a date that is typed again.
    for (const [text, field] of [
      ["14:05", "Time"],
      ["2012-09-10", "Date"],
    ] as const) {
      expect(call("set-value", text, "--on", field, "--role", "input")).toMatchObject({ status: 0, delivered: false });
    }
    await expectTold("time 14:05");
    await expectDone("time 02:05", "set-value", "AM", "--id", findFirst("AM/PM"));
    await expectDone("moment 2012-09-11T00:00", "set-value", "2012-09-11T00:00", "--on", "Moment", "--role", "input");
    for (const [text, field] of [
      ["soon", "Date"],
      ["2026-02-29", "Date"],
      ["24:00", "Time"],
      ["25:10", "Time"],
      ["2026-04-31T10:00", "Moment"],
    ] as const) {
      expect(call("set-value", text, "--on", field, "--role", "input").error?.code, text).toBe("USAGE");
    }
    await expectTold("moment 2012-09-11T00:00");
    await expectDone("2012-09-10 02:05 2012-09-11T00:00", "click", "Tell dates");
  });

  test("one part of a date is set, and its new value is told", async () => {
    const id = findFirst("Day");
    expect(call("set-value", "21", "--id", id)).toMatchObject({ status: 0, effect: "confirmed" });
    expect(scene.deskmap("read", "--app", app, "--format", "text").stdout).toMatch(
      new RegExp(`^ *${id} spin "Day.*"="21"`, "m"),
    );
    // The page hears of a date when its field is left.
    expect(call("focus", "Notes", "--role", "input").status).toBe(0);
    await expectTold("date 2012-09-21");
  });

  test("a field with suggestions takes a text, be it one of them or not", async () => {
    for (const text of ["Pear", "Walnut", ""]) {
      const { status, effect, evidence } = call("set-value", text, "--on", "Fruit");
      // Chromium may go on reporting the former text of such a field, to every client, until the next change.
      const isTold = app === "firefox" || status === 0;
      expect([status, effect, isTold], JSON.stringify(evidence)).toEqual(
        isTold ? [0, "confirmed", true] : [4, expect.stringMatching(/^(unverified|partial)$/), false],
      );
      await expectTold(`fruit ${text}`);
    }
  });

  test("the library finds controls within a page, by their order, and with their exact text", async () => {
    await using desk = await openDesktop({ env: scene.sandbox.env });
    const page = desk.app(app).page();
    const notes = page.input("Notes");
    expect([await notes.value(), await notes.text()]).toEqual(["abc ", "abc "]);
    // The browsers' own tabs and lists are outside of the page.
    expect(await page.only("select").nth(0).value()).toBe("Faroe");
    expect((await page.only("tab").nth(-1).get()).name).toBe("Second");
    expect((await page.within(page.only("tablist")).only("link").nth(0).get()).name).toBe("First");
    await expect(page.only("tab").get({ timeoutMs: 0 })).rejects.toThrow("tab fits several");
    await page.choice("Land").fill("Belgium");
    await expectTold("chose Belgium");
    const { way } = await page.link("First").click({ pointer: true });
    expect(way).toBe("pointer");
    await expectTold("first tab");
    scene.deskmap("serve", "stop");
  });

  test("a choice of a list is set whether the list is closed or open, and closes it", async () => {
    await expectDone("chose Nigeria", "set-value", "Nigeria", "--on", "Land");
    expect(isOpen()).toBe(false);
    await openList();
    await expectDone("chose Belgium", "set-value", "Belgium", "--on", "Land");
    await waitFor("the closed list", () => !isOpen());
    await openList();
    await expectDone("chose Faroe", "select", "Faroe");
    await waitFor("the closed list", () => !isOpen());
  });

  test("a tab is pressed on the link that fills it", async () => {
    await expectDone("second tab", "click", "Second", "--role", "tab");
  });

  test("a button that its action turns without opening anything is set back and pressed with the pointer", async () => {
    const answer = call("click", "Tools");
    const { status, effect, evidence = [] } = answer;
    expect({ status, effect }).toEqual({ status: 0, effect: "confirmed" });
    expect(evidence, JSON.stringify(answer)).toContain("action press had opened nothing and was taken back");
    await expectTold("tools opened");
    const shown = scene.deskmap("read", "--app", app, "--format", "text").stdout;
    expect(shown).toMatch(/btn "Tools".* expanded/);
    expect(shown).toContain('menuitem "Hammer"');
  });

  test("a control behind an alert of its page is refused", async () => {
    for (let time = 0; time < 2; time += 1) {
      expect(call("click", "Warn").status).toBe(0);
      const { status, error } = call("click", "Behind");
      expect([status, error?.code], JSON.stringify(error)).toEqual([1, app === "firefox" ? "COVERED" : "NOT_FOUND"]);
      const closed = call("type", "--key", "enter");
      expect(closed.status, JSON.stringify(closed)).toBe(0);
    }
    expect(titleOf()).not.toStartWith("pressed behind");
  });

  test("an entry of a submenu is pressed, even if the page is slow to say what lies there", async () => {
    expect(call("click", "Playback").status).toBe(0);
    await expectDone("next", "click", "Next");
    expect(call("click", "Be busy").status).toBe(0);
    // A page that is busy for long shows the effect so late that it may be that of the click before.
    expect([0, 4]).toContain(call("click", "Previous").status);
    await expectTold("previous");
  });
}

describe("in Chromium", () => {
  open("chromium", prepareChromium);
  testControls();
});

matrix.describe("in Firefox", () => {
  open("firefox", prepareFirefox);
  testControls();

  // Chromium does not report that such a date is invalid; its page gets the date all the same.
  test("a date that its page does not take is set in part", async () => {
    const answer = call("set-value", "2012-05-10", "--on", "Due", "--role", "input");
    expect(answer).toMatchObject({ status: 4, effect: "partial" });
    expect(answer.evidence?.[0]).toEndWith("says that this is invalid");
    await expectTold("due 2012-05-10 false");
    await expectDone("due 2026-09-10 true", "set-value", "2026-09-10", "--on", "Due", "--role", "input");
  });
});
