import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { findPlaces } from "../../src/guard/places.ts";
import { matrix } from "../tier.ts";
import { permissive, setPolicy } from "./policy.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { readShown } from "./shown.ts";
import { launcher, startWatch, type Watching, type WatchLine } from "./watched.ts";

// The lines that `deskmap watch` prints while xdotool acts; each is checked against pyatspi or the X server.

interface Seen {
  readonly role: string;
  readonly name: string;
  readonly states: readonly string[];
}

let scene: Scene;
let pad: ChildProcess;
let watching: Watching | undefined;

beforeAll(async () => {
  scene = await openScene();
  setPolicy(scene, permissive);
  pad = await startPad();
});
// One test ends it: if that goes wrong, the others are unaffected.
beforeEach(async () => {
  if (pad.signalCode !== null || pad.exitCode !== null) pad = await startPad();
});
afterEach(async () => {
  watching?.child.kill("SIGTERM");
  await watching?.ended();
  watching = undefined;
});
afterAll(() => scene.close());

async function startPad(): Promise<ChildProcess> {
  const child = await scene.start(["mousepad", "--disable-server"], "Mousepad");
  await scene.settle();
  return child;
}

async function watch(...args: string[]): Promise<Watching> {
  watching = startWatch(scene, "watch", "--no-daemon", ...args);
  await watching.expectLine("the first token", ({ kind }) => kind === "token");
  return watching;
}

const walk = (): readonly Seen[] => scene.ask("walk", String(pad.pid)) as Seen[];
const press = (...keys: string[]): void => {
  expect(scene.run("xdotool", "key", ...keys).status).toBe(0);
};
const isAppeared = (role: string, name: string) => (line: WatchLine) =>
  line.kind === "appeared" && line.r === role && line.t === name;
const isWindow = (what: string, title: string) => (line: WatchLine) =>
  line.kind === "window" && line.what === what && (line.title ?? "").includes(title);
const titleOf = (id: number | undefined): string => scene.run("xprop", "-id", String(id), "_NET_WM_NAME").stdout;

describe("a watch of an editor", () => {
  test("reports typed text, and the title that changes with it", async () => {
    const watched = await watch("--app", "mousepad", "--from-now");
    expect(watched.lines).toHaveLength(1);
    expect(scene.run("xdotool", "type", "Oslo").status).toBe(0);
    const titled = await watched.expectLine("the title", isWindow("changed", "*Untitled"));
    expect(titleOf(titled.w)).toContain(titled.title ?? "nothing");
    // Title and text come in either order.
    const findTyped = (): WatchLine | undefined =>
      watched.lines.find(({ kind, v }) => kind === "changed" && v === "Oslo");
    await waitFor("the text", () => findTyped() !== undefined);
    expect(scene.ask("text", String(pad.pid), "text")).toEqual(["Oslo"]);
    expect(findTyped()?.i).toBe(readShown(scene, "--app", "mousepad").find(({ v }) => v === "Oslo")?.i);
  });

  test("reports every entry of a menu that opens, and one line when it closes", async () => {
    const watched = await watch("--app", "mousepad", "--from-now");
    press("alt+f");
    const quit = await watched.expectLine("the menu", isAppeared("menuitem", "Quit"));
    const told = watched.lines.filter(({ kind, in: holder }) => kind === "appeared" && holder === quit.in);
    const file = walk().findIndex(({ role, name }) => role === "menu" && name === "File");
    const shown = walk().slice(file + 1);
    const names = shown.filter(({ role, name }) => ["menu item", "menu"].includes(role) && name !== "");
    expect(names.map(({ name }) => name.trim()).slice(0, told.length)).toEqual(told.map(({ t = "" }) => t));
    expect(told.length).toBeGreaterThan(8);
    press("Escape");
    const closed = await watched.expectLine("the closed menu", ({ kind }) => kind === "emptied");
    expect(closed).toMatchObject({ i: quit.in, r: "menu", t: "File" });
    expect(walk().some(({ name }) => name.trim() === "Quit")).toBe(false);
  });

  test("reports a dialog with its content, focus changes in it, and its end", async () => {
    const watched = await watch("--app", "mousepad", "--from-now");
    press("ctrl+o");
    const opened = await watched.expectLine("the dialog", isWindow("opened", "Open"));
    expect(titleOf(opened.w)).toContain("Open");
    const cancel = await watched.expectLine("its button", isAppeared("btn", "Cancel"));
    expect(cancel.w).toBe(opened.w);
    await scene.settle();
    press("alt+c");
    await watched.expectLine("its end", isWindow("closed", "Open"));
    expect(scene.run("xdotool", "search", "--onlyvisible", "--name", "^Open").stdout).toBe("");
  });

  matrix.test("reports a second window, and which of the two has the keyboard", async () => {
    const watched = await watch("--app", "mousepad", "--from-now");
    press("ctrl+shift+n");
    const opened = await watched.expectLine("the window", isWindow("opened", "Untitled"));
    const focused = await watched.expectLine("its focus", isWindow("focused", "Untitled"));
    expect(focused.w).toBe(opened.w);
    expect(Number(scene.run("xdotool", "getactivewindow").stdout)).toBe(opened.w ?? 0);
    press("ctrl+q");
    await watched.expectLine(
      "its end",
      ({ kind, what, w }) => kind === "window" && what === "closed" && w === opened.w,
    );
  });

  matrix.test("continues after the application ends and restarts, with the same marks", async () => {
    const watched = await watch("--app", "mousepad");
    const marks = (lines: readonly WatchLine[]): string[] =>
      lines.filter(({ kind, r }) => kind === "appeared" && r === "menu").map(({ i, t }) => `${i} ${t}`);
    const before = marks(watched.lines);
    expect(before).toHaveLength(6);
    const ended = new Promise((resolve) => pad.once("exit", resolve));
    pad.kill("SIGKILL");
    await ended;
    await watched.expectLine("its end", isWindow("closed", "Mousepad"));
    const [known, at] = [pad.pid, watched.lines.length];
    pad = await startPad();
    expect(pad.pid).not.toBe(known);
    await watched.expectLine("its return", isWindow("opened", "Mousepad"));
    await watched.expectLine("its last menu", isAppeared("menu", "Help"));
    expect(marks(watched.lines.slice(at))).toEqual(before);
  });
});

describe("a watch of everything", () => {
  test("reports an application that starts, and focus changes in it", async () => {
    const watched = await watch("--from-now", "--interactive");
    const other = await scene.start(["zenity", "--entry", "--title=Where", "--text=City"], "Where");
    await watched.expectLine("the window", isWindow("opened", "Where"));
    const findFocused = () =>
      (scene.ask("walk", String(other.pid)) as Seen[]).findLast(({ states }) => states.includes("focused"));
    await waitFor("a field with the focus", () => findFocused()?.role === "text");
    press("Tab");
    const focus = await watched.expectLine("the focus", ({ kind, r }) => kind === "focus" && r === "btn");
    expect(focus.t).toBe(findFocused()?.name ?? "nothing");
    press("Escape");
    await watched.expectLine("its end", isWindow("closed", "Where"));
    const looks = scene.deskmap("audit", "--format", "json").stdout;
    expect(looks).toContain('"words":"joins"');
  });

  test("an application that becomes blind disappears from it", async () => {
    const watched = await watch("--from-now");
    try {
      setPolicy(scene, { ...permissive, apps: { mousepad: "blind" } });
      await watched.expectLine("its end", isWindow("closed", "Mousepad"));
      const at = watched.lines.length;
      scene.run("xdotool", "type", "Bergen");
      await waitFor("the text", () => JSON.stringify(scene.ask("text", String(pad.pid), "text")).includes("Bergen"));
      const other = await scene.start(["zenity", "--info", "--title=Later", "--text=Later"], "Later");
      await watched.expectLine("what came after it", isWindow("opened", "Later"));
      expect(JSON.stringify(watched.lines.slice(at))).not.toMatch(/Bergen|Mousepad/);
      other.kill("SIGTERM");
    } finally {
      setPolicy(scene, permissive);
    }
  });
});

describe("a watch ends", () => {
  matrix.test("with exit code 0 on Ctrl-C, on SIGTERM, on timeout, and when its reader closes", async () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const { child, ended, errors } = await watch("--from-now");
      child.kill(signal);
      expect([signal, await ended(), errors()]).toEqual([signal, 0, ""]);
    }
    expect(scene.deskmap("watch", "--no-daemon", "--for", "200ms").status).toBe(0);
    const piped = `"$0" watch --no-daemon --app mousepad | head -n 1; echo "\${PIPESTATUS[*]}"`;
    const going = scene.sandbox.spawn(["bash", "-c", piped, launcher], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    going.stdout?.on("data", (chunk) => {
      output += String(chunk);
    });
    const gone = new Promise((resolve) => going.once("exit", resolve));
    await waitFor("its first line", () => output.includes("start"));
    scene.run("xdotool", "type", "more");
    await gone;
    expect(output).toEndWith("0 0\n");
  });

  test("with a refusal when a person stops everything, and when its only application becomes blind", async () => {
    const blinded = await watch("--app", "mousepad", "--from-now");
    setPolicy(scene, { ...permissive, apps: { mousepad: "blind" } });
    expect(await blinded.ended()).toBe(3);
    expect(blinded.errors()).toContain('"reason":"blind"');
    expect(blinded.lines.at(-2)).toMatchObject({ kind: "window", what: "closed" });
    setPolicy(scene, permissive);
    const stopped = await watch("--app", "mousepad", "--from-now");
    expect(scene.deskmap("stop").status).toBe(0);
    expect(await stopped.ended()).toBe(3);
    expect(stopped.errors()).toContain('"reason":"stopped"');
    await Bun.file(findPlaces(scene.sandbox.env).stopped).delete();
  });
});

test("read --watch is the same, and its plain text is between two delimiter lines", async () => {
  const text = startWatch(scene, "read", "--watch", "--no-daemon", "--app", "mousepad", "--format", "text");
  await waitFor("the first read", () => text.output().includes("--- end"));
  expect(text.output()).toMatch(/^--- data from applications.*\n! everything that is there\n\+ window \d+ Mousepad /);
  press("ctrl+a", "Delete");
  await waitFor("the change", () => /^~ \d+ input value ".+" → ""$/m.test(text.output()));
  text.child.kill("SIGINT");
  expect(await text.ended()).toBe(0);
});
