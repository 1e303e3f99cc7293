import { afterAll, beforeAll, expect, test } from "bun:test";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { act } from "./window-tools.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ width: 1280, height: 800, session: "mate" });
  // The panels slide in.
  await waitFor("the panels", () => readText("mate-panel").includes('"Bottom Panel"'));
  await scene.settle();
}, 120_000);
afterAll(() => scene.close());

function readText(app: string): string {
  return scene.deskmap("read", "--app", app, "--format", "text").stdout;
}

function hasWindow(title: string): boolean {
  return scene.run("wmctrl", "-l").stdout.includes(title);
}

test("the panels say where they show parts of other programs", () => {
  expect(readText("mate-panel")).toMatch(/UNTOLD the application does not tell what it shows in \d+x\d+ at/);
});

test("the menu of the panel opens, and Escape closes it", async () => {
  expect(act(scene, "click", "applications", "--app", "mate-panel").effect?.effect).toBe("confirmed");
  expect(act(scene, "type", "--key", "escape").effect?.effect).toBe("confirmed");
  await waitFor("the menu to be closed", () => !/menu "Applications" selected/.test(readText("mate-panel")));
});

test("a desktop icon is enabled; one click opens nothing, two open its folder", async () => {
  expect(readText("caja")).toMatch(/icon "Computer"$/m);
  expect(act(scene, "click", "computer", "--app", "caja").effect?.delivered).toBe(true);
  expect(hasWindow("Computer")).toBe(false);
  act(scene, "click", "computer", "--app", "caja", "--double");
  await waitFor("the folder", () => hasWindow("Computer"));
  expect(act(scene, "window", "close", "--window", "Computer").effect?.effect).toBe("confirmed");
});

test("a notification, which bypasses the window manager, is read and closed", async () => {
  scene.run("notify-send", "-t", "60000", "Backup", "All files are saved");
  await waitFor("the notification", () => readText("mate-notification").includes("All files are saved"));
  const { effect } = act(scene, "click", "closes the notification", "--app", "mate-notification");
  expect(effect?.effect).toBe("confirmed");
});

test("the settings and the log-out dialog are read, and the dialog is cancelled", async () => {
  await scene.start(["mate-control-center"], "Control Center");
  await waitFor("the settings", () => readText("control-center").includes('"Look and Feel"'));
  scene.sandbox.spawn(["mate-session-save", "--logout-dialog"], { stdio: "ignore" });
  await waitFor("the dialog", () => readText("mate-session").includes('btn "Log Out"'));
  expect(act(scene, "click", "cancel", "--app", "mate-session").effect?.effect).toBe("confirmed");
  expect(scene.run("pgrep", "-x", "mate-session").status).toBe(0);
});
