import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { prepareChromium } from "../desktop/chromium.ts";
import { permissive, setPolicy, tryCommand } from "../desktop/policy.ts";
import { openScene, type Scene, waitFor } from "../desktop/scene.ts";
import { matrix } from "../tier.ts";
import { openGrabber } from "./grab-keys.ts";

// What runs programs gets no keys unasked. Nobody can be asked here, so what would be asked about is refused.

let scene: Scene;
let editor: string;
let home: string;
const ending: (() => Promise<void>)[] = [];
beforeAll(async () => {
  scene = await openScene();
  setPolicy(scene, { ...permissive, sensitive: "ask" });
  home = scene.sandbox.env.HOME ?? "";
  editor = String((await scene.start(["mousepad", "--disable-server"], "Mousepad")).pid);
  await scene.settle();
});
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});
afterAll(() => scene.close());

const readEditor = () => scene.ask("text", editor, "text");

/** Starts a program that chooses what to run, and ends it after the test. */
function begin(command: readonly [string, ...string[]]): void {
  const child = scene.sandbox.spawn(command, { stdio: ["ignore", "ignore", "ignore"] });
  ending.push(async () => {
    const ended = once(child, "exit");
    if (child.exitCode === null && child.signalCode === null && child.kill("SIGKILL")) await ended;
  });
}

test("dmenu gets no keys, though the editor has the focus", async () => {
  const chosen = join(home, "chosen");
  begin(["sh", "-c", `exec dmenu </dev/null >'${chosen}'`]);
  await waitFor("dmenu", () => scene.run("xdotool", "search", "--onlyvisible", "--class", "dmenu").status === 0);
  for (const args of [
    ["type", "touch", "--pid", editor],
    ["type", "--key", "return", "--pid", editor],
    ["click", "--x", "30", "--y", "5"],
  ]) {
    const { status, reason } = tryCommand(scene, ...args);
    expect([args, status, reason]).toEqual([args, 3, "hands-off"]);
  }
  expect([readEditor(), readFileSync(chosen, "utf8")]).toEqual([[""], ""]);
});

test("an unknown surface that grabs the keyboard is asked about, except to leave it", async () => {
  const grabber = await openGrabber(scene, "some-launcher");
  ending.push(() => grabber.close());
  for (const args of [
    ["type", "xterm", "--pid", editor],
    ["type", "--key", "return", "--pid", editor],
  ]) {
    const { status, reason, message } = tryCommand(scene, ...args);
    expect([args, status, reason]).toEqual([args, 3, "unasked"]);
    expect(message).toContain("some-launcher");
  }
  expect([readEditor(), grabber.countKeys()]).toEqual([[""], 0]);
  scene.deskmap("type", "--key", "escape", "--pid", editor);
  expect(grabber.countKeys()).toBe(1);
});

test("an editor's own menu is no launcher: its keys need nobody", () => {
  const pressed = ["alt+s", "f", "escape"].map(
    (key) => tryCommand(scene, "type", "--key", key, "--pid", editor).status,
  );
  expect(pressed).toEqual([0, 0, 0]);
});

matrix.test("a launcher with a window and a tree is read, not used", async () => {
  begin(["xfce4-appfinder", "--collapsed", "--disable-server"]);
  await waitFor("it", () => scene.run("xdotool", "search", "--onlyvisible", "--class", "xfce4-appfinder").status === 0);
  const made = join(home, "made-by-launcher");
  const { status, reason } = tryCommand(scene, "type", `touch ${made}\n`, "--app", "xfce4-appfinder");
  expect([status, reason]).toEqual([3, "hands-off"]);
  expect(existsSync(made)).toBe(false);
});

matrix.test("the terminal of an editor in a page is a terminal", async () => {
  // What xterm.js builds, which VS Code and JupyterLab use.
  const chromium = prepareChromium(`<title>Lab</title><div class="terminal xterm"><div class="xterm-helpers">
    <textarea class="xterm-helper-textarea" aria-label="Terminal input" aria-multiline="false" autofocus></textarea>
    </div></div>`);
  try {
    const { pid } = await scene.start(chromium.command, "Lab");
    await scene.settle();
    await waitFor("the field", () => scene.deskmap("read", "--pid", String(pid)).stdout.includes("Terminal input"));
    const typed = tryCommand(scene, "type", "ls", "--pid", String(pid));
    const set = tryCommand(scene, "set-value", "ls", "--on", "Terminal input", "--pid", String(pid));
    expect([typed.reason, set.reason]).toEqual(["hands-off", "hands-off"]);
    expect(scene.ask("text", String(pid), "entry")).not.toContain("ls");
  } finally {
    chromium.remove();
  }
});
