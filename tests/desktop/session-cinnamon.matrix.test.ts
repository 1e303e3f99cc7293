import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { permissive, setPolicy, tryCommand } from "./policy.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { act } from "./window-tools.ts";

interface Part {
  readonly role: string;
  readonly name: string;
  readonly states: readonly string[];
  readonly extents: readonly number[] | null;
}

let scene: Scene;
let shell = 0;
beforeAll(async () => {
  scene = await openScene({ width: 1280, height: 800, session: "cinnamon" });
  const { windows } = JSON.parse(scene.deskmap("list", "--format", "json").stdout);
  shell = windows.find(({ app }: { app: string }) => app === "cinnamon").pid;
  await waitFor("the panel", () => listPlaces().length > 1);
  await scene.settle();
}, 120_000);
afterAll(() => scene.close());

function readText(app: string): string {
  return scene.deskmap("read", "--app", app, "--format", "text").stdout;
}

function hasWindow(title: string): boolean {
  return scene.run("wmctrl", "-l").stdout.includes(title);
}

/** The panel and its menus are in no window of X's tree: only their program tells what they show. */
function isShown(name: string): boolean {
  const parts = scene.ask("walk", String(shell)) as readonly Part[];
  return parts.some((part) => part.name === name && part.states.includes("showing"));
}

/** The middles of the panel's controls without a name, as the note gives them. */
function listPlaces(): readonly (readonly [number, number])[] {
  const [, places = ""] =
    /UNTOLD the application does not tell what it shows in (.*);/.exec(readText("cinnamon")) ?? [];
  return [...places.matchAll(/(\d+)x(\d+) at (\d+),(\d+)/g)].map((found) => {
    const [width = 0, height = 0, x = 0, y = 0] = found.slice(1).map(Number);
    return [x + Math.floor(width / 2), y + Math.floor(height / 2)] as const;
  });
}

function press(place: number) {
  const [x = 0, y = 0] = listPlaces()[place] ?? [];
  return act(scene, "click", "--x", String(x), "--y", String(y));
}

test("the panel, which the window manager draws, is listed and read; what it does not tell is said", () => {
  const { windows } = JSON.parse(scene.deskmap("list", "--format", "json").stdout);
  expect(windows.map(({ app }: { app: string }) => app)).toEqual(["cinnamon", "Nemo-desktop"]);
  expect(readText("cinnamon")).toMatch(/txt "\d\d:\d\d"/);
  // From left to right: the menu and the file manager.
  expect(listPlaces().slice(0, 2)).toEqual([
    [17, 779],
    [71, 779],
  ]);
});

test("the menu opens with its entries, an entry starts its program, and Escape closes the menu", async () => {
  expect(press(0).effect?.effect).toBe("confirmed");
  expect(isShown("All Applications")).toBe(true);
  expect(act(scene, "type", "--key", "escape").effect?.effect).toBe("confirmed");
  await waitFor("the menu to be closed", () => !isShown("All Applications"));
  press(0);
  act(scene, "click", "Calculator", "--role", "menuitem", "--app", "cinnamon");
  await waitFor("the calculator", () => hasWindow("Calculator"));
  expect(isShown("All Applications")).toBe(false);
  expect(act(scene, "window", "close", "--app", "gnome-calculator").effect?.effect).toBe("confirmed");
});

test("a picture of the panel alone is refused: it would show other windows", () => {
  const picture = tryCommand(
    scene,
    "screenshot",
    "--app",
    "cinnamon",
    "--output",
    join(scene.sandbox.env.HOME ?? "", "x.png"),
  );
  expect(picture).toMatchObject({ status: 1, code: "UNAVAILABLE" });
});

test("desktop icons, which have no place, are said to be missing", async () => {
  writeFileSync(join(scene.sandbox.env.HOME ?? "", "Desktop", "letter.txt"), "Dear reader");
  await waitFor("the note", () => /UNTOLD .* 1280x760 at 0,0/.test(readText("nemo-desktop")));
});

test("a launcher starts the file manager, and a shortcut switches the workspace", async () => {
  press(1);
  await waitFor("the file manager", () => hasWindow("Home"));
  await waitFor("its controls", () => readText("nemo").includes('toggle "List View"'));
  expect(act(scene, "type", "--key", "ctrl+alt+Right", "--window", "Home").effect?.delivered).toBe(true);
  await waitFor("the second workspace", () => /^1 {2}\*/m.test(scene.run("wmctrl", "-d").stdout));
  scene.run("wmctrl", "-s", "0");
  await waitFor("the first workspace", () => scene.run("wmctrl", "-d").stdout.startsWith("0  *"));
  expect(act(scene, "window", "close", "--window", "Home").effect?.effect).toBe("confirmed");
});

test("a notification is read", async () => {
  scene.run("notify-send", "-t", "60000", "Backup", "All files are saved");
  await waitFor("the notification", () => isShown("All files are saved"));
  expect(readText("cinnamon")).toContain('"All files are saved"');
});

test("the settings are read", async () => {
  await scene.start(["cinnamon-settings"], "System Settings");
  await waitFor("the settings", () => readText("cinnamon-settings").includes('"Backgrounds"'));
  expect(act(scene, "window", "close", "--window", "System Settings").effect?.effect).toBe("confirmed");
});

test("the log-out dialog is read; nothing in it is pressed without a yes, and the session lives on", async () => {
  scene.sandbox.spawn(["cinnamon-session-quit", "--logout"], { stdio: "ignore" });
  await waitFor("the dialog", () => readText("cinnamon-session").includes('btn "Log Out"'));
  setPolicy(scene, { ...permissive, sensitive: "ask" });
  const refused = { status: 3, code: "REFUSED", reason: "unasked" };
  expect(tryCommand(scene, "click", "log out", "--role", "btn", "--app", "cinnamon-session")).toMatchObject(refused);
  expect(act(scene, "click", "cancel", "--app", "cinnamon-session").effect?.effect).toBe("confirmed");
  await waitFor("the desktop", () => hasWindow("Desktop"));
});
