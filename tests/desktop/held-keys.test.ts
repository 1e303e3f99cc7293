import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPILE } from "../../scripts/jobs/build.mjs";
import type { InputCommand } from "../../src/model/command.ts";
import { casesOf, matrix } from "../tier.ts";
import { compareKeyboards, type Field, openField, openInput, readHeld, readKeyboard } from "./input-scene.ts";
import { waitFor } from "./scene.ts";

const root = join(import.meta.dir, "../..");
const doer = fileURLToPath(new URL("./do-input.ts", import.meta.url));
const suspended = fileURLToPath(new URL("./suspend-in-grab.ts", import.meta.url));

/** Cyrillic, which the layout lacks, typed slowly: keys stay remapped for a long time. */
const slowText: InputCommand = { kind: "type", text: "широкая электрификация южных губерний ".repeat(4), delayMs: 50 };
const slowLatin: InputCommand = { kind: "type", text: "quiet words ".repeat(12), delayMs: 50 };
/** The middle of the screen, where windows open. */
const slowDrag: InputCommand = { kind: "drag", from: { x: 600, y: 380 }, to: { x: 680, y: 420 }, button: "left" };

let field: Field;
let folder = "";
let keyboard: string[];
const children: ChildProcess[] = [];

beforeAll(async () => {
  field = await openField("mousepad");
  folder = mkdtempSync(join(tmpdir(), "deskmap-held-"));
  field.scene.run("setxkbmap", "us");
  field.scene.run("xdotool", "key", "Caps_Lock");
  keyboard = readKeyboard(field.scene);
});
beforeEach(() => {
  field.scene.run("xdotool", "search", "--onlyvisible", "--name", "Mousepad", "windowactivate", "--sync");
  // Not in one call with the search: xdotool would check the focus before the press and again before the release, and send each
  // through XTEST or, while GTK moves the focus to a window of its own, as an event that the server does not see. The key would
  // then stay down.
  field.scene.run("xdotool", "key", "ctrl+End");
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const pid of listWatchdogs()) process.kill(Number(pid), "SIGKILL");
  signalApplication("CONT");
  restoreKeyboard();
});
afterAll(async () => {
  await field.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A separate process that executes one command, from source or compiled into the executable. */
function begin(command: InputCommand, doing: readonly string[] = [process.execPath, doer]): ChildProcess {
  const [program = "", ...args] = doing;
  const child = spawn(program, [...args, JSON.stringify(command)], { env: field.scene.sandbox.env, stdio: "ignore" });
  children.push(child);
  return child;
}

const isLent = (): boolean => /U04[0-9A-F]{2}|Cyrillic_/.test(field.scene.run("xmodmap", "-pke").stdout);
const isButtonDown = (): boolean => readHeld(field.scene).includes("buttons [1]");

/** Cleans up, so that one test's leftovers do not fail the next. */
function restoreKeyboard(): void {
  if (compareKeyboards(keyboard, readKeyboard(field.scene)).length === 0) return;
  const { scene } = field;
  scene.run("xprop", "-root", "-remove", "_DESKMAP_KEYBOARD_UNDO");
  scene.run("xdotool", "mouseup", "1");
  const pressed = /keys \[([^\]]*)\]/.exec(readHeld(scene))?.[1]?.split(", ") ?? [];
  for (const keycode of pressed.filter(Boolean)) scene.run("xdotool", "keyup", keycode);
  scene.run("setxkbmap", "us");
  if (!readHeld(scene).includes("locked 2")) scene.run("xdotool", "key", "Caps_Lock");
  keyboard = readKeyboard(scene);
}

function signalApplication(signal: "STOP" | "CONT"): void {
  const command = `kill -${signal} $(xdotool search --onlyvisible --name Mousepad getwindowpid)`;
  expect(field.scene.run("sh", "-c", command).status).toBe(0);
}

/** The watchdogs of this sandbox's display only, and the processes they turn into to release something. */
function listWatchdogs(): string[] {
  return readdirSync("/proc").filter((entry) => {
    try {
      const isOurs = readFileSync(`/proc/${entry}/environ`, "utf8").includes(
        `DISPLAY=${field.scene.sandbox.display}\0`,
      );
      return (
        isOurs && /deskmap-input-watchdog|release-(main|input)/.test(readFileSync(`/proc/${entry}/cmdline`, "utf8"))
      );
    } catch {
      return false;
    }
  });
}

async function expectEverythingLetGo(): Promise<void> {
  await waitFor(
    "the keyboard as it was",
    () => compareKeyboards(keyboard, readKeyboard(field.scene)).length === 0,
  ).catch(() => undefined);
  expect(compareKeyboards(keyboard, readKeyboard(field.scene))).toEqual([]);
  await waitFor("the end of the watchdog", () => listWatchdogs().length === 0);
}

describe("a process that ends in the middle of a command leaves nothing held and nothing changed:", () => {
  for (const signal of casesOf<NodeJS.Signals>(["SIGKILL"], ["SIGTERM", "SIGINT"])) {
    test(`typing, ended by ${signal}`, async () => {
      const child = begin(slowText);
      await waitFor("lent keys", isLent);
      expect(listWatchdogs()).toHaveLength(1);
      child.kill(signal);
      await once(child, "exit");
      await expectEverythingLetGo();
    });

    test(`a drag, ended by ${signal}`, async () => {
      // The application is suspended, so the drag waits for it.
      signalApplication("STOP");
      const child = begin(slowDrag);
      await waitFor("a held button", isButtonDown);
      child.kill(signal);
      await once(child, "exit");
      signalApplication("CONT");
      await expectEverythingLetGo();
    });
  }

  for (const [what, command] of [
    ["with lent keys", slowText],
    ["with the keyboard's own keys", slowLatin],
  ] as const) {
    // As when the server has done the first half of a stroke and then finds the client gone.
    test(`typing ${what}, ended between a press and its release`, async () => {
      const before = field.read();
      const child = begin(command);
      // Not as soon as the watchdog runs: it learns what to undo a moment later, and until then releases nothing.
      await waitFor("the first letters", () => field.read() !== before);
      field.scene.run("xdotool", "keydown", "Right");
      expect(readHeld(field.scene)).toContain("keys [114");
      child.kill("SIGKILL");
      await once(child, "exit");
      await expectEverythingLetGo();
    });
  }

  matrix.test("typing by the compiled executable, ended by SIGKILL", async () => {
    const executable = join(folder, "doer");
    const main = join(folder, "main.ts");
    // The executable's own commands, plus one that executes a command.
    writeFileSync(
      main,
      `process.argv[2]?.startsWith("{") ? import("${doer}") : import("${join(root, "src/cli/main.ts")}");\n`,
    );
    const built = spawnSync(process.execPath, ["build", main, ...COMPILE, "--outfile", executable], { cwd: root });
    expect(built.status).toBe(0);
    const child = begin(slowText, [executable]);
    await waitFor("lent keys", isLent);
    child.kill("SIGKILL");
    await once(child, "exit");
    await expectEverythingLetGo();
  });
});

test("the leftovers of a killed process and a killed watchdog are fixed by the next process that types", async () => {
  const child = begin(slowText);
  await waitFor("lent keys", isLent);
  for (const pid of [child.pid, ...listWatchdogs()]) process.kill(Number(pid), "SIGKILL");
  await once(child, "exit");
  expect(isLent()).toBe(true);
  await once(begin({ kind: "type", text: "x", delayMs: 0 }), "exit");
  expect(compareKeyboards(keyboard, readKeyboard(field.scene))).toEqual([]);
  expect(field.scene.run("xprop", "-root", "_DESKMAP_KEYBOARD_UNDO").stdout).toContain("not found");
});

test("a late watchdog does not undo what the next process has changed", async () => {
  const before = field.read();
  const killed = begin(slowText);
  await waitFor("lent keys", isLent);
  const [late] = listWatchdogs().map(Number);
  if (late === undefined) throw new Error("no watchdog");
  process.kill(late, "SIGSTOP");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  // Letters in another order, so that they are on other keys than the killed process used.
  const next = begin({ kind: "type", text: "\nсъешь ещё булок, да выпей чаю", delayMs: 100 });
  await waitFor("the next one's letters", () => field.read().includes("\nсъ"));
  process.kill(late, "SIGCONT");
  await once(next, "exit");
  await waitFor("all of it", () => field.read().split("\n").at(-1)?.endsWith("чаю") === true).catch(() => undefined);
  expect(field.read().slice(before.length).split("\n").at(-1)).toBe("съешь ещё булок, да выпей чаю");
  await expectEverythingLetGo();
});

test("no watchdog is left after a command that ends by itself", async () => {
  const child = begin({ kind: "type", text: "дом\n", delayMs: 0 });
  await once(child, "exit");
  expect(child.exitCode).toBe(0);
  expect(listWatchdogs()).toEqual([]);
  expect(compareKeyboards(keyboard, readKeyboard(field.scene))).toEqual([]);
});

test("typed text is not exposed: neither the watchdog's input nor its command line has it", async () => {
  const child = begin({ kind: "type", text: "ящщЖ".repeat(30), delayMs: 50 });
  await waitFor("lent keys", isLent);
  const [pid] = listWatchdogs();
  const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
  expect(command).not.toContain("ящщЖ");
  child.kill("SIGKILL");
  await expectEverythingLetGo();
});

test("two processes that type at the same time wait for each other", async () => {
  const before = field.read();
  const children = ["щука ёж", "日本語 文字", "größer"].map((text) =>
    begin({ kind: "type", text: `${text}\n`.repeat(20), delayMs: 0 }),
  );
  await Promise.all(children.map((child) => once(child, "exit")));
  await waitFor("all of it", () => field.read().length >= before.length + 20 * 22);
  expect(field.read()).toStartWith(before);
  const lines = field.read().slice(before.length).trim().split("\n");
  expect(lines).toHaveLength(60);
  expect([...new Set(lines)].toSorted()).toEqual(["größer", "щука ёж", "日本語 文字"].toSorted());
  expect(compareKeyboards(keyboard, readKeyboard(field.scene))).toEqual([]);
});

test("a process that is suspended while it has the display for itself goes on by itself, and so does everybody else", async () => {
  const { env } = field.scene.sandbox;
  const child = spawn(process.execPath, [suspended], { env, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const ended = once(child, "exit");
  expect(String(await once(child.stdout, "data"))).toBe("grabbed\n");
  // A limit of its own: a display that waits would keep it for ever.
  expect(field.scene.run("timeout", "30", "xdotool", "getmouselocation").status).toBe(0);
  expect(await ended).toEqual([0, null]);
});

matrix.test("a hanging application is reported, and the keyboard restored", async () => {
  const pid = field.scene.run("xdotool", "search", "--onlyvisible", "--name", "Mousepad", "getwindowpid").stdout.trim();
  process.kill(Number(pid), "SIGSTOP");
  const hands = await openInput(field.scene);
  try {
    expect(await hands.input({ kind: "type", text: "дом", delayMs: 0 })).toEqual({
      ok: false,
      failure: {
        code: "TIMEOUT",
        message: "the application does not answer and may have misread the last characters",
        suggestion: "check the screen before you try again.",
        done: "0 of 3 characters arrived, and perhaps up to 3 more.",
      },
    });
  } finally {
    process.kill(Number(pid), "SIGCONT");
    hands.close();
  }
  expect(compareKeyboards(keyboard, readKeyboard(field.scene))).toEqual([]);
});
