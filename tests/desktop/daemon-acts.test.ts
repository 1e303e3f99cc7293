import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launcher, startAtTerminal, type TerminalSession } from "../guard/terminal-session.ts";
import { guardScene } from "./guarded-scene.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { readShown } from "./shown.ts";

// The daemon carries out acting commands; a person is asked at the terminal where the command was typed.

const apps = join(import.meta.dir, "../fixtures/apps");
let scene: Scene;
let folder: string;
let pad: ChildProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-acts-"));
  scene = await openScene();
  guardScene(scene, { sensitive: "ask", actionsPerMinute: 0, hotkey: false });
  await scene.start(["/usr/bin/python3", join(apps, "danger-gtk3.py"), join(folder, "state.json"), "Danger"], "Danger");
  pad = await scene.start(["mousepad", "--disable-server"], "Mousepad");
  await scene.settle();
  expect(scene.deskmap("serve", "--detach").status).toBe(0);
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The application's own count. */
const listPresses = (): string[] => JSON.parse(readFileSync(join(folder, "state.json"), "utf8")).presses;
const readStatus = (): { pid: number; requests: number } => JSON.parse(scene.deskmap("serve", "status").stdout);
const readPad = (): string => String((scene.ask("text", String(pad.pid), "text") as string[])[0]);

const setPad = (text: string) => {
  const mark = readShown(scene, "--app", "mousepad").find(({ r }) => r === "input")?.i ?? 0;
  return scene.deskmap("set-value", text, "--id", String(mark));
};

async function atTerminal(args: readonly string[], work: (person: TerminalSession) => Promise<void>): Promise<number> {
  const person = startAtTerminal([launcher, ...args], scene.sandbox.env);
  try {
    await work(person);
    return await person.ended;
  } finally {
    await person.leave();
  }
}

test("a closed menu of a restarted application is read, though its window has the id of the former one", async () => {
  const findEntry = () => scene.deskmap("find", "new window", "--app", "mousepad");
  expect(findEntry().stdout).toContain("New Window");
  pad.kill();
  await once(pad, "exit");
  pad = await scene.start(["mousepad", "--disable-server"], "Mousepad");
  await scene.settle();
  expect(findEntry().stdout).toContain("New Window");
});

test("the daemon performs a press, a text and a value, and their effects are seen", () => {
  const before = readStatus();
  expect(scene.deskmap("click", "refresh", "--app", "danger").status).toBe(0);
  expect(listPresses()).toEqual(["Refresh"]);
  expect(scene.deskmap("type", "Grüße, мир", "--app", "mousepad").status).toBe(0);
  expect(readPad()).toBe("Grüße, мир");
  expect(setPad("other").status).toBe(0);
  expect(readPad()).toBe("other");
  const after = readStatus();
  expect(after.pid).toBe(before.pid);
  expect(after.requests - before.requests).toBeGreaterThanOrEqual(4);
});

test("what an application has that does not answer in time is unknown, with and without a daemon", () => {
  scene.deskmap("read", "--app", "mousepad");
  pad.kill("SIGSTOP");
  for (const more of [[], ["--no-daemon"]]) {
    const { status, stderr } = scene.deskmap("click", "nowhere", "--app", "mousepad", "--timeout-ms", "500", ...more);
    expect([status, JSON.parse(stderr).error.code]).toEqual([1, "TIMEOUT"]);
  }
  pad.kill("SIGCONT");
  expect(JSON.parse(scene.deskmap("click", "nowhere", "--app", "mousepad").stderr).error.code).toBe("NOT_FOUND");
});

test("the answer is the same as without a daemon", () => {
  const answer = (...more: string[]) => {
    const { effect, way, evidence } = JSON.parse(scene.deskmap("click", "refresh", "--app", "danger", ...more).stdout);
    // The application counts its presses.
    return { effect, way, evidence: evidence.map((words: string) => words.replace(/\d+/g, "N")) };
  };
  expect(answer()).toEqual(answer("--no-daemon"));
});

describe("a sensitive action is asked about", () => {
  test("at the terminal where the command was typed, and done after a yes", async () => {
    const before = listPresses().length;
    const status = await atTerminal(["click", "delete", "--app", "danger"], async (person) => {
      expect(await person.see("then Enter: ")).toContain('btn "Delete"');
      expect(listPresses().length).toBe(before);
      person.type("y\n");
    });
    expect([status, listPresses().slice(before)]).toEqual([0, ["Delete"]]);
  });

  test("and not done after a no", async () => {
    const before = listPresses().length;
    const status = await atTerminal(["click", "delete", "--app", "danger"], async (person) => {
      await person.see("then Enter: ");
      person.type("n\n");
    });
    expect([status, listPresses().length]).toEqual([3, before]);
  });

  test("nowhere if the command's input is not a terminal", () => {
    const before = listPresses().length;
    const { status, stderr } = scene.deskmap("click", "delete", "--app", "danger", "--format", "json");
    expect([status, JSON.parse(stderr).error.reason]).toEqual([3, "unasked"]);
    expect(listPresses().length).toBe(before);
  });

  test("nowhere if the command runs in the background of its terminal", async () => {
    const before = listPresses().length;
    const command = `${launcher} click delete --app danger --format json & wait $!; echo status $?`;
    const person = startAtTerminal(["/bin/bash", "-m", "-c", command], scene.sandbox.env);
    try {
      expect(await person.see("status 3")).toContain('"unasked"');
    } finally {
      await person.leave();
    }
    expect(listPresses().length).toBe(before);
  });

  test("until Ctrl-C, which ends the question and leaves the daemon running", async () => {
    const [before, { pid }] = [listPresses().length, readStatus()];
    await atTerminal(["click", "delete", "--app", "danger"], async (person) => {
      await person.see("then Enter: ");
      person.type("\u0003");
    });
    expect(scene.deskmap("click", "refresh", "--app", "danger").status).toBe(0);
    expect([listPresses().slice(before), readStatus().pid]).toEqual([["Refresh"], pid]);
  });

  test("not at a terminal whose output is halted, which blocks no other command", async () => {
    const { pid } = readStatus();
    const command = `stty -F /dev/tty ixon; read go; exec ${launcher} click delete --app danger --format json`;
    const person = startAtTerminal(["/bin/sh", "-c", command], scene.sandbox.env);
    try {
      // Ctrl-S halts the output, but input is still read.
      person.type("go\n\u0013");
      await waitFor("the refusal", () => scene.deskmap("audit", "--last", "2").stdout.includes("unasked"));
      expect(scene.deskmap("read", "--app", "mousepad").status).toBe(0);
      person.type("\u0011");
      expect(await person.ended).toBe(3);
    } finally {
      await person.leave();
    }
    expect(readStatus().pid).toBe(pid);
  });
});

test("a command that is killed while typing stops typing", async () => {
  expect(setPad("").status).toBe(0);
  // So long that it is under way when another program has read the first letters.
  const args = ["type", "x".repeat(2000), "--delay", "30", "--app", "mousepad"];
  const child = spawn(launcher, args, { env: scene.sandbox.env, stdio: "ignore" });
  await waitFor("the first letters", () => readPad().length > 3);
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  await waitFor("the turn to be free", () => scene.deskmap("type", "--key", "End", "--app", "mousepad").status !== 3);
  const typed = readPad();
  expect(typed.length).toBeLessThan(2000);
  await scene.settle();
  expect(readPad()).toBe(typed);
});

test("a daemon that dies during an action leaves a clear answer, and nothing is done twice", async () => {
  expect(setPad("").status).toBe(0);
  const { pid } = readStatus();
  const args = ["type", "y".repeat(2000), "--delay", "30", "--app", "mousepad", "--format", "json"];
  const child = spawn(launcher, args, { env: scene.sandbox.env, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  await waitFor("the first letters", () => readPad().length > 3);
  process.kill(pid, "SIGKILL");
  await once(child, "close");
  expect(JSON.parse(stderr).error).toMatchObject({ code: "UNAVAILABLE", done: "a part of it may have been done." });
  await scene.settle();
  const typed = readPad();
  expect(typed.length).toBeLessThan(2000);
  expect(typed).toMatch(/^y+$/);
});
