import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { makeFailure } from "../../src/model/failure.ts";
import { XConnection } from "../../src/platform/linux/x11/connection.ts";
import { Keyboard } from "../../src/platform/linux/x11/keyboard.ts";
import { Xkb } from "../../src/platform/linux/x11/xkb.ts";
import { XTest } from "../../src/platform/linux/x11/xtest.ts";
import { openHands, openPlatform } from "../../src/platform/pick.ts";
import { unwrap } from "../desktop/controls-scene.ts";
import { type GuardedScene, guardScene } from "../desktop/guarded-scene.ts";
import { readHeld } from "../desktop/input-scene.ts";
import { permissive, setPolicy } from "../desktop/policy.ts";
import { openScene, type Scene, waitFor } from "../desktop/scene.ts";
import { type Grabber, openGrabber } from "./grab-keys.ts";

// A slow text is under way into Mousepad while something changes. What the editor holds is read through pyatspi.

let scene: Scene;
let guarded: GuardedScene;
let editor: number;
let written: string;
const policy = { ...permissive, sensitive: "ask" };
const text = "a".repeat(40);

beforeAll(async () => {
  scene = await openScene();
  guarded = guardScene(scene, policy);
  written = join(scene.sandbox.env.HOME ?? "", "written");
  await scene.start(["xterm", "-T", "Shell", "-e", "sh", "-c", `stty -icanon -echo; cat >'${written}'`], "Shell");
  const { pid } = await scene.start(["mousepad", "--disable-server"], "Mousepad");
  editor = pid ?? 0;
  await scene.settle();
  await waitFor("the terminal's file", () => existsSync(written));
});
afterAll(() => scene.close());

const read = (): string => (scene.ask("text", String(editor), "text") as string[])[0] ?? "";
const activate = (name: string) =>
  scene.run("xdotool", "search", "--onlyvisible", "--name", name, "windowactivate", "--sync");

/** Types a slow text; `disturb` runs once some of it is there. */
async function typeWhile(disturb: () => unknown) {
  activate("Mousepad");
  const before = read().length;
  const { ended } = guarded.begin(["type", "--no-daemon", "--app", "mousepad", "--delay", "200", text]);
  await waitFor("some of it", () => read().length > before + 2);
  await disturb();
  const { status, stdout, stderr } = await ended;
  const arrived = read().length - before;
  expect(arrived).toBeLessThan(text.length);
  expect(readHeld(scene)).toContain("keys []");
  const counts = /(\d+) of 40 characters arrived(?:, and perhaps up to (\d+))?/.exec(stdout + stderr);
  const [least, unsure] = [Number(counts?.[1]), Number(counts?.[2] ?? 0)];
  expect([arrived >= least, arrived <= least + unsure]).toEqual([true, true]);
  expect(unsure < 2).toBe(true);
  return { status, reason: stderr === "" ? "" : JSON.parse(stderr).error.reason };
}

test("a person focuses a terminal: no key reaches it, and the answer says how many went where", async () => {
  const { status } = await typeWhile(() => activate("Shell"));
  expect(readFileSync(written, "utf8")).toBe("");
  // Refused, or taken away first.
  expect(status === 3 || status === 4).toBe(true);
});

test("a person makes the application hands-off: the rest is not typed", async () => {
  const { status, reason } = await typeWhile(() => setPolicy(scene, { ...policy, apps: { mousepad: "hands-off" } }));
  setPolicy(scene, policy);
  expect([status, reason]).toEqual([3, "hands-off"]);
});

test("a window that no manager lists grabs the keyboard: it gets none of the keys", async () => {
  let grabber: Grabber | undefined;
  await typeWhile(async () => {
    grabber = await openGrabber(scene, "unknown-launcher");
  });
  expect(grabber?.countKeys()).toBe(0);
  await grabber?.close();
});

/** Types while something has the keyboard for longer than from one key to the next; returns for how long it had it. */
async function typeThroughGrab() {
  activate("Mousepad");
  const before = read().length;
  const { ended } = guarded.begin(["type", "--no-daemon", "--app", "mousepad", "--delay", "100", text]);
  await waitFor("some of it", () => read().length > before + 2);
  const startedAt = performance.now();
  const grabber = await openGrabber(scene, "completions");
  await pause(150);
  await grabber.close();
  const heldMs = performance.now() - startedAt;
  return { heldMs, told: [(await ended).status, read().length - before, grabber.countKeys()] };
}

test("what has the keyboard for a moment only gets none of the keys, and the text goes on", async () => {
  let typed = await typeThroughGrab();
  // On a busy machine it may be no moment.
  for (let tries = 1; typed.heldMs > 450 && tries < 8; tries += 1) typed = await typeThroughGrab();
  expect(typed.told).toEqual([0, text.length, 0]);
});

test("what must not be dropped any more is taken back to where the drag began", async () => {
  const platform = unwrap(await openPlatform({ env: scene.sandbox.env, timeoutMs: 10_000 }));
  const hands = unwrap(await openHands(platform));
  const [from, to] = [
    { x: 1200, y: 700 },
    { x: 1100, y: 760 },
  ];
  const refusal = makeFailure("REFUSED", "it is hands-off now");
  const done = await hands.input({ kind: "drag", from, to, button: "left" }, undefined, async () => refusal);
  hands.close();
  platform.close();
  expect(done).toMatchObject({ ok: false, failure: { message: refusal.message } });
  expect(scene.run("xdotool", "getmouselocation").stdout).toStartWith(`x:${from.x} y:${from.y} `);
  expect(readHeld(scene)).toContain("keys []");
});

test("delay and total time are bounded", () => {
  for (const args of [
    ["--delay", "1001", "a"],
    ["--delay", "1000", "a".repeat(121)],
  ]) {
    expect(scene.deskmap("type", "--no-daemon", ...args).status).toBe(2);
  }
});

test("a text ends after five minutes, however slowly it is taken", async () => {
  activate("Mousepad");
  const before = read();
  const { env } = scene.sandbox;
  const x = await XConnection.connect(env, 10_000);
  const [xkb, extension] = [await Xkb.open(x), await x.findExtension("XTEST")];
  if (xkb === undefined || extension === undefined) throw new Error("the display takes no keys");
  let nowMs = -100_000;
  const now = (): number => {
    nowMs += 100_000;
    return nowMs;
  };
  const keyboard = new Keyboard(x, new XTest(extension, x.root), xkb, env, 10_000, undefined, now);
  const outcome = await keyboard.type(text, 1, { window: undefined });
  x.close();
  expect(outcome).toMatchObject({ typed: 3, trouble: "it was typed for longer than 5 minutes" });
  await waitFor("three letters", () => read().length === before.length + 3);
});
