import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { readEvents } from "../../src/guard/audit/read.ts";
import { verifyLog } from "../../src/guard/audit/verify.ts";
import { isLocked, tryLock } from "../../src/guard/lock.ts";
import { HotkeyPost } from "../../src/guard/stop/hotkey.ts";
import { findHolder } from "../../src/guard/turn.ts";
import { matrix } from "../tier.ts";
import { type GuardedScene, guardScene } from "./guarded-scene.ts";
import { type Field, openField, openInput, readHeld } from "./input-scene.ts";
import { openScene, waitFor } from "./scene.ts";

const launcher = join(import.meta.dir, "../../deskmap");
const policy = { hotkey: true, actionsPerMinute: 0, sensitive: "allow" };
const longText = "abcdefghij".repeat(500);
const nothingHeld = "keys []\nbuttons []\n";

let field: Field;
let guarded: GuardedScene;

beforeAll(async () => {
  field = await openField("mousepad");
  guarded = guardScene(field.scene, policy);
});
beforeEach(() => {
  field.scene.run("xdotool", "search", "--onlyvisible", "--name", "Mousepad", "windowactivate", "--sync");
});
afterEach(() => guarded.resume());
afterAll(() => field.close());

const press = (...keys: string[]): void => {
  expect(field.scene.run("xdotool", "key", ...keys).status).toBe(0);
};
/** On the display's own keyboard, as a person would. */
const pressOnDevice = (...keycodes: number[]): void => {
  const script = join(import.meta.dir, "press-on-device.py");
  expect(field.scene.run("/usr/bin/python3", script, ...keycodes.map(String)).status).toBe(0);
};
const escapeKey = 9;
const isStopped = (): boolean => existsSync(guarded.places.stopped);
const countStops = (): number => readEvents(guarded.places, { what: "stop" }).events.length;
const findPid = (): number =>
  Number(field.scene.run("xdotool", "search", "--onlyvisible", "--name", "Mousepad", "getwindowpid").stdout.trim());

/** The processes that listen on this display. */
function listListeners(display = field.scene.sandbox.display): string[] {
  return readdirSync("/proc").filter((entry) => {
    try {
      const isOurs = readFileSync(`/proc/${entry}/environ`, "utf8").includes(`DISPLAY=${display}\0`);
      return isOurs && readFileSync(`/proc/${entry}/cmdline`, "utf8").includes("listen-for-stop");
    } catch {
      return false;
    }
  });
}

/** Cleans up after an earlier test. */
async function endListeners(): Promise<void> {
  for (const pid of listListeners()) process.kill(Number(pid), "SIGKILL");
  // A process that ends is without a command line before its files are closed.
  await waitFor("the end of the listeners", () => listListeners().length === 0 && !isLocked(guarded.places.hotkey));
}

async function beginTyping(text = longText, ...args: string[]) {
  const before = field.read().length;
  const call = guarded.begin(["type", "--text", text, "--delay", "2", ...args]);
  await waitFor("typed text", () => field.read().length > before + 40);
  return { ...call, before };
}

async function expectTypingStopped({ ended, before }: Awaited<ReturnType<typeof beginTyping>>, total: number) {
  const { status, stderr } = await ended;
  expect(status).toBe(3);
  const { error } = JSON.parse(stderr);
  expect(error).toMatchObject({ code: "REFUSED", reason: "stopped", try: expect.stringContaining("deskmap resume") });
  // If the application is slow to confirm that it has read the remapped keys, Deskmap does not wait for it.
  const told = `^\\d+ of ${total} characters arrived(, and perhaps up to \\d+ more)?\\.$|part of it may have been done\\.$`;
  expect(error.done).toMatch(new RegExp(told));
  expect(readHeld(field.scene)).toStartWith(nothingHeld);
  const typed = field.read().length - before;
  expect(typed).toBeGreaterThan(0);
  expect(typed).toBeLessThan(total);
  expect(findHolder(guarded.places)).toBe("free");
}

describe("two Escapes", () => {
  test("stop typing in the middle of a text, release everything, and refuse everything until a person resumes", async () => {
    const typing = await beginTyping();
    press("Escape", "Escape");
    await expectTypingStopped(typing, longText.length);
    for (const args of [["read"], ["list"], ["type", "--text", "x"], ["click", "--x", "9", "--y", "9"]]) {
      const { status, stderr } = field.scene.deskmap(...args);
      expect([args, status, JSON.parse(stderr).error.reason]).toEqual([args, 3, "stopped"]);
    }
    await waitFor("the end of the listener", () => listListeners().length === 0);
    expect(verifyLog(guarded.places).findings).toEqual([]);
  });

  matrix.test(
    "on the physical keyboard stop typing too, even with Deskmap's keys between them, and one alone does not",
    async () => {
      const typing = await beginTyping();
      pressOnDevice(escapeKey);
      // Deskmap's own keys, including its own Escapes, do not count as a person's second Escape.
      await waitFor("more text", () => field.read().length > typing.before + 120);
      expect(isStopped()).toBe(false);
      pressOnDevice(escapeKey, escapeKey);
      await expectTypingStopped(typing, longText.length);
    },
  );

  matrix.test("count while another program has grabbed the keyboard", async () => {
    expect(field.scene.deskmap("type", "--text", "x").status).toBe(0);
    const env = field.scene.sandbox.env;
    const grabber = spawn("/usr/bin/python3", [join(import.meta.dir, "grab-keyboard.py")], { env });
    try {
      const [said] = await once(grabber.stdout, "data");
      expect(String(said).trim()).toBe("grabbed");
      pressOnDevice(escapeKey, escapeKey);
      await waitFor("the stop", isStopped);
    } finally {
      grabber.kill("SIGKILL");
    }
    await waitFor("the end of the listener", () => listListeners().length === 0);
  });

  test("stop typing with remapped keys, and the keyboard is restored", async () => {
    const before = field.scene.run("xmodmap", "-pke").stdout;
    const text = "широкая электрификация ".repeat(60);
    const typing = await beginTyping(text);
    press("Escape", "Escape");
    await expectTypingStopped(typing, text.length);
    expect(field.scene.run("xmodmap", "-pke").stdout).toBe(before);
  });

  matrix.test("stop a drag whose application has stopped answering, and the button is released", async () => {
    const drag = guarded.begin(
      ["drag", "--from-x", "600", "--from-y", "380", "--to-x", "680", "--to-y", "420"],
      "dragger",
    );
    await waitFor("a held button", () => readHeld(field.scene).includes("buttons [1]"));
    const pid = findPid();
    process.kill(pid, "SIGSTOP");
    try {
      press("Escape", "Escape");
      const { status, stderr } = await drag.ended;
      expect(status).toBe(3);
      expect(JSON.parse(stderr).error).toMatchObject({ code: "REFUSED", reason: "stopped" });
      await waitFor("nothing held", () => readHeld(field.scene).startsWith(nothingHeld));
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await waitFor("the stop in the log", () =>
      readEvents(guarded.places, { what: "stop" }).events.some(({ words }) => words === "in dragger: drag"),
    );
  });

  test("count between two actions too, by what a key means and not by its position", async () => {
    expect(field.scene.deskmap("type", "--text", "x").status).toBe(0);
    const capsLock = "66";
    const script = join(import.meta.dir, "press-new-escape.py");
    const { stdout: before } = field.scene.run("/usr/bin/python3", script, capsLock);
    try {
      await waitFor("the stop", isStopped);
    } finally {
      field.scene.run("xmodmap", "-e", before.trim());
    }
    await waitFor("the end of the listener", () => listListeners().length === 0);
  });

  test("do not count when they are Deskmap's own, slow, separated by other keys, or combined with a modifier", async () => {
    const before = countStops();
    expect(field.scene.deskmap("type", "--text", "z").status).toBe(0);
    expect(listListeners()).toHaveLength(1);
    const hands = await openInput(field.scene);
    // Faster than any person: without a check in between.
    for (let time = 0; time < 6; time += 1) {
      await hands.input({ kind: "keys", combo: { modifiers: [], key: "Escape" } });
    }
    hands.close();
    for (let time = 0; time < 2; time += 1) field.scene.deskmap("type", "--key", "Escape");
    press("Escape", "a", "Escape");
    press("ctrl+Escape", "ctrl+Escape");
    field.scene.run("xdotool", "key", "--delay", "450", "Escape", "Escape");
    expect(field.scene.deskmap("read").status).toBe(0);
    expect([isStopped(), countStops(), listListeners().length]).toEqual([false, before, 1]);
    press("Escape", "Escape");
    await waitFor("the stop", isStopped);
  });
});

describe("the process that listens", () => {
  test("is one per display, whichever client acts, and is listening before the first command", async () => {
    await endListeners();
    await Promise.all(["a", "b", "c"].map((client) => guarded.begin(["type", "--text", client], client).ended));
    expect(listListeners()).toHaveLength(1);
    expect(readFileSync(guarded.places.hotkey, "utf8")).toBe("ready");
  });

  matrix.test("is restarted after it was killed", async () => {
    expect(field.scene.deskmap("type", "--text", "x").status).toBe(0);
    expect(listListeners()).toHaveLength(1);
    await endListeners();
    expect(field.scene.deskmap("type", "--text", "y").status).toBe(0);
    expect(listListeners()).toHaveLength(1);
    press("Escape", "Escape");
    await waitFor("the stop", isStopped);
    await waitFor("its end", () => listListeners().length === 0);
  });

  test("ends ten minutes after the last action, never during one", async () => {
    await endListeners();
    const post = HotkeyPost.take(guarded.places);
    const longAgo = Date.now() / 1000 - 601;
    const turn = tryLock(guarded.places.turn);
    utimesSync(guarded.places.turn, longAgo, longAgo);
    const isLeaving = post?.leaveIfIdle(Date.now());
    turn?.release();
    expect(isLeaving).toBe(false);
    expect(post?.leaveIfIdle(Date.now() - 5000)).toBe(false);
    expect(post?.leaveIfIdle(Date.now())).toBe(true);
    const next = HotkeyPost.take(guarded.places);
    expect(next).toBeDefined();
    next?.leave();
  });

  matrix.test("does not run on a private desktop without a policy, and ends with its display", async () => {
    const scene = await openScene();
    const { display, env } = scene.sandbox;
    await scene.start(["mousepad", "--disable-server"], "Mousepad");
    await scene.settle();
    expect(scene.deskmap("type", "--text", "x").status).toBe(0);
    expect(listListeners(display)).toEqual([]);
    // As on a person's own desktop: the sandbox does not know about this process.
    const { DESKMAP_SANDBOX_ROOT: _root, DESKMAP_SANDBOX: _name, ...own } = env;
    const typed = spawnSync(launcher, ["type", "--text", "x"], { env: own, encoding: "utf8" });
    expect([typed.status, typed.stderr]).toEqual([0, ""]);
    expect(listListeners(display)).toHaveLength(1);
    await scene.close();
    await waitFor("the end of the listener", () => listListeners(display).length === 0);
  });
});

test("deskmap stop ends a batch: completed steps are reported, and the rest is not done", async () => {
  const steps = join(field.scene.sandbox.env.HOME ?? "", "batch");
  await Bun.write(steps, `type --text first\ntype --text ${longText} --delay 2\ntype --text never\n`);
  const before = field.read().length;
  const batch = guarded.begin(["do", steps], "batcher");
  await waitFor("the second step", () => field.read().length > before + 60);
  const stopped = field.scene.deskmap("stop");
  expect(JSON.parse(stopped.stdout)).toMatchObject({
    stopped: [{ interrupted: [{ client: "batcher", tool: "do" }], isReleased: true }],
  });
  const { status, stdout } = await batch.ended;
  expect(status).toBe(3);
  expect(stdout).toContain("characters arrived");
  expect(readHeld(field.scene)).toStartWith(nothingHeld);
  expect(field.read()).not.toContain("never");
});
