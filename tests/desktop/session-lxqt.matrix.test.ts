import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { permissive, setPolicy, tryCommand } from "./policy.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { act } from "./window-tools.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({ width: 1280, height: 800, session: "lxqt" });
  await scene.settle();
}, 120_000);
afterAll(() => scene.close());

function readText(app: string): string {
  return scene.deskmap("read", "--app", app, "--format", "text").stdout;
}

function hasPopup(app: string): boolean {
  const ids = scene.run("xdotool", "search", "--onlyvisible", "--class", app).stdout.split("\n").filter(Boolean);
  return ids.some((id) => scene.run("xwininfo", "-id", id).stdout.includes("Override Redirect State: yes"));
}

test("a workspace button of the panel switches the workspace, and does not only turn checked", async () => {
  expect(act(scene, "click", "2", "--role", "checkbox", "--app", "lxqt-panel").effect).toMatchObject({
    effect: "confirmed",
    way: "pointer",
  });
  await waitFor("the second workspace", () => /^1 {2}\*/m.test(scene.run("wmctrl", "-d").stdout));
  act(scene, "click", "1", "--role", "checkbox", "--app", "lxqt-panel");
  await waitFor("the first workspace", () => /^0 {2}\*/m.test(scene.run("wmctrl", "-d").stdout));
});

test("the main menu opens, and Escape reaches it", async () => {
  const { elements } = JSON.parse(scene.deskmap("read", "--app", "lxqt-panel", "--format", "json").stdout);
  const button = elements.find(({ r }: { r: string }) => r === "btn");
  expect(act(scene, "click", "--id", String(button.i)).effect?.effect).toBe("confirmed");
  expect(hasPopup("lxqt-panel")).toBe(true);
  act(scene, "type", "--key", "escape");
  await waitFor("the menu to be closed", () => !hasPopup("lxqt-panel"));
});

test("desktop icons are read and selected", async () => {
  writeFileSync(join(scene.sandbox.env.HOME ?? "", "Desktop", "letter.txt"), "Dear reader");
  await waitFor("the icon", () => readText("pcmanfm").includes('"letter.txt"'));
  expect(act(scene, "click", "letter.txt", "--app", "pcmanfm").effect?.effect).toBe("confirmed");
  expect(readText("pcmanfm")).toMatch(/"letter.txt".*selected/);
});

test("the launcher starts a program, and the file manager is read", async () => {
  await scene.start(["lxqt-runner"], "LXQt Runner");
  act(scene, "type", "gnome-calculator", "--window", "LXQt Runner");
  await waitFor("the program's entry", () => readText("lxqt-runner").includes("<b>Calculator"));
  act(scene, "type", "--key", "Return", "--window", "LXQt Runner");
  await waitFor("the calculator", () => scene.run("wmctrl", "-l").stdout.includes("Calculator"));
  scene.run("wmctrl", "-c", "Calculator");
  scene.sandbox.spawn(["pcmanfm-qt", scene.sandbox.env.HOME ?? ""], { stdio: "ignore" });
  await waitFor("the file manager", () => readText("pcmanfm").includes('option "Desktop"'));
  expect(act(scene, "window", "close", "--window", "home").effect?.effect).toBe("confirmed");
});

test("a notification, which bypasses the window manager, is read and closed", async () => {
  scene.run("notify-send", "-t", "60000", "Backup", "All files are saved");
  await waitFor("the notification", () => hasPopup("lxqt-notificationd"));
  await waitFor("its text", () => readText("notificationd").includes("All files are saved"));
  act(scene, "click", "x", "--role", "btn", "--app", "notificationd");
  await waitFor("the notification to be closed", () => !hasPopup("lxqt-notificationd"));
});

test("the settings and the log-out dialog are read; without a yes it is only cancelled", async () => {
  await scene.start(["lxqt-config"], "Configuration Center");
  await waitFor("the settings", () => readText("lxqt-config").includes('"Appearance"'));
  await scene.start(["lxqt-leave"], "Leave");
  await waitFor("the dialog", () => readText("lxqt-leave").includes('"Logout"'));
  setPolicy(scene, { ...permissive, sensitive: "ask" });
  const refused = { status: 3, code: "REFUSED", reason: "unasked" };
  expect(tryCommand(scene, "click", "logout", "--app", "lxqt-leave")).toMatchObject(refused);
  expect(act(scene, "window", "close", "--app", "lxqt-leave").effect?.effect).toBe("confirmed");
  expect(scene.run("wmctrl", "-l").stdout).not.toContain("Leave");
});
