import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEvents } from "../../src/guard/audit/read.ts";
import { prepareChromium } from "./chromium.ts";
import { type GuardedScene, guardScene } from "./guarded-scene.ts";
import { askForElements, boxOf, find, Listening, middleOf, pointAt } from "./listening.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// xdotool works on real applications as a person would. pyatspi tells which elements were there.

const apps = join(import.meta.dir, "../fixtures/apps");
const secret = "Hunter2!swordfish";
const policy = { sensitive: "allow", actionsPerMinute: 0, hotkey: false, apps: { mousepad: "blind" } };

let scene: Scene;
let guarded: GuardedScene;
let folder: string;
let listening: Listening;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-listening-"));
  scene = await openScene();
  guarded = guardScene(scene, policy);
});
afterEach(async () => {
  await listening?.end();
  guarded.resume();
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openForm(toolkit: "gtk3" | "qt5"): Promise<ChildProcess> {
  const file = join(apps, `form-${toolkit}.py`);
  const child = await scene.start(
    ["/usr/bin/python3", file, join(folder, `${toolkit}.json`), `Form ${toolkit}`],
    `Form ${toolkit}`,
  );
  await scene.settle();
  return child;
}

/** The upper left corner of an open menu that X alone tells of. */
async function findPopup(pid: number | undefined): Promise<{ readonly x: number; readonly y: number }> {
  let found: RegExpMatchArray | null = null;
  await waitFor("the menu", () => {
    const { stdout } = scene.run("xdotool", "search", "--onlyvisible", "--pid", String(pid));
    const shown = stdout.split("\n").map((id) => scene.run("xwininfo", "-id", id).stdout);
    const popup = shown.find((one) => one.includes("Override Redirect State: yes"));
    found = popup?.match(/upper-left X: +(\d+)\s.*upper-left Y: +(\d+)/s) ?? null;
    return found !== null;
  });
  const [, x, y] = found ?? [];
  return { x: Number(x), y: Number(y) };
}

/** Whether any file that Deskmap keeps has these bytes. */
function isStored(text: string): boolean {
  const { HOME = "", XDG_STATE_HOME = HOME, XDG_RUNTIME_DIR = HOME, XDG_DATA_HOME = HOME } = scene.sandbox.env;
  return [XDG_STATE_HOME, XDG_RUNTIME_DIR, XDG_DATA_HOME].some((place) =>
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && join(entry.parentPath, entry.name).includes("deskmap"))
      .some((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(text)),
  );
}

test("in GTK 3 each step of a person has its control, once; Deskmap's own clicks are not among them", async () => {
  const form = await openForm("gtk3");
  try {
    const told = askForElements(scene, form.pid);
    const [agree, name, hidden] = [
      find(told, "check box", "Agree"),
      find(told, "text", 0),
      find(told, "password text", 0),
    ];
    const [large, save, colour] = [
      find(told, "radio button", "Large"),
      find(told, "push button", "Save"),
      find(told, "combo box", 0),
    ];
    const [row, parcel, basket] = [
      find(told, "table cell", "Row 2"),
      find(told, "label", "Parcel"),
      find(told, "label", "Basket"),
    ];
    listening = await Listening.begin(scene);
    listening.robot(
      [...pointAt(agree), "click", 1],
      [...pointAt(name), "click", 1],
      ["type", "--delay", "60", "Ada Lovelace"],
      ["key", "Tab"],
      ["type", "--delay", "60", secret],
      [...pointAt(large), "click", 1],
      [...pointAt(save), "click", "--repeat", 2, "--delay", 60, 1],
      ["key", "ctrl+shift+s"],
      [...pointAt(colour), "click", 1],
    );
    await listening.wait(9);
    const blue = find(askForElements(scene, form.pid), "menu item", "Blue");
    // On a busy machine a menu may be open for longer than a person rests before it is read.
    await waitFor("the menu to be read", () => {
      const { stdout } = scene.deskmap("find", "Blue", "--role", "menuitem", "--app", "form-gtk3", "--format", "json");
      const [item] = JSON.parse(stdout || '{"matches":[]}').matches;
      return item !== undefined && !item.x?.includes("hidden");
    });
    listening.robot([...pointAt(blue), "click", 1]);
    // The menu closes with the click, and is still named.
    await listening.wait(10);
    expect(scene.deskmap("click", "Agree", "--pointer", "--app", "form-gtk3").status).toBe(0);
    const [x, y] = middleOf(parcel);
    listening.robot(
      [...pointAt(row), "click", "--repeat", 4, "--delay", 40, 5],
      [...pointAt(parcel), "mousedown", 1, "sleep", 0.1, "mousemove", x + 12, y],
      [...pointAt(basket), "mouseup", 1],
      [...pointAt(find(told, "label", "Touch pad")), "click", 3],
      ["key", "Escape"],
    );
    await listening.wait(14);
    await listening.end();
    expect(listening.steps).toMatchObject([
      { tool: "click", input: {}, ref: { role: "checkbox", name: "Agree", bbox: boxOf(agree) } },
      { tool: "click", input: {}, ref: { role: "input", bbox: boxOf(name) } },
      { tool: "set-value", input: { text: "Ada Lovelace" }, typed: "Ada Lovelace", ref: { bbox: boxOf(name) } },
      { tool: "type", input: { key: "Tab" }, ref: { bbox: boxOf(name) } },
      { tool: "type", input: {}, secret: "Password", ref: { bbox: boxOf(hidden) } },
      { tool: "click", ref: { role: "radio", name: "Large", bbox: boxOf(large) } },
      { tool: "click", input: { double: true }, ref: { role: "button", name: "Save", bbox: boxOf(save) } },
      { tool: "type", input: { key: "Ctrl+Shift+S" } },
      { tool: "click", ref: { role: "select", bbox: boxOf(colour) } },
      { tool: "click", ref: { role: "menuitem", name: "Blue", bbox: boxOf(blue) } },
      { tool: "scroll", input: { direction: "down", amount: 4 }, ref: { role: "table" } },
      { tool: "drag", ref: { name: "Parcel", bbox: boxOf(parcel) }, toRef: { name: "Basket", bbox: boxOf(basket) } },
      { tool: "click", input: { button: "right" }, ref: { name: "Touch pad" } },
      { tool: "type", input: { key: "Escape" } },
    ]);
    expect(listening.steps[0]).toMatchObject({
      by: "person",
      app: "form-gtk3",
      window: "Form gtk3",
      effect: { changed: [{ role: "checkbox", name: "Agree", what: "states", after: "checked" }] },
      evidence: expect.arrayContaining([{ by: "ref", matches: 1 }]),
    });
    expect(listening.steps[9]).not.toHaveProperty("doubt");
    expect(listening.steps[9]?.effect?.changed).toContainEqual({
      role: "select",
      name: "Colour",
      what: "value",
      after: "Blue",
    });
    const account = JSON.parse(readFileSync(join(folder, "gtk3.json"), "utf8"));
    expect(account).toMatchObject({ name: "Ada Lovelace", secret, size: "Large", colour: "Blue" });
    for (const part of [secret, "Hunter2", "swordfish", "hunter"]) {
      expect([part, listening.terminal.shown().includes(part), isStored(part)]).toEqual([part, false, false]);
    }
  } finally {
    form.kill();
  }
});

test("Qt reports next to nothing, and its controls are named all the same", async () => {
  const form = await openForm("qt5");
  try {
    const told = askForElements(scene, form.pid);
    const [agree, name, hidden] = [
      find(told, "check box", "Agree"),
      find(told, "text", 0),
      find(told, "password text", 0),
    ];
    const save = find(told, "push button", "Save");
    listening = await Listening.begin(scene);
    listening.robot(
      [...pointAt(agree), "click", 1],
      [...pointAt(name), "click", 1],
      ["type", "--delay", "60", "Grace"],
      [...pointAt(hidden), "click", 1],
      ["type", "--delay", "60", secret],
      [...pointAt(save), "click", 1],
      [...pointAt(name), "click", 3],
    );
    await listening.wait(7);
    // Its menu is in no tree: what is found there lies behind it.
    const menu = await findPopup(form.pid);
    listening.robot(["mousemove", menu.x + 20, menu.y + 40, "sleep", 0.2, "click", 1]);
    await listening.wait(8);
    await listening.end();
    expect(listening.steps).toMatchObject([
      { tool: "click", ref: { role: "checkbox", name: "Agree", bbox: boxOf(agree) } },
      { tool: "click", ref: { role: "input", bbox: boxOf(name) } },
      { tool: "set-value", input: { text: "Grace" }, ref: { bbox: boxOf(name) } },
      { tool: "click", ref: { bbox: boxOf(hidden) } },
      { tool: "type", input: {}, secret: "Password" },
      { tool: "click", ref: { role: "button", name: "Save", bbox: boxOf(save) } },
      { tool: "click", input: { button: "right" }, ref: { bbox: boxOf(name) } },
      { tool: "click", doubt: "a menu or list that was not read lay over it" },
    ]);
    expect(listening.terminal.shown()).not.toContain(secret);
  } finally {
    form.kill();
  }
});

test("a page's controls are named; a window that must not be seen leaves a gap", async () => {
  const html = `<!doctype html><title>Order page</title><form onsubmit="return false">
    <p><label>Email <input id="mail"></label> <label>Password <input type="password"></label>
    <p><label><input type="checkbox"> Agree</label> <button>Send it</button></form>`;
  const chromium = prepareChromium(html);
  const page = await scene.start(chromium.command, "Order page");
  const blind = await scene.start(["mousepad"], "Mousepad");
  try {
    const pad = ["search", "--onlyvisible", "--name", "Mousepad"];
    scene.run("xdotool", ...pad, "windowmove", "--sync", "700", "400");
    await waitFor("the page", () => askForElements(scene, page.pid).some(({ name }) => name === "Send it"));
    const told = askForElements(scene, page.pid);
    const [mail, hidden] = [find(told, "entry", "Email"), find(told, "password text", "Password")];
    const [agree, send] = [find(told, "check box", "Agree"), find(told, "push button", "Send it")];
    listening = await Listening.begin(scene);
    listening.robot(
      [...pointAt(mail), "click", 1],
      ["type", "--delay", "60", "ada@example.org"],
      [...pointAt(hidden), "click", 1],
      ["type", "--delay", "60", secret],
      [...pointAt(agree), "click", 1],
      [...pointAt(send), "click", 1],
      [...pad, "windowactivate", "--sync"],
      [...pad, "mousemove", "--window", "%1", 150, 120],
      ["click", 1],
      ["type", "--delay", "40", "not for anybody"],
    );
    await listening.wait(7);
    await listening.end();
    expect(listening.steps).toMatchObject([
      { tool: "click", ref: { role: "input", name: "Email" } },
      { tool: "set-value", input: { text: "ada@example.org" }, ref: { name: "Email" } },
      { tool: "click", ref: { name: "Password" } },
      { tool: "type", input: {}, secret: "Password" },
      { tool: "click", ref: { role: "checkbox", name: "Agree" } },
      { tool: "click", ref: { role: "button", name: "Send it" } },
      { input: {}, gap: expect.stringContaining("ousepad") },
    ]);
    expect(Object.keys(listening.steps.at(-1) ?? {})).not.toContain("point");
    expect(listening.terminal.shown()).not.toMatch(/not for|swordfish/);
  } finally {
    page.kill();
    blind.kill();
    chromium.remove();
  }
});

test("only a person at a terminal begins it; people see it, pictures do not; a stop ends it, and the log has both", async () => {
  const alone = scene.deskmap("listen");
  expect(alone.status).toBe(3);
  expect(alone.stderr).toContain("only a person at a terminal");
  listening = await Listening.begin(scene);
  const isRed = (picture: string): boolean => picture.toLowerCase().includes("#b3261e");
  const crop = ["-crop", "400x60+440+0", "+repage", "-depth", "8", "txt:-"];
  const seen = scene.run("import", "-window", "root", ...crop).stdout;
  expect(isRed(seen)).toBe(true);
  const path = join(folder, "shot.png");
  expect(scene.deskmap("screenshot", "--scale", "1", "--output", path).status).toBe(0);
  expect(isRed(scene.run("convert", path, ...crop).stdout)).toBe(false);
  expect(scene.deskmap("overlay", "off").status).toBe(0);
  expect(isRed(scene.run("import", "-window", "root", ...crop).stdout)).toBe(true);
  expect(scene.deskmap("stop").status).toBe(0);
  expect(await listening.terminal.ended).toBe(3);
  await waitFor("nothing drawn", () => !isRed(scene.run("import", "-window", "root", ...crop).stdout));
  const logged = readEvents(guarded.places, {}).events.filter(({ tool, what }) => tool === "record" && what !== "look");
  expect(logged.slice(-2)).toMatchObject([
    { what: "refused", effect: "unasked" },
    { way: "listen", effect: "ended", endedAt: expect.any(String) },
  ]);
});
