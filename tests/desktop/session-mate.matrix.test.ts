import { afterAll, beforeAll, expect, test } from "bun:test";
import { permissive, setPolicy, tryCommand } from "./policy.ts";
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

test("the workspace switcher, which accessibility does not tell, is pressed at the place that the read gives", async () => {
  const listLower = (): number[][] => {
    const notes = readText("mate-panel").match(/UNTOLD .*/g) ?? [];
    const places = notes.flatMap((note) => [...note.matchAll(/(\d+)x(\d+) at (\d+),(\d+)/g)]);
    return places.map((found) => found.slice(1).map(Number)).filter(([, , , y = 0]) => y > 400);
  };
  // The lower panel has two such applets, one at each end. While one draws itself anew, its place looks empty.
  let lower: number[][] = [];
  await waitFor("the applets of the lower panel", () => {
    lower = listLower();
    return lower.length === 2;
  });
  const [width = 0, height = 0, x = 0, y = 0] = lower.at(-1) ?? [];
  const press = (part: number) =>
    act(scene, "click", "--x", String(Math.round(x + (width * part) / 8)), "--y", String(Math.round(y + height / 2)));
  expect(press(3).effect?.delivered).toBe(true);
  await waitFor("the second workspace", () => /^1 {2}\*/m.test(scene.run("wmctrl", "-d").stdout));
  press(1);
  await waitFor("the first workspace", () => scene.run("wmctrl", "-d").stdout.startsWith("0  *"));
});

test("the launcher starts a program", async () => {
  scene.sandbox.spawn(["mate-panel", "--run-dialog"], { stdio: "ignore" });
  await waitFor("the launcher", () => readText("mate-panel").includes('btn "Run" disabled'));
  act(scene, "type", "gnome-calculator", "--window", "Run Application");
  expect(act(scene, "click", "run", "--role", "btn", "--window", "Run Application").effect?.delivered).toBe(true);
  await waitFor("the calculator", () => hasWindow("Calculator"));
  expect(hasWindow("Run Application")).toBe(false);
  expect(act(scene, "window", "close", "--window", "Calculator").effect?.effect).toBe("confirmed");
});

test("a notification, which bypasses the window manager, is read and closed", async () => {
  scene.run("notify-send", "-t", "60000", "Backup", "All files are saved");
  await waitFor("the notification", () => readText("mate-notification").includes("All files are saved"));
  const { effect } = act(scene, "click", "closes the notification", "--app", "mate-notification");
  expect(effect?.effect).toBe("confirmed");
});

test("the settings and the log-out dialog are read; without a yes it is only cancelled", async () => {
  await scene.start(["mate-control-center"], "Control Center");
  await waitFor("the settings", () => readText("control-center").includes('"Look and Feel"'));
  scene.sandbox.spawn(["mate-session-save", "--logout-dialog"], { stdio: "ignore" });
  await waitFor("the dialog", () => readText("mate-session").includes('btn "Log Out"'));
  setPolicy(scene, { ...permissive, sensitive: "ask" });
  const refused = { status: 3, code: "REFUSED", reason: "unasked" };
  expect(tryCommand(scene, "click", "log out", "--role", "btn", "--app", "mate-session")).toMatchObject(refused);
  expect(act(scene, "click", "cancel", "--app", "mate-session").effect?.effect).toBe("confirmed");
  expect(hasWindow("Top Panel")).toBe(true);
});
