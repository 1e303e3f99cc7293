import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { casesOf, matrix } from "../tier.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// The reported effect of an action compared with its real effect: on the disk, in X and in pyatspi.

/** The first is in the quick tier. */
const commands = {
  mousepad: { command: ["mousepad", "--disable-server"], title: "Untitled 1 - Mousepad", label: "Name:" },
  featherpad: { command: ["featherpad", "--standalone"], title: "FeatherPad|Untitled", label: "File name:" },
} as const;
const editors = casesOf<"mousepad" | "featherpad">(["mousepad"], ["featherpad"]);
const pids: Record<string, number | undefined> = {};

let scene: Scene;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-truth-"));
  scene = await openScene();
  for (const editor of editors) {
    const { command, title } = commands[editor];
    pids[editor] = (await start(command, title)).pid;
  }
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(command: readonly [string, ...string[]], title: string): Promise<ChildProcess> {
  const child = await scene.start(command, title);
  await scene.settle();
  return child;
}

interface Answer {
  readonly status: number;
  readonly effect?: string;
  readonly evidence?: readonly string[];
  readonly error?: { readonly code: string; readonly message: string; readonly nearest?: readonly string[] };
}

function call(...args: string[]): Answer {
  const { status, stdout, stderr } = scene.deskmap(...args, "--format", "json");
  return { status, ...JSON.parse(stdout || stderr) };
}

function findMark(...words: string[]): string {
  return String(JSON.parse(scene.deskmap("find", ...words, "--format", "json").stdout).matches[0].i);
}

function findField(app: string): string {
  return findMark("input", "--app", app, "--role", "input");
}

const countWindows = (pid: number | undefined): number =>
  JSON.parse(scene.deskmap("list", "--pid", String(pid), "--format", "json").stdout).windows.length;

describe("a modal dialog", () => {
  test("keeps everything behind it from being pressed, even another dialog, and is named with its buttons", async () => {
    const file = join(folder, "exists.txt");
    writeFileSync(file, "old");
    const pid = pids.mousepad;
    expect(call("type", "--text", "hello", "--app", "mousepad").status).toBe(0);
    expect(call("type", "--key", "ctrl+shift+s", "--app", "mousepad").status).toBe(0);
    expect(call("set-value", file, "--on", "Name:", "--role", "input").status).toBe(0);
    const save = ["click", "save", "--window", "Save As", "--role", "btn"];
    const buried = ["Save", "Cancel"].map((name) => findMark(name, "--window", "Save As", "--role", "btn"));
    expect(call(...save)).toMatchObject({ status: 0, effect: "confirmed" });
    expect(countWindows(pid)).toBe(3);
    for (const mark of buried) expect(call("click", "--id", mark).error?.code).toBe("COVERED");
    const again = call(...save);
    expect(again).toMatchObject({ status: 1, error: { code: "COVERED" } });
    expect(again.error?.message).toContain("already exists");
    expect(again.error?.nearest?.join()).toContain("Replace");
    expect(call("click", "file", "--window", "Untitled", "--role", "menu").error?.code).toBe("COVERED");
    expect([countWindows(pid), readFileSync(file, "utf8")]).toEqual([3, "old"]);
    // Both dialogs have a "Cancel": the one that can be used is meant.
    expect(call("click", "cancel", "--app", "mousepad", "--role", "btn").effect).toBe("confirmed");
    expect([countWindows(pid), readFileSync(file, "utf8")]).toEqual([2, "old"]);
    expect(call(...save).effect).toBe("confirmed");
    expect(call("click", "replace", "--app", "mousepad").effect).toBe("confirmed");
    await waitFor("the file", () => readFileSync(file, "utf8").trim() === "hello");
    expect(countWindows(pid)).toBe(1);
  });

  matrix.test("of Qt does the same", async () => {
    const pid = pids.featherpad;
    expect(call("type", "--text", "hello", "--app", "featherpad").status).toBe(0);
    expect(call("type", "--key", "ctrl+o", "--app", "featherpad").status).toBe(0);
    expect(countWindows(pid)).toBe(2);
    const behind = call("click", "new", "--app", "featherpad", "--role", "btn", "--window", "Untitled");
    expect(behind.error).toMatchObject({ code: "COVERED", nearest: expect.arrayContaining(['btn "Cancel"']) });
    expect(countWindows(pid)).toBe(2);
    expect(call("click", "cancel", "--app", "featherpad", "--role", "btn").effect).toBe("confirmed");
    expect(countWindows(pid)).toBe(1);
  });
});

test.each(editors)("keys that only move the caret or select are confirmed by it in %s", (app) => {
  const own = ["--app", app];
  call("type", "--key", "ctrl+a", ...own);
  expect(call("type", "--text", "one two three", ...own).effect).toBe("confirmed");
  const moved = call("type", "--key", "ctrl+Left", ...own);
  expect([moved.effect, moved.evidence?.join()]).toEqual(["confirmed", "the caret moved from 13 to 8"]);
  const selected = call("type", "--key", "shift+Home", ...own);
  expect([selected.effect, selected.evidence?.join()]).toEqual(["confirmed", "8 characters are selected (0 to 8)"]);
  const text = JSON.parse(scene.deskmap("text", "--id", findField(app), "--caret", "--format", "json").stdout);
  expect(text).toMatchObject({ text: "one two three", caret: { start: 0, end: 8 } });
  const again = call("type", "--key", "shift+Home", ...own);
  expect(again.effect).not.toBe("confirmed");
});

test.each(editors)(
  "text typed into a control comes after what it holds, even if that is selected, or in its place in %s",
  (app) => {
    const on = ["--id", findField(app)];
    const { pid } = JSON.parse(scene.deskmap("list", "--app", app, "--format", "json").stdout).windows[0];
    const read = () => (scene.ask("text", String(pid), "text") as string[]).join("");
    call("type", "--key", "ctrl+a", "--app", app);
    expect(call("type", "keep this text", "--app", app).effect).toBe("confirmed");
    expect(call("type", "--key", "ctrl+a", "--app", app).effect).toBe("confirmed");
    expect([call("type", ", NEW", ...on).effect, read()]).toEqual(["confirmed", "keep this text, NEW"]);
    expect([call("type", "keep NEW", ...on, "--replace").effect, read()]).toEqual(["confirmed", "keep NEW"]);
    const invisible = "a\u200bb \u202edc\u202c";
    expect([call("set-value", invisible, ...on).effect, read()]).toEqual(["confirmed", invisible]);
  },
);

test("Return in a save dialog is reported as its end, not as what it clears before that", async () => {
  expect(scene.deskmap("serve", "--detach").status).toBe(0);
  for (const app of editors) {
    const { label } = commands[app];
    for (const time of [1, 2, 3]) {
      const file = join(folder, `${app}${time}.txt`);
      expect(call("type", "--key", "ctrl+shift+s", "--app", app)).toMatchObject({ effect: "confirmed" });
      expect(call("set-value", file, "--on", label, "--role", "input", "--app", app).effect).toBe("confirmed");
      const { effect, evidence } = call("type", "--key", "Return", "--app", app);
      expect([effect, evidence?.join("; ")]).toEqual(["confirmed", expect.stringMatching(/window "Save[^"]*" closed/)]);
      await waitFor("the file", () => existsSync(file));
    }
  }
  scene.deskmap("serve", "stop");
});

test("an application that dies during an action is not reported as unchanged", async () => {
  const entry = ["--entry", "--title=Doomed", "--text=Name", "--entry-text=keep this"] as const;
  const { pid } = await start(["zenity", ...entry], "Doomed");
  if (pid === undefined) throw new Error("it has no process");
  // A dialog selects what its field holds.
  const { elements } = JSON.parse(scene.deskmap("get_screen_targets", "--format", "json").stdout);
  const { id } = elements.find(({ type }: { type: string }) => type === "input");
  expect(scene.deskmap("type_in_element", "--element-id", id, "--text", ", too").status).toBe(0);
  expect(String(scene.ask("text", String(pid), "text"))).toBe("keep this, too");
  const typing = scene.sandbox.spawn(
    [
      join(import.meta.dir, "../../deskmap"),
      ...["type", "--text", "x".repeat(400), "--delay", "20", "--pid", String(pid), "--format", "json"],
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let told = "";
  typing.stdout?.on("data", (part) => {
    told += String(part);
  });
  typing.stderr?.on("data", (part) => {
    told += String(part);
  });
  const ended = new Promise((resolve) => typing.once("close", resolve));
  await waitFor("some of it", () => String(scene.ask("text", String(pid), "text")).includes("xxx"));
  process.kill(pid, "SIGKILL");
  expect(await ended).not.toBe(0);
  expect(JSON.parse(told)).toMatchObject({ effect: "partial" });
});

test("a box in its third state is said to be checked once it is", async () => {
  const file = join(folder, "mixed.json");
  const program = join(import.meta.dir, "../fixtures/apps/mixed-qt5.py");
  await start(["/usr/bin/python3", program, file], "Mixed");
  expect(JSON.parse(readFileSync(file, "utf8"))).toBe(1);
  expect(call("check", "All", "--window", "Mixed").effect).toBe("confirmed");
  expect(JSON.parse(readFileSync(file, "utf8"))).toBe(2);
});
