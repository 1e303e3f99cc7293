import { afterAll, beforeAll, expect, test } from "bun:test";
import { permissive, setPolicy, tryCommand } from "./policy.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { act } from "./window-tools.ts";

interface Part {
  readonly role: string;
  readonly name: string;
  readonly description: string;
  readonly states: readonly string[];
  readonly extents: readonly number[] | null;
}

interface WindowJson {
  readonly app: string;
  readonly notes?: readonly { readonly code: string; readonly text: string }[];
}

let scene: Scene;
let panel = 0;
beforeAll(async () => {
  scene = await openScene({ width: 1280, height: 800, session: "xfce" });
  panel = findPanel();
  // Parts of the panel are programs of their own. One that starts before the panel is on the bus is never in its tree.
  while (!(await comesSoon(() => findBell() !== undefined))) {
    scene.run("xfce4-panel", "--restart");
    await waitFor("another panel", () => findPanel() > 0 && findPanel() !== panel);
    panel = findPanel();
  }
  await waitFor("the icons of the launchers", () => hasInPanel("push button", "Application Finder"));
}, 120_000);
afterAll(() => scene.close());

function findPanel(): number {
  const lines = scene.run("wmctrl", "-lp").stdout.split("\n");
  return Number(lines.find((one) => one.endsWith(" xfce4-panel"))?.split(/ +/)[2] ?? 0);
}

async function comesSoon(isThere: () => boolean): Promise<boolean> {
  const deadline = performance.now() + 15_000;
  const isThereYet = (): boolean => {
    try {
      return isThere();
    } catch {
      // The panel is not on the bus yet.
      return false;
    }
  };
  while (!isThereYet()) {
    if (performance.now() > deadline) return false;
    await Bun.sleep(100);
  }
  return true;
}

function walkPanel(): readonly Part[] {
  return scene.ask("walk", String(panel)) as readonly Part[];
}

function findBell(): Part | undefined {
  return walkPanel().find(({ role, description }) => role === "toggle button" && description === "Notifications");
}

function hasInPanel(role: string, name: string): boolean {
  return walkPanel().some((part) => part.role === role && part.name === name);
}

function isChecked(name: string): boolean {
  return walkPanel().some((part) => part.name.startsWith(name) && part.states.includes("checked"));
}

function describePlace(part: Part | undefined): string {
  const [x, y, width, height] = part?.extents ?? [];
  return `${width}x${height} at ${x},${y}`;
}

function hasWindow(title: string): boolean {
  return scene.run("wmctrl", "-l").stdout.includes(title);
}

/** Windows that bypass the window manager are in no list of it. */
function hasUnlisted(app: string, width: number): boolean {
  const lines = scene.run("xwininfo", "-root", "-tree").stdout.split("\n");
  return lines.some((line) => line.includes(`("${app}"`) && Number(/ (\d+)x\d+\+/.exec(line)?.[1]) > width);
}

function read(...args: string[]): readonly WindowJson[] {
  return JSON.parse(scene.deskmap("read", "--format", "json", ...args).stdout).windows;
}

test("a panel's helper window off the screen is not listed", () => {
  const all = scene.run("wmctrl", "-lG").stdout;
  expect(all).toContain("-9999");
  const { windows } = JSON.parse(scene.deskmap("list", "--format", "json").stdout);
  expect(windows.map(({ monitor }: { monitor: string }) => monitor)).not.toContain("");
  expect(all.trim().split("\n").length).toBe(windows.length + 1);
});

test("a read says where the panel and the desktop show something that accessibility does not tell", async () => {
  // The bell belongs to another process: pyatspi leaves it out of a walk while that process is slow to answer.
  let bell: Part | undefined;
  await waitFor("the bell in a walk", () => {
    bell = findBell();
    return bell !== undefined;
  });
  const notes = read().flatMap(({ app, notes = [] }) => notes.map(({ code, text }) => ({ app, code, text })));
  const pager = walkPanel().find(({ role }) => role === "unknown");
  const [own, desktop] = ["Xfce4-panel", "Xfdesktop"].map((name) => notes.find(({ app }) => app === name));
  expect([own?.code, desktop?.code]).toEqual(["UNTOLD", "UNTOLD"]);
  expect(own?.text).toContain(describePlace(pager));
  expect(own?.text).toContain(describePlace(bell));
  // The rest of it is below the panel.
  expect(desktop?.text).toMatch(/ 1280x7\d\d at 0,\d\d;/);
});

test("a press of the menu button opens the menu, and Escape closes it although another window has the focus", async () => {
  expect(act(scene, "click", "applications", "--role", "toggle").effect).toMatchObject({
    effect: "confirmed",
    way: "pointer",
  });
  expect(hasInPanel("menu item", "Log Out")).toBe(true);
  expect(act(scene, "type", "--key", "escape").effect?.effect).toBe("confirmed");
  await waitFor("the menu to be closed", () => !hasInPanel("menu item", "Log Out"));
  expect(isChecked("Applications")).toBe(false);
});

test("a press of the clock opens its calendar, another closes it", async () => {
  const clock = walkPanel().find(({ role, name }) => role === "toggle button" && /^\d{4}-\d\d-\d\d/.test(name));
  const day = (clock?.name ?? "").slice(0, 10);
  expect(act(scene, "click", day, "--role", "toggle").effect?.effect).toBe("confirmed");
  expect(hasInPanel("calendar", "")).toBe(true);
  expect(act(scene, "click", day, "--role", "toggle").effect?.effect).toBe("confirmed");
  await waitFor("the calendar to be closed", () => !hasInPanel("calendar", ""));
});

test("a launcher starts its program, which Escape ends", async () => {
  const { effect } = act(scene, "click", "application finder", "--role", "btn", "--app", "xfce4-panel");
  // On a slow machine the program may need longer than the effect is waited for.
  expect(["confirmed", "unverified"]).toContain(effect?.effect ?? "");
  await waitFor("the window", () => hasWindow("Application Finder"));
  await scene.settle();
  act(scene, "focus", "--window", "Application Finder");
  expect(act(scene, "type", "--key", "escape").effect?.effect).toBe("confirmed");
  expect(hasWindow("Application Finder")).toBe(false);
});

test("the workspace switcher, which accessibility does not tell, is pressed at its place", async () => {
  const [x = 0, y = 0, width = 0, height = 0] = walkPanel().find(({ role }) => role === "unknown")?.extents ?? [];
  const isOn = (workspace: number): boolean => scene.run("wmctrl", "-d").stdout.includes(`\n${workspace}  *`);
  const press = (part: number) =>
    act(scene, "click", "--x", String(Math.round(x + (width * part) / 8)), "--y", String(y + height / 2));
  expect(press(3).effect?.delivered).toBe(true);
  await waitFor("the second workspace", () => isOn(1));
  press(1);
  await waitFor("the first workspace", () => scene.run("wmctrl", "-d").stdout.startsWith("0  *"));
});

test("a double click on a desktop icon is confirmed by the window that opens", async () => {
  // xfdesktop places its icons from the upper left corner; none is in the tree.
  const { effect } = act(scene, "click", "--x", "70", "--y", "80", "--double");
  await waitFor("a window of the file manager", () => hasWindow("Thunar"));
  expect(["confirmed", "unverified"]).toContain(effect?.effect ?? "");
});

test("a key without effect does not make the file manager be read again and again", async () => {
  await scene.settle();
  act(scene, "focus", "--app", "thunar");
  const run = scene.deskmap("type", "--key", "escape", "--verbose", "--no-daemon");
  const reads = run.stderr.split("\n").filter((line) => /\bread\s+verify/.test(line));
  // Thunar says the name of its view each time it is read: without an end, there are more than twenty.
  expect(reads.length).toBeLessThan(8);
  scene.run("wmctrl", "-c", "Thunar");
  await waitFor("Thunar to be closed", () => !hasWindow("Thunar"));
});

test("a notification is listed and read", async () => {
  scene.run("notify-send", "-t", "60000", "Backup", "All files are saved");
  await waitFor("the notification", () => hasUnlisted("xfce4-notifyd", 20));
  expect(scene.deskmap("read", "--app", "notifyd", "--format", "text").stdout).toContain('"All files are saved"');
});

test("the settings say where they show icons that accessibility does not tell", async () => {
  await scene.start(["xfce4-settings-manager"], "Settings");
  await waitFor("the note", () => {
    const shown = scene.deskmap("read", "--app", "xfce4-settings-manager", "--format", "text").stdout;
    return /UNTOLD .*\d+x\d+ at \d+,\d+, \d+x\d+ at /.test(shown);
  });
  expect(act(scene, "window", "close", "--app", "xfce4-settings-manager").effect?.effect).toBe("confirmed");
});

test("nothing in the log-out dialog, which bypasses the window manager, is pressed without a yes", async () => {
  act(scene, "click", "applications", "--role", "toggle");
  act(scene, "click", "log out", "--role", "menuitem");
  await waitFor("the dialog", () => hasUnlisted("xfce4-session", 100));
  const shown = scene.deskmap("read", "--app", "xfce4-session", "--format", "text").stdout;
  expect(shown).toMatch(/btn "Log Out"/);
  // There is no system bus in a session of a sandbox.
  expect(shown).toMatch(/btn "Shut Down" disabled/);
  setPolicy(scene, { ...permissive, sensitive: "ask" });
  const refused = { status: 3, code: "REFUSED", reason: "unasked" };
  expect(tryCommand(scene, "click", "log out", "--role", "btn", "--app", "xfce4-session")).toMatchObject(refused);
  const { elements } = JSON.parse(
    scene.deskmap("read", "--app", "xfce4-session", "--format", "json", "--points").stdout,
  );
  const [x, y] = elements.find(({ t }: { t?: string }) => t === "Log Out").p;
  expect(tryCommand(scene, "click", "--x", String(x), "--y", String(y))).toMatchObject(refused);
  expect(hasUnlisted("xfce4-session", 100)).toBe(true);
  expect(act(scene, "click", "cancel", "--app", "xfce4-session").effect?.effect).toBe("confirmed");
  expect(hasUnlisted("xfce4-session", 100)).toBe(false);
  expect(hasWindow("xfce4-panel")).toBe(true);
});
