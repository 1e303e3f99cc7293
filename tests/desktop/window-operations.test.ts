import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { casesOf } from "../tier.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { act, findWindowId, readActiveId, readPlace, readStacking, readStates } from "./window-tools.ts";

const managers = casesOf(["openbox"] as const, ["xfwm4", "mutter"] as const);

describe.each([...managers])("windows under %s", (manager) => {
  let scene: Scene;
  let editor: number;
  let terminal: number;
  let dialog: number;
  let calculator: number;
  beforeAll(async () => {
    scene = await openScene({ width: 1280, height: 800, manager });
    await scene.start(["mousepad"], "Mousepad");
    await scene.start(["xterm", "-T", "Cells"], "Cells");
    // It draws its own frame, with a shadow around it if there is a compositor.
    await scene.start(["gnome-calculator"], "Calculator");
    await scene.start(["zenity", "--info", "--title=Fixed", "--text=Hello"], "Fixed");
    await scene.settle();
    [editor, terminal] = [findWindowId(scene, "Mousepad"), findWindowId(scene, "Cells")];
    [dialog, calculator] = [findWindowId(scene, "Fixed"), findWindowId(scene, "Calculator")];
  });
  afterAll(() => scene.close());

  const confirm = (command: string, ...args: string[]): void => {
    expect(act(scene, command, ...args)).toMatchObject({ status: 0, effect: { effect: "confirmed" } });
  };

  test("that window manager is running", () => {
    expect(scene.run("wmctrl", "-m").stdout.toLowerCase()).toContain(`name: ${manager}`);
  });

  test("front, back and focus change the order and the active window, as xprop lists them", () => {
    confirm("window", "front", "--window-id", String(editor));
    expect(readStacking(scene).at(-1)).toBe(editor);
    confirm("window", "back", "--window-id", String(editor));
    expect(readStacking(scene)[0]).toBe(editor);
    confirm("focus", "--class", "xterm");
    expect(readActiveId(scene)).toBe(terminal);
    expect(readStacking(scene).at(-1)).toBe(terminal);
    confirm("focus", "--app", "mousepad");
    expect(readActiveId(scene)).toBe(editor);
  });

  test("a state that already holds is reported, and nothing is delivered", () => {
    confirm("focus", "--app", "mousepad");
    expect(act(scene, "focus", "--app", "mousepad").effect).toMatchObject({
      effect: "confirmed",
      way: "nothing needed",
      evidence: ["it already was"],
      delivered: false,
    });
  });

  test("minimised, restored, maximised and fullscreen, according to xprop", () => {
    const id = String(editor);
    confirm("window", "minimize", "--window-id", id);
    expect(readStates(scene, editor)).toContain("HIDDEN");
    confirm("window", "restore", "--window-id", id);
    expect(readStates(scene, editor)).not.toContain("HIDDEN");
    const before = readPlace(scene, editor);
    confirm("window", "maximize", "--window-id", id);
    expect(readStates(scene, editor)).toEqual(expect.arrayContaining(["MAXIMIZED_HORZ", "MAXIMIZED_VERT"]));
    expect(readPlace(scene, editor)).toMatchObject({ width: 1280, height: 800 });
    confirm("window", "fullscreen", "--window-id", id);
    expect(readStates(scene, editor)).toContain("FULLSCREEN");
    confirm("window", "restore", "--window-id", id);
    expect(readStates(scene, editor)).not.toContain("FULLSCREEN");
    confirm("window", "restore", "--window-id", id);
    expect(readStates(scene, editor)).not.toContain("MAXIMIZED_HORZ");
    expect(readPlace(scene, editor)).toEqual(before);
    confirm("window", "minimize", "--window-id", id);
    confirm("focus", "--window-id", id);
    expect(readActiveId(scene)).toBe(editor);
  });

  test("a window gets exactly the place and size that list will show", () => {
    for (const id of [editor, terminal, dialog, calculator]) {
      confirm("window", "move", "--window-id", String(id), "--x", "123", "--y", "77");
      expect(readPlace(scene, id)).toMatchObject({ x: 123, y: 77 });
    }
    for (const id of [editor, calculator]) {
      confirm("window", "resize", "--window-id", String(id), "--width", "777", "--height", "655");
      expect(readPlace(scene, id)).toEqual({ x: 123, y: 77, width: 777, height: 655 });
    }
  });

  test("a terminal takes whole cells, or exactly what was asked, and the answer says which", () => {
    const asked = { width: 703, height: 501 };
    const { effect } = act(
      scene,
      "window",
      "resize",
      "--window-id",
      String(terminal),
      "--width",
      "703",
      "--height",
      "501",
    );
    const now = readPlace(scene, terminal);
    const isExact = now.width === asked.width && now.height === asked.height;
    expect(effect?.effect).toBe(isExact ? "confirmed" : "partial");
    expect(effect?.evidence?.join()).toContain(`${now.width}x${now.height}`);
    expect(Math.abs(now.width - asked.width) + Math.abs(now.height - asked.height)).toBeLessThan(40);
  });

  test("operations that a window does not allow are refused before anything is tried", () => {
    const before = readPlace(scene, dialog);
    const resized = act(scene, "window", "resize", "--window-id", String(dialog), "--width", "600", "--height", "400");
    expect(resized).toMatchObject({ status: 1, error: { code: "PATTERN_UNSUPPORTED", done: "nothing was done." } });
    expect(resized.error?.message).toContain(`its size is fixed at ${before.width}x${before.height}`);
    expect(act(scene, "window", "maximize", "--window-id", String(dialog)).error?.code).toBe("PATTERN_UNSUPPORTED");
    expect(readPlace(scene, dialog)).toEqual(before);
    confirm("window", "maximize", "--window-id", String(editor));
    const moved = act(scene, "window", "move", "--window-id", String(editor), "--x", "1", "--y", "1");
    expect(moved.error).toMatchObject({ code: "PATTERN_UNSUPPORTED", done: "nothing was done." });
    expect(moved.error?.message).toContain("it is maximised");
    confirm("window", "restore", "--window-id", String(editor));
  });

  test("a dry run says what would be done, and does nothing", () => {
    const before = readPlace(scene, editor);
    const run = act(scene, "window", "maximize", "--window-id", String(editor), "--dry-run");
    expect(run).toMatchObject({
      status: 0,
      effect: { effect: "would", delivered: false, way: "the window manager" },
    });
    expect(readPlace(scene, editor)).toEqual(before);
  });

  test("a window on another workspace is switched to", async () => {
    scene.run("wmctrl", "-n", "2");
    scene.run("wmctrl", "-i", "-r", String(terminal), "-t", "1");
    const desktopOf = (...args: string[]): string =>
      scene
        .run("xprop", ...args)
        .stdout.trim()
        .split(" ")
        .at(-1) ?? "";
    await waitFor("the terminal to go", () => desktopOf("-id", String(terminal), "_NET_WM_DESKTOP") === "1");
    confirm("focus", "--window-id", String(terminal));
    expect(readActiveId(scene)).toBe(terminal);
    expect(desktopOf("-root", "_NET_CURRENT_DESKTOP")).toBe(desktopOf("-id", String(terminal), "_NET_WM_DESKTOP"));
    confirm("focus", "--window-id", String(editor));
    expect(readActiveId(scene)).toBe(editor);
  });

  test("a window with unsaved changes asks before it closes, and a second request waits for the answer", async () => {
    confirm("focus", "--window-id", String(editor));
    scene.run("xdotool", "type", "unsaved");
    await waitFor("the editor to notice", () =>
      scene.run("xdotool", "getwindowname", String(editor)).stdout.includes("*"),
    );
    const asked = act(scene, "window", "close", "--window-id", String(editor));
    expect(asked).toMatchObject({ status: 4, effect: { effect: "partial", retry: "unsafe" } });
    const question = asked.effect?.changes?.openedWindows?.[0];
    expect(scene.run("xdotool", "getwindowname", String(question?.id)).status).toBe(0);
    const again = act(scene, "window", "close", "--window-id", String(editor));
    expect(again.error?.code).toBe("PATTERN_UNSUPPORTED");
    expect(again.error?.message).toContain("must be answered first");
    scene.run("xdotool", "key", "--window", String(question?.id), "Escape");
    confirm("window", "close", "--window-id", String(question?.id));
    expect(scene.run("wmctrl", "-l").stdout).toContain("Mousepad");
  });

  test("closing is confirmed when the window is gone", () => {
    confirm("window", "close", "--window", "Fixed");
    expect(scene.run("wmctrl", "-l").stdout).not.toContain("Fixed");
    expect(act(scene, "window", "close", "--window-id", String(dialog)).error?.code).toBe("NOT_FOUND");
  });
});
