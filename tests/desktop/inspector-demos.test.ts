import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { keepProposals } from "../../src/demo/heal.ts";
import { launcher, startAtTerminal, type TerminalSession } from "../guard/terminal-session.ts";
import { guardScene } from "./guarded-scene.ts";
import { openBrowser, openPage } from "./inspected.ts";
import { askForElements, find, pointAt, work } from "./listening.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// The Demos panel in a real browser, for a real form, whose own file tells what was done.

const form = join(import.meta.dir, "../fixtures/apps/order-gtk3.py");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let scene: Scene;
let person: TerminalSession;
let browser: Browser;
let page: Page;
let errors: readonly string[] = [];
let [orders, file] = ["", ""];
let child: ChildProcess;

async function openForm(...drift: string[]): Promise<void> {
  if (child !== undefined) {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  rmSync(orders, { force: true });
  child = await scene.start(["/usr/bin/python3", form, orders, ...drift], "Order");
}

function run(...args: string[]) {
  const { status, stdout, stderr } = scene.deskmap(...args, "--format", "json");
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

beforeAll(async () => {
  scene = await openScene({ width: 1000, height: 700 });
  guardScene(scene, { sensitive: "ask", actionsPerMinute: 0, hotkey: false });
  orders = join(scene.sandbox.env.HOME ?? "", "orders.jsonl");
  await openForm();
  run("record", "start", "order", "--agent");
  for (const [tool = "", ...words] of [
    ["set-value", "Ada Lovelace", "--on", "Name"],
    ["set-value", "ada@example.org", "--on", "E-mail"],
    ["check", "Send news"],
    ["click", "Store"],
    ["click", "Good"],
  ]) {
    run(tool, ...words, "--app", "order-gtk3");
  }
  ({ file } = run("record", "stop"));
  browser = await openBrowser();
  person = startAtTerminal([launcher, "inspect", "--no-open"], scene.sandbox.env);
  const shown = await person.see(/http:\/\/127\.0\.0\.1:\d+\/#\S+\r?\n/);
  const viewport = { width: 1280, height: 1000 };
  ({ page, errors } = await openPage(browser, /http:\S+/.exec(shown)?.[0] ?? "", { viewport }));
  page.setDefaultTimeout(60_000);
  await page.getByRole("status").getByText("Live").waitFor();
  await page.keyboard.press("Alt+6");
  await steps().first().waitFor();
});
afterAll(async () => {
  await browser?.close();
  await person?.leave();
  scene.deskmap("serve", "stop");
  await scene.close();
});

const steps = () => page.getByRole("listbox", { name: "Steps" }).getByRole("option");
const read = () => JSON.parse(readFileSync(file, "utf8"));
const stored = (): unknown[] =>
  existsSync(orders)
    ? readFileSync(orders, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];

async function choose(n: number): Promise<void> {
  await steps()
    .nth(n - 1)
    .click();
  await page.getByRole("button", { name: `Replay from step ${n}` }).waitFor();
}

test("the steps are a timeline, and edited by keyboard alone", async () => {
  expect(await steps().count()).toBe(5);
  expect(await steps().nth(3).innerText()).toMatch(/\d:\d\d\.\d[\s\S]*4 click button "Store"[\s\S]*\+ window "Stored"/);
  await choose(1);
  await page.getByRole("img", { name: "Step 1 when it was recorded" }).waitFor();
  await page.waitForFunction(`document.querySelector(".demo-picture")?.naturalWidth > 100`);
  await page.keyboard.press("Alt+ArrowDown");
  await waitFor("the moved step", () => read().steps[1].ref.name === "Name");
  await steps().nth(1).getByText('set-value input "Name"').waitFor();
  expect(await steps().nth(1).getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowUp");
  // It opens the window of the last one.
  await page.keyboard.press("Delete");
  await page.getByRole("alert").getByText("step 5 works in the window that step 4 opens").waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Delete");
  // The page refuses changes of what it has not shown yet.
  await waitFor("the deleted step", async () => (await steps().count()) === 4);
  expect(read().steps).toHaveLength(4);
  expect(read().steps[3].wait.opened_by).toBe(3);

  await page.getByRole("textbox", { name: "Name of name" }).fill("customer");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Name of customer" }).waitFor();
  expect(read().parameters.customer).toBeDefined();
  const type = page.getByRole("combobox", { name: "Type of email" });
  await type.selectOption("date");
  await page.getByRole("alert").getByText("does not look like a date").waitFor();
  await type.selectOption("text");
  await waitFor("the new type", async () => (await type.inputValue()) === "text");
  expect(read().parameters.email.type).toBe("text");
  await page.getByRole("textbox", { name: "Note to step" }).fill("twice a year");
  await page.keyboard.press("Enter");
  await waitFor("the note", () => JSON.stringify(read()).includes("twice a year"));
});

test("a step gets the control that is pointed at, and the demo is done from here", async () => {
  await openForm("renamed");
  await choose(3);
  await page.getByRole("button", { name: "Point at another control" }).click();
  const picker = page.getByRole("region", { name: "Point at another control" });
  await picker.getByText("Nothing is selected yet").waitFor();
  const mark = run("find", "Keep it", "--app", "order-gtk3").matches[0].i;
  await page.getByRole("tab", { name: "Tree" }).click();
  await page.getByRole("searchbox", { name: "Search the tree" }).fill(`#${mark}`);
  await page.getByText(/1 found$/).waitFor();
  await page.keyboard.press("Enter");
  await picker.getByText("Keep it").waitFor();
  await picker.getByRole("button", { name: "Take it" }).click();
  await waitFor("the new control", () => read().steps[2].ref.name === "Keep it");
  await steps().nth(2).getByText('click button "Keep it"').waitFor();

  await choose(1);
  await page.getByRole("textbox", { name: "Value of customer" }).fill("Grace Hopper");
  await page.getByRole("button", { name: "Replay from step 1" }).click();
  await page.getByText(/^Done in \d+ ms/).waitFor();
  expect(stored()).toEqual([{ name: "Grace Hopper", mail: "ada@example.org", news: false }]);

  // What is gone stops it, and says where.
  await openForm("removed");
  await choose(3);
  await page.getByRole("button", { name: "Only look whether it would work" }).click();
  await page.getByRole("alert").or(page.locator(".demo-progress .not-there")).first().waitFor();
  expect(stored()).toEqual([]);
});

test("the guard asks about a sensitive step on the same page, and a refusal ends the replay", async () => {
  await openForm();
  run("demo", "edit", "order", "--repick", "3", "Wipe", "--app", "order-gtk3");
  await page.getByRole("button", { name: "Reload" }).click();
  await steps().nth(2).getByText('click button "Wipe"').waitFor();
  await choose(3);
  const asked = page.getByRole("alertdialog", { name: /asks for your approval/ });
  for (const [answer, lines] of [
    ["Refuse", []],
    ["Allow once", ["wiped"]],
  ] as const) {
    await page.getByRole("button", { name: "Replay from step 3" }).click();
    await asked.getByRole("button", { name: answer }).click();
    await asked.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Cancel replay" }).waitFor({ state: "detached" });
    // Allowed, it is done, and then it is not what was recorded.
    await page
      .getByRole("alert")
      .getByText(answer === "Refuse" ? "REFUSED" : "step 3 may have been done")
      .waitFor();
    expect(existsSync(orders) ? readFileSync(orders, "utf8").trim().split("\n") : []).toEqual([...lines]);
  }
});

test("what a replay has proposed is shown as a difference, and taken by the person", async () => {
  const demo = read();
  const was = demo.steps[2].ref;
  keepProposals(file, demo, [{ step: 3, was, ref: { ...was, name: "Store" }, evidence: [], why: "name is different" }]);
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByRole("heading", { name: "1 proposal" }).waitFor();
  expect(await page.getByRole("row", { name: /name "Wipe" "Store"/ }).count()).toBe(1);
  await page.getByRole("button", { name: "Take the new refs" }).click();
  await page.getByRole("button", { name: "Take them" }).click();
  await waitFor("the new ref", () => read().steps[2].ref.name === "Store");
  await page.getByRole("heading", { name: "1 proposal" }).waitFor({ state: "detached" });
});

test("a replay that waits is cancelled, and does nothing more", async () => {
  await openForm("removed");
  await choose(3);
  await page.getByRole("button", { name: "Replay from step 3" }).click();
  const cancel = page.getByRole("button", { name: "Cancel replay" });
  await page.locator("button:focus", { hasText: "Cancel replay" }).waitFor();
  await page.keyboard.press("Enter");
  await cancel.waitFor({ state: "detached" });
  expect(stored()).toEqual([]);
});

test("a person who opened it at a terminal records here, sees the steps come, and saves them", async () => {
  await openForm();
  await page.getByRole("textbox", { name: "Name of the new demo" }).fill("shown");
  await page.keyboard.press("Enter");
  await page.getByText("Recording “shown”").waitFor();
  const told = askForElements(scene, child.pid);
  work(
    scene,
    [...pointAt(find(told, "text", 0)), "click", 1],
    ["type", "--delay", "60", "Bob Builder"],
    [...pointAt(find(told, "check box", "Send news")), "click", 1],
  );
  const live = page.getByRole("list", { name: "Recorded steps" });
  await live.getByText('"Send news"').waitFor();
  await page.getByRole("button", { name: "Stop and save" }).click();
  await page.getByRole("heading", { name: "shown" }).waitFor();
  const demo = JSON.parse(scene.deskmap("demo", "show", "shown", "--format", "json").stdout);
  expect(demo.recorded.by).toBe("person");
  expect(demo.steps.map(({ tool, ref }: { tool: string; ref: { name: string } }) => [tool, ref.name])).toEqual([
    ["set-value", "Name"],
    [expect.stringMatching(/click|check|toggle/), "Send news"],
  ]);
  const stored = join(scene.sandbox.env.XDG_DATA_HOME ?? "", "deskmap/demos");
  const kept = JSON.parse(readFileSync(join(stored, "shown.demo.json"), "utf8"));
  const pictures = kept.steps.flatMap(({ picture }: { picture?: { file: string } }) => picture?.file ?? []);
  expect(pictures).not.toEqual([]);
  for (const name of pictures) {
    expect(readFileSync(join(stored, "shown.pictures", name)).toString("latin1", 1, 4)).toBe("PNG");
  }
  expect(JSON.parse(scene.deskmap("record", "status", "--format", "json").stdout).state).toBe("off");
});

test("where nobody sits at a terminal there is no button, but the command; and it is usable without sight", async () => {
  const alone = scene.sandbox.spawn(["setsid", launcher, "inspect", "--no-open"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  alone.stdout?.setEncoding("utf8").on("data", (part: string) => {
    said += part;
  });
  await waitFor("its address", () => said.includes("\n"));
  const { url } = JSON.parse(said.split("\n")[0] ?? "{}");
  const other = await openPage(browser, url);
  await other.page.getByRole("status").getByText("Live").waitFor();
  await other.page.keyboard.press("Alt+6");
  await other.page.getByText("deskmap record start NAME").waitFor();
  expect(await other.page.getByRole("button", { name: "Record what I do" }).count()).toBe(0);
  await other.page.context().close();
  alone.kill();

  await page.evaluate(axe);
  const found = await page.evaluate(`axe.run(document, { resultTypes: ["violations"] })`);
  expect((found as { violations: readonly { id: string }[] }).violations.map(({ id }) => id)).toEqual([]);
  expect(errors).toEqual([]);
});
