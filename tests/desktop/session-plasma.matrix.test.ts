import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { permissive, setPolicy, tryCommand } from "./policy.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { act } from "./window-tools.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ width: 1280, height: 800, session: "plasma" });
  // The applets of the panel are loaded one by one; the clock is the last but one.
  await waitFor("the panel", () => readText("plasmashell").includes('btn "Peek at Desktop"'));
  await scene.settle();
}, 120_000);
afterAll(() => scene.close());

function readText(app: string): string {
  return scene.deskmap("read", "--app", app, "--format", "text").stdout;
}

function listWindows(): readonly string[] {
  return scene.run("wmctrl", "-l").stdout.trim().split("\n");
}

function hasWindow(title: string): boolean {
  return listWindows().some((line) => line.includes(title));
}

/** Its panel, menu and notifications have no titles of their own. */
function countUntitled(): number {
  return listWindows().filter((line) => line.endsWith(" Plasma") && !line.includes("Desktop @")).length;
}

test("the menu of the panel opens with its entries, and Escape closes it", async () => {
  expect(act(scene, "click", "application launcher", "--app", "plasmashell").effect?.effect).toBe("confirmed");
  expect(countUntitled()).toBe(2);
  await waitFor("the entries", () => readText("plasmashell").includes('item "All Applications"'));
  expect(act(scene, "type", "--key", "escape").effect?.effect).toBe("confirmed");
  await waitFor("the menu to be closed", () => countUntitled() === 1);
});

test("a workspace button of the panel switches the workspace", async () => {
  expect(act(scene, "click", "Desktop 2", "--role", "btn", "--app", "plasmashell").effect?.delivered).toBe(true);
  await waitFor("the second workspace", () => /^1 {2}\*/m.test(scene.run("wmctrl", "-d").stdout));
  act(scene, "click", "Desktop 1", "--role", "btn", "--app", "plasmashell");
  await waitFor("the first workspace", () => /^0 {2}\*/m.test(scene.run("wmctrl", "-d").stdout));
});

test("a launcher starts the file manager, which is read", async () => {
  act(scene, "click", "Dolphin", "--role", "btn", "--app", "plasmashell");
  await waitFor("the file manager", () => hasWindow("Home — Dolphin"));
  await waitFor("its folders", () => readText("dolphin").includes('cell "Desktop"'));
  expect(act(scene, "window", "close", "--app", "dolphin").effect?.effect).toBe("confirmed");
});

test("desktop icons are read, and one click opens a folder", async () => {
  mkdirSync(join(scene.sandbox.env.HOME ?? "", "Desktop", "Letters"), { recursive: true });
  await waitFor("the icon", () => readText("plasmashell").includes('"Letters"'));
  await scene.settle();
  act(scene, "click", "Letters", "--app", "plasmashell");
  await waitFor("the folder", () => hasWindow("Letters — Dolphin"));
  expect(act(scene, "window", "close", "--window", "Letters").effect?.effect).toBe("confirmed");
});

test("a notification is read and closed", async () => {
  scene.run("notify-send", "-t", "60000", "Backup", "All files are saved");
  await waitFor("the notification", () => countUntitled() === 2);
  await waitFor("its text", () => readText("plasmashell").includes("All files are saved"));
  act(scene, "click", "close", "--role", "btn", "--app", "plasmashell");
  await waitFor("the notification to be closed", () => countUntitled() === 1);
});

test("the settings say where they show something that accessibility does not tell", async () => {
  await scene.start(["systemsettings"], "System Settings");
  await waitFor("a note", () => /UNTOLD .*\d+x\d+ at \d+,\d+/.test(readText("systemsettings")));
  expect(act(scene, "window", "close", "--app", "systemsettings").effect?.effect).toBe("confirmed");
});

test("the log-out dialog is read; nothing in it is pressed without a yes, and the session lives on", async () => {
  setPolicy(scene, { ...permissive, sensitive: "ask" });
  const prompt = ["--dest=org.kde.LogoutPrompt", "/LogoutPrompt", "org.kde.LogoutPrompt.promptLogout"];
  scene.run("dbus-send", "--session", "--print-reply", ...prompt);
  await waitFor("the dialog", () => readText("logout-greeter").includes('btn "Log Out"'));
  // It logs out by itself after 30 seconds.
  const refused = { status: 3, code: "REFUSED", reason: "unasked" };
  expect(tryCommand(scene, "click", "ok", "--app", "logout-greeter")).toMatchObject(refused);
  expect(tryCommand(scene, "type", "--key", "Return")).toMatchObject(refused);
  expect(act(scene, "click", "cancel", "--app", "logout-greeter").effect?.effect).toBe("confirmed");
  expect(hasWindow("greeter")).toBe(false);
  expect(hasWindow("Desktop @")).toBe(true);
});
