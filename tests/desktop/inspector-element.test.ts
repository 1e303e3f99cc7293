import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { matrix } from "../tier.ts";
import { type Inspector, openBrowser, openPage, startInspector } from "./inspected.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { pick, readShown, type Shown } from "./shown.ts";

// The Element and Map panels for a real application, in a real browser.

const root = join(import.meta.dir, "../..");
const bun = join(root, "node_modules/bun/bin/bun.exe");
const fixtures = join(root, "tests/fixtures/apps");
const secret = "hunter2-Zq81";

interface SeenElement {
  readonly role: string;
  readonly name: string;
  readonly states: readonly string[];
  readonly extents: readonly number[];
  readonly actions: readonly string[];
  readonly text: string | null;
}

let scene: Scene;
let inspector: Inspector;
let browser: Browser;
let page: Page;
let errors: readonly string[] = [];
let deeds: ChildProcess;
let log: string;
let shown: readonly Shown[];
const frames: string[] = [];

beforeAll(async () => {
  scene = await openScene({ width: 1400, height: 900 });
  const home = scene.sandbox.env.HOME ?? "";
  log = join(home, "deeds.log");
  writeFileSync(log, "");
  deeds = await scene.start(["/usr/bin/python3", join(fixtures, "deeds-gtk3.py"), log, "Deeds"], "Deeds");
  const secrets = [join(fixtures, "secrets-gtk3.py"), join(home, "state.json"), "Safe", secret, "4111", "key"];
  await scene.start(["/usr/bin/python3", ...secrets], "Safe");
  await scene.settle();
  [inspector, browser] = await Promise.all([startInspector(scene), openBrowser()]);
  const permissions = ["clipboard-read", "clipboard-write"];
  ({ page, errors } = await openPage(browser, inspector.url, { permissions, viewport: { width: 1280, height: 1000 } }));
  page.on("websocket", (socket) => {
    const note = ({ payload }: { payload: string | Buffer }): number => frames.push(String(payload));
    socket.on("framereceived", note);
    socket.on("framesent", note);
  });
  page.setDefaultTimeout(60_000);
  await page.getByRole("status").getByText("Live").waitFor();
  // Records the socket from its first message on.
  await page.reload();
  await page.getByRole("status").getByText("Live").waitFor();
  shown = readShown(scene);
});
afterAll(async () => {
  await browser?.close();
  await inspector?.close();
  scene.deskmap("serve", "stop");
  await scene.close();
});

async function openTab(name: string): Promise<void> {
  await page.getByRole("tab", { name }).click();
}

/** Selects a line in the tree and shows the element. */
async function select(role: string, name: string): Promise<number> {
  const { i: mark } = pick(shown, role, name);
  await openTab("Tree");
  await page.getByRole("searchbox", { name: "Search the tree" }).fill(`#${mark}`);
  await page.getByText(/1 found$/).waitFor();
  await page.keyboard.press("Enter");
  await openTab("Element");
  await page.locator("#element-title .mark").getByText(String(mark), { exact: true }).waitFor();
  return mark;
}

async function readFact(section: string, name: string): Promise<string> {
  const facts = page.locator(`section[aria-labelledby="${section}"] .facts > div`);
  return facts
    .filter({ has: page.getByText(name, { exact: true }) })
    .first()
    .locator("dd")
    .innerText();
}

function askFor(role: string, name: string): SeenElement {
  return scene.ask("first", String(deeds.pid), role, name) as SeenElement;
}

async function seeEffect(effect: string): Promise<void> {
  await page.locator(".outcome .effect").getByText(effect, { exact: true }).waitFor();
}

describe("Element", () => {
  test("shows the properties that the application reports, its containers and its picture", async () => {
    await select("btn", "Press");
    const told = askFor("push button", "Press");
    const [x, y, width, height] = told.extents;
    expect(await readFact("element-facts", "Platform role")).toBe(told.role);
    expect(await readFact("element-facts", "Name")).toBe(told.name);
    expect(await readFact("element-facts", "Bounds")).toBe(`${width} × ${height} at ${x}, ${y}`);
    expect(await readFact("element-facts", "Platform actions")).toBe(told.actions.join(", "));
    expect(await readFact("element-facts", "States")).toContain("focusable");
    expect(await readFact("element-facts", "Inside")).toStartWith("window “Deeds”");
    const picture = page.getByRole("img", { name: "The control as it looks now" });
    await picture.waitFor();
    const size = await picture.evaluate((one) => [Reflect.get(one, "naturalWidth"), Reflect.get(one, "naturalHeight")]);
    expect(size).toEqual([width, height]);
  });

  test("tries the actions that a control offers, and the application performs them", async () => {
    await page.getByRole("button", { name: "Press", exact: true }).click();
    await waitFor("the press in the application's own log", () => readFileSync(log, "utf8").includes("Press\n"));
    await page.locator(".outcome").waitFor();
    await select("chk", "Check");
    await page.getByRole("group", { name: "toggle" }).getByRole("button", { name: "Toggle" }).click();
    await seeEffect("confirmed");
    expect(askFor("check box", "Check").states).toContain("checked");
    expect(await page.locator(".outcome li").first().innerText()).not.toBe("");
    await page.locator('section[aria-labelledby="element-facts"] dd').getByText("checked").first().waitFor();
  });

  test("sets a text by keyboard alone", async () => {
    await select("input", "Entry");
    await page.getByLabel("Text to set").focus();
    await page.keyboard.type("Grüße <b>");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await seeEffect("confirmed");
    expect(askFor("text", "Entry").text).toBe("Grüße <b>");
    await waitFor("the new value", async () => (await readFact("element-facts", "Value")) === "Grüße <b>");
  });

  test("shows changes in the application at once, and accepts numbers only for numeric controls", async () => {
    await select("spin", "Spin");
    const before = await readFact("element-facts", "Value");
    const number = page.getByLabel("Number to set");
    expect(await number.getAttribute("inputmode")).toBe("decimal");
    expect(await page.getByLabel("Text to set").count()).toBe(0);
    await number.fill("abc");
    await page.getByRole("button", { name: "Set number" }).click();
    await page.locator(".trouble").getByText("USAGE").waitFor();
    expect(await readFact("element-facts", "Value")).toBe(before);
    const goal = String(Number(before) + 1);
    await page.getByRole("button", { name: `Increment to ${goal}` }).click();
    await seeEffect("confirmed");
    await waitFor("the new value", async () => (await readFact("element-facts", "Value")) === goal);
    const { i: mark } = pick(shown, "spin", "Spin");
    expect(scene.deskmap("set-value", before, "--id", String(mark)).status).toBe(0);
    await waitFor("the value set elsewhere", async () => (await readFact("element-facts", "Value")) === before);
  });

  test("counts results: hits in memory, and a row of history", async () => {
    await select("chk", "Check");
    expect(await readFact("element-memory", "Hits and misses")).toBe("1 as wanted, 0 not");
    const table = page.getByRole("table", { name: "History of hits and misses" });
    expect(await table.getByRole("row").last().getByRole("cell").allInnerTexts()).toEqual(["0.99", "1", "0"]);
    expect(await readFact("element-memory", "Source")).toBe("a11y");
  });

  test("can be given a name, by which every client knows the control", async () => {
    const mark = await select("btn", "Press");
    await page.getByLabel("Teach it a name").fill("Doorbell");
    await page.keyboard.press("Enter");
    await page.locator("#element-title").getByText("button “Doorbell”").waitFor();
    const { matches } = JSON.parse(scene.deskmap("find", "doorbell").stdout);
    expect(matches[0]).toMatchObject({ i: mark });
  });

  test("shows how it would be found again, and how reliably", async () => {
    await select("btn", "Rename");
    await page.locator(".verdict strong").getByText("yes", { exact: true }).waitFor();
    const evidence = page.getByRole("table", { name: /What speaks for/ });
    await evidence.getByRole("row", { name: /^name same \+\d/ }).waitFor();
    expect(Number.parseFloat(await readFact("element-again", "Score"))).toBeGreaterThan(0.9);
    expect(await readFact("element-again", "Its mark leads to it")).toContain("very object");
  });

  test("gives a command and code that work", async () => {
    await select("input", "Entry");
    await page.getByLabel("What it does").selectOption({ label: "Set text" });
    await page.getByLabel("Text to copy with it").fill('it\'s "so"; $HOME');
    const copy = async (label: string): Promise<string> => {
      await page.getByRole("button", { name: `Copy ${label}`, exact: true }).click();
      return page.evaluate<string>("navigator.clipboard.readText()");
    };
    const command = await copy("Command");
    const run = scene.run("env", `PATH=${root}:${scene.sandbox.env.PATH}`, "sh", "-c", command);
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: "" });
    expect(askFor("text", "Entry").text).toBe('it\'s "so"; $HOME');
    await page.getByLabel("Text to copy with it").fill("by words");
    const byWords = await copy("TypeScript");
    expect(byWords).toContain('.input("Entry")');
    await page.getByLabel("Text to copy with it").fill("by mark");
    const byMark = await copy("TypeScript, by mark");
    for (const [line, text] of [
      [byWords, "by words"],
      [byMark, "by mark"],
    ] as const) {
      expect(runLine(line)).toEqual({ status: 0, stderr: "" });
      expect(askFor("text", "Entry").text).toBe(text);
    }
    const call = JSON.parse(await copy("MCP call"));
    expect(call).toMatchObject({ name: "set_value", arguments: { text: "by mark" } });
  });

  test("never contains the content of a secret field, in the page or on the socket", async () => {
    for (const name of ["Login", "Password"]) {
      await select("input", name);
      expect(await readFact("element-facts", "Value")).toBe("(secret: it is not read)");
      await page.locator(".verdict strong").waitFor();
    }
    expect(frames.some((frame) => frame.includes("Login"))).toBe(true);
    expect(frames.filter((frame) => frame.includes(secret))).toEqual([]);
    expect(await page.content()).not.toContain(secret);
  });
});

describe("Screen", () => {
  test("a place that exposes nothing is given a name by pointing at it", async () => {
    const silent = await scene.start(
      ["xmessage", "-geometry", "300x120+1040+700", "-buttons", "Ring:0", "Hello"],
      "xmessage",
    );
    try {
      const picture = page.getByRole("application");
      const box = await picture.boundingBox();
      const scale = (box?.width ?? 0) / 1400;
      await waitFor("the window on the picture", () => scene.deskmap("list").stdout.includes("xmessage"));
      await page.getByRole("button", { name: "Refresh" }).click();
      const [x, y] = findWord();
      await page.mouse.click((box?.x ?? 0) + (x + 0.5) * scale, (box?.y ?? 0) + (y + 0.5) * scale);
      await page.getByText("Nothing is known about this place").click();
      await page.getByLabel("What it is called").fill("Greeting");
      await page.keyboard.press("Enter");
      await page.locator("#element-title").getByText("Greeting").waitFor();
      const { stdout } = scene.deskmap("map", "list", "--app", "xmessage", "--format", "json");
      const taught = JSON.parse(stdout).targets.filter(({ source }: { source: string }) => source === "learned");
      expect(taught).toMatchObject([{ label: "Greeting" }]);
    } finally {
      silent.kill("SIGTERM");
    }
  });

  /** The middle of the words. */
  function findWord(): readonly [number, number] {
    const report = scene.run("xwininfo", "-name", "xmessage").stdout;
    const read = (side: string): number =>
      Number(new RegExp(`Absolute upper-left ${side}:\\s+(-?\\d+)`).exec(report)?.[1]);
    return [read("X") + 20, read("Y") + 20];
  }
});

describe("Map", () => {
  test("renames a control and forgets it after confirmation, as deskmap map shows afterwards", async () => {
    const { i: mark } = pick(shown, "btn", "Old");
    await openTab("Map");
    await page.getByLabel("Application").selectOption("deeds-gtk3");
    await page.getByRole("searchbox", { name: "Search", exact: true }).fill("old");
    await page.locator(`#target-${mark}`).click();
    const options = page.getByRole("listbox", { name: "Remembered controls" }).getByRole("option");
    const others = options.filter({ hasNotText: /old/i });
    await waitFor("the search", async () => (await options.count()) > 0 && (await others.count()) === 0);
    const name = page.getByLabel("Your name for it");
    await name.fill("Swap <it>");
    // A new list keeps what was typed so far.
    await page.getByRole("searchbox", { name: "Search", exact: true }).fill("o");
    await waitFor("more controls", async () => (await others.count()) > 0);
    expect(await name.inputValue()).toBe("Swap <it>");
    await name.press("Enter");
    await waitFor("the name in the map", () => listMap().some(({ id, label }) => id === mark && label === "Swap <it>"));
    await page.getByRole("searchbox", { name: "Search", exact: true }).fill("swap");
    await page.locator(`#target-${mark}`).getByText("Swap <it>").waitFor();
    await page.getByRole("img", { name: /^Confidence from/ }).waitFor();
    await page.getByText("As a table").click();
    expect(await page.getByRole("table", { name: "Confidence over time" }).getByRole("row").count()).toBeGreaterThan(2);
    await page.getByRole("button", { name: "Forget Swap <it>" }).click();
    expect(await page.locator("button:focus").innerText()).toBe("Keep");
    await page.keyboard.press("Enter");
    expect(listMap().some(({ id }) => id === mark)).toBe(true);
    await page.getByRole("button", { name: "Forget Swap <it>" }).click();
    await page.getByRole("button", { name: "Forget", exact: true }).click();
    await waitFor("the mark to be gone", () => !listMap().some(({ id }) => id === mark));
    await page.locator(`#target-${mark}`).waitFor({ state: "detached" });
  });

  test("is navigable by keyboard", async () => {
    await page.getByRole("searchbox", { name: "Search", exact: true }).fill("");
    const list = page.getByRole("listbox", { name: "Remembered controls" });
    await waitFor("the whole list", async () => (await list.getByRole("option").count()) > 5);
    await list.focus();
    await page.keyboard.press("End");
    const [last] = listMap().slice(-1);
    await page.locator("#map-target .mark").getByText(String(last?.id), { exact: true }).waitFor();
  });
});

matrix.test(
  "axe-core finds no violations in either panel, in both themes, wide and at 320 px; the page has no errors",
  async () => {
    await openTab("Map");
    await select("btn", "Rename");
    await page.locator(".verdict strong").waitFor();
    expect(await findFlaws()).toEqual([]);
    await page.setViewportSize({ width: 320, height: 800 });
    for (const theme of ["light", "dark"]) {
      await page.getByLabel("Theme").selectOption(theme);
      for (const name of ["Element", "Map"]) {
        await openTab(name);
        await page.locator(name === "Map" ? ".map-list" : ".verdict strong").waitFor();
        expect({ theme, name, flaws: await findFlaws() }).toEqual({ theme, name, flaws: [] });
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
      }
    }
    expect(errors).toEqual([]);
  },
);

function listMap(): readonly { readonly id: number; readonly label: string }[] {
  const { stdout } = scene.deskmap("map", "list", "--app", "deeds-gtk3", "--limit", "500", "--format", "json");
  return JSON.parse(stdout).targets;
}

function runLine(line: string): { status: number; stderr: string } {
  const file = join(scene.sandbox.env.HOME ?? "", "line.ts");
  const program = `import { openDesktop } from ${JSON.stringify(join(root, "src/library/index.ts"))};
    await using desk = await openDesktop();
    ${line}`;
  writeFileSync(file, program);
  try {
    const { status, stderr } = scene.run(bun, file);
    return { status, stderr };
  } finally {
    rmSync(file);
  }
}

async function findFlaws(): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
}
