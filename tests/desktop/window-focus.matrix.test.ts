import { afterEach, describe, expect, test } from "bun:test";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { act, findWindowId, readActiveId, readPlace } from "./window-tools.ts";

let scene: Scene;
afterEach(() => scene.close());

/** Simulates a person typing: the window manager then keeps new windows from taking the focus. */
async function typeInto(id: number): Promise<void> {
  await waitFor("the editor to be active", () => readActiveId(scene) === id);
  scene.run("xdotool", "type", "busy");
  await waitFor("the text to arrive", () => scene.run("xdotool", "getwindowname", String(id)).stdout.includes("*"));
}

async function startBehind(): Promise<{ editor: number; newcomer: number }> {
  await scene.start(["mousepad"], "Mousepad");
  const editor = findWindowId(scene, "Mousepad");
  await typeInto(editor);
  // Looks long-running to the window manager: its start time is before the last key.
  scene.sandbox.spawn(["zenity", "--info", "--title=Newcomer", "--text=Hello"], {
    stdio: "ignore",
    env: { DESKTOP_STARTUP_ID: "newcomer_TIME1" },
  });
  await waitFor("the newcomer", () => scene.run("wmctrl", "-l").stdout.includes("Newcomer"));
  await scene.settle();
  return { editor, newcomer: findWindowId(scene, "Newcomer") };
}

describe("a window comes to the front although the window manager prevents focus stealing", () => {
  test("xfwm4 with focus stealing prevention, and told to do nothing for other work spaces", async () => {
    scene = await openScene({ width: 1280, height: 800, manager: "xfwm4" });
    for (const [setting, type, value] of [
      ["prevent_focus_stealing", "bool", "true"],
      ["activate_action", "string", "none"],
    ]) {
      const words = ["-c", "xfwm4", "-p", `/general/${setting}`, "-n", "-t", type ?? "", "-s", value ?? ""];
      expect(scene.run("xfconf-query", ...words).status).toBe(0);
    }
    const { editor, newcomer } = await startBehind();
    expect(readActiveId(scene)).toBe(editor);
    expect(act(scene, "focus", "--window", "Newcomer")).toMatchObject({ status: 0, effect: { effect: "confirmed" } });
    expect(readActiveId(scene)).toBe(newcomer);
    scene.run("wmctrl", "-n", "2");
    scene.run("wmctrl", "-i", "-r", String(editor), "-t", "1");
    await waitFor("the editor elsewhere", () =>
      scene.run("xprop", "-id", String(editor), "_NET_WM_DESKTOP").stdout.includes("= 1"),
    );
    expect(act(scene, "focus", "--window-id", String(editor)).effect?.effect).toBe("confirmed");
    expect(readActiveId(scene)).toBe(editor);
  });

  test("mutter in its strict mode", async () => {
    scene = await openScene({ width: 1280, height: 800, manager: "mutter" });
    const setting = ["org.gnome.desktop.wm.preferences", "focus-new-windows"] as const;
    expect(scene.run("gsettings", "set", ...setting, "strict").status).toBe(0);
    await waitFor("the setting", () => scene.run("gsettings", "get", ...setting).stdout.includes("strict"));
    const { editor, newcomer } = await startBehind();
    expect(readActiveId(scene)).toBe(editor);
    expect(act(scene, "focus", "--window", "Newcomer")).toMatchObject({ status: 0, effect: { effect: "confirmed" } });
    expect(readActiveId(scene)).toBe(newcomer);
    // The new window has the focus: Return presses its only button.
    scene.run("xdotool", "key", "Return");
    await waitFor("the newcomer to go", () => !scene.run("wmctrl", "-l").stdout.includes("Newcomer"));
  });
});

test("without a window manager a window is raised, moved and closed, and the rest is refused", async () => {
  scene = await openScene();
  await scene.start(["mousepad"], "Mousepad");
  await scene.start(["xterm", "-T", "Other"], "Other");
  const [editor, other] = [findWindowId(scene, "Mousepad"), findWindowId(scene, "Other")];
  const pid = scene.run("pgrep", "-P", String(scene.sandbox.pid), "-x", "openbox").stdout.trim();
  process.kill(Number(pid), "SIGTERM");
  await waitFor("openbox to go", () => scene.run("wmctrl", "-m").status !== 0);
  expect(act(scene, "focus", "--window-id", String(editor))).toMatchObject({
    status: 0,
    effect: { effect: "confirmed" },
  });
  expect(scene.run("xdotool", "getwindowfocus").stdout.trim()).toBe(String(editor));
  expect(act(scene, "window", "move", "--window-id", String(editor), "--x", "40", "--y", "50").status).toBe(0);
  expect(
    act(scene, "window", "resize", "--window-id", String(editor), "--width", "600", "--height", "400").status,
  ).toBe(0);
  expect(readPlace(scene, editor)).toEqual({ x: 40, y: 50, width: 600, height: 400 });
  const refused = act(scene, "window", "maximize", "--window-id", String(editor));
  expect(refused.error).toMatchObject({ code: "UNAVAILABLE", done: "nothing was done." });
  expect(refused.error?.message).toContain("no window manager runs on this display");
  expect(act(scene, "window", "close", "--window-id", String(other)).effect?.effect).toBe("confirmed");
  expect(scene.run("xwininfo", "-id", String(other)).status).not.toBe(0);
});

test("no guess is made among several windows, unless one application has the keyboard", async () => {
  scene = await openScene();
  await scene.start(["zenity", "--info", "--title=First", "--text=a"], "First");
  await scene.start(["zenity", "--info", "--title=Second", "--text=b"], "Second");
  await scene.start(["mousepad"], "Mousepad");
  const doubtful = act(scene, "window", "close", "--app", "zenity");
  expect(doubtful.error).toMatchObject({ code: "AMBIGUOUS", done: "nothing was done." });
  expect(doubtful.error?.nearest.join()).toContain(String(findWindowId(scene, "First")));
  expect(doubtful.error?.nearest.join()).toContain("Second");
  expect(act(scene, "window", "close", "--app", "zenity", "--window", "second").effect?.effect).toBe("confirmed");
  expect(act(scene, "focus", "--class", "ZENITY").effect?.effect).toBe("confirmed");
  expect(act(scene, "focus", "--class", "nosuch").error).toMatchObject({ code: "NOT_FOUND" });
  expect(act(scene, "window", "move", "--app", "zenity", "--x", "3").error?.code).toBe("USAGE");
  expect(act(scene, "window", "shrink", "--app", "zenity").error?.code).toBe("USAGE");
});

test("a hanging application does not close, which is reported in time; its window obeys the window manager", async () => {
  scene = await openScene();
  const { pid = 0 } = await scene.start(["mousepad"], "Mousepad");
  await scene.settle();
  process.kill(pid, "SIGSTOP");
  const asked = act(scene, "window", "close", "--app", "mousepad", "--timeout-ms", "800");
  expect(asked).toMatchObject({ status: 4, effect: { effect: "no-change", evidence: ["the window is still there"] } });
  expect(act(scene, "window", "minimize", "--app", "mousepad").effect?.effect).toBe("confirmed");
  process.kill(pid, "SIGCONT");
  await waitFor("the late answer", () => !scene.run("wmctrl", "-l").stdout.includes("Mousepad"));
});
