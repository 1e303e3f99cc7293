import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { act } from "../../src/desktop/index.ts";
import { PersonApprover } from "../../src/guard/approval/ask.ts";
import { Guard } from "../../src/guard/guard.ts";
import { findPlaces } from "../../src/guard/places.ts";
import { sandboxPolicy } from "../../src/guard/policy/policy.ts";
import { FileTurns } from "../../src/guard/turn.ts";
import { openHands, openPlatform } from "../../src/platform/pick.ts";
import { MemoryRecords } from "../guard/open-guard.ts";
import { launcher, startAtTerminal, type TerminalSession } from "../guard/terminal-session.ts";
import { makeMapFolder } from "../map/desk.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

const apps = join(import.meta.dir, "../fixtures/apps");
const title = "Danger";
let scene: Scene;
let folder: string;
let app: ChildProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-danger-"));
  scene = await openScene();
  const config = join(scene.sandbox.env.XDG_CONFIG_HOME ?? "", "deskmap");
  mkdirSync(config, { recursive: true });
  const policy = {
    sensitive: "ask",
    actionsPerMinute: 0,
    hotkey: false,
    apps: { xterm: "normal", terminal: "normal" },
  };
  writeFileSync(join(config, "policy.json"), JSON.stringify(policy));
  app = await scene.start(["/usr/bin/python3", join(apps, "danger-gtk3.py"), join(folder, "state.json"), title], title);
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The application's own count. */
const countPresses = (): number => readState().presses.length;
const readState = (): { presses: string[]; events: number } =>
  JSON.parse(readFileSync(join(folder, "state.json"), "utf8"));

interface Acted {
  readonly status: number;
  readonly error: { readonly reason?: string; readonly message: string } | undefined;
}

/** An acting command that keeps running while the person decides. */
function begin(...args: readonly string[]): Promise<Acted> {
  const child = spawn(launcher, [...args, "--format", "json"], {
    env: scene.sandbox.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    stderr += part;
  });
  child.stdout.resume();
  return new Promise((resolve) => {
    child.once("close", (code) => {
      const error = stderr.trim() === "" ? undefined : JSON.parse(stderr).error;
      resolve({ status: code ?? -1, error });
    });
  });
}

/** The full `deskmap approve`, at a terminal without a window. */
async function withPerson(work: (person: TerminalSession) => Promise<void>): Promise<void> {
  const person = startAtTerminal([launcher, "approve"], scene.sandbox.env);
  try {
    await person.see("Deskmap asks here");
    await work(person);
  } finally {
    await person.leave();
  }
}

/** The position according to pyatspi. */
function findMiddle(name: string): readonly [string, string] {
  const found = scene.ask("first", String(app.pid), "push button", name);
  const { extents } = found as { extents: readonly [number, number, number, number] };
  const [x, y, width, height] = extents;
  return [String(x + Math.floor(width / 2)), String(y + Math.floor(height / 2))];
}

describe("a button that deletes", () => {
  test("is not pressed in any way if no person can be asked, while the control beside it is", async () => {
    const [x, y] = findMiddle("Delete");
    const before = readState();
    for (const args of [
      ["click", "delete", "--app", "danger"],
      ["click", "--x", x, "--y", y],
      ["action", "click", "--on", "delete", "--app", "danger"],
    ]) {
      const { status, error } = await begin(...args);
      expect([args[0], status, error?.reason]).toEqual([args[0], 3, "unasked"]);
    }
    expect((await begin("focus", "delete", "--app", "danger")).status).toBe(0);
    for (const keys of [
      ["--key", "Return"],
      ["--key", "space"],
      ["--text", " "],
      ["--text", "\n"],
    ]) {
      expect([keys, (await begin("type", ...keys, "--app", "danger")).error?.reason]).toEqual([keys, "unasked"]);
    }
    expect(readState()).toEqual(before);
    expect((await begin("click", "refresh", "--app", "danger")).status).toBe(0);
    expect(readState().presses).toEqual(["Refresh"]);
  });

  test("is pressed once for each yes, and not at all for a no", async () => {
    const [x, y] = findMiddle("Delete");
    const before = countPresses();
    await withPerson(async (person) => {
      const answer = async (typed: string, ...args: readonly string[]): Promise<Acted> => {
        const acted = begin(...args);
        expect(await person.see("then Enter: ")).toContain('btn "Delete"');
        expect(countPresses()).toBe(counted);
        person.type(typed);
        return acted;
      };
      let counted = before;
      expect((await answer("y\n", "click", "delete", "--app", "danger")).status).toBe(0);
      counted += 1;
      await waitFor("the press", () => countPresses() === counted);
      expect((await answer("n\n", "click", "delete", "--app", "danger")).error?.reason).toBe("denied");
      expect((await answer("y\n", "click", "--x", x, "--y", y)).status).toBe(0);
      counted += 1;
      await waitFor("the press", () => countPresses() === counted);
      expect((await answer("n\n", "click", "--x", x, "--y", y)).error?.reason).toBe("denied");
    });
    expect(countPresses()).toBe(before + 2);
  });

  test("is approved at the terminal where the command was typed, if no other surface is open", async () => {
    const before = countPresses();
    for (const [typed, status] of [
      ["n\n", 3],
      ["y\n", 0],
    ] as const) {
      const person = startAtTerminal([launcher, "click", "delete", "--app", "danger"], scene.sandbox.env);
      expect(await person.see("then Enter: ")).toContain('btn "Delete"');
      person.type(typed);
      expect(await person.ended).toBe(status);
    }
    expect(countPresses()).toBe(before + 1);
  });

  test("is not pressed without an answer in time", async () => {
    const before = readState();
    const { env } = scene.sandbox;
    const platform = await openPlatform({ env, timeoutMs: 5000 });
    if (!platform.ok) throw new Error(platform.failure.message);
    const maps = makeMapFolder();
    const marks = maps.open();
    const guard = new Guard(
      {
        platform: platform.value,
        policy: { ...sandboxPolicy, sensitive: "ask" },
        records: new MemoryRecords(),
        approver: new PersonApprover(findPlaces(env), 500, () => undefined),
        client: { name: "test" },
        openHands: () => openHands(platform.value),
      },
      new FileTurns(findPlaces(env)),
    );
    try {
      await withPerson(async (person) => {
        const clicked = await act(
          { platform: platform.value, marks, guard },
          {
            tool: "click",
            aim: { by: "words", words: "delete" },
            order: { kind: "click", button: "left", count: 1 },
            app: "danger",
            isDryRun: false,
            timeoutMs: 5000,
          },
        );
        expect(clicked).toMatchObject({ ok: false, failure: { reason: "unanswered" } });
        await person.see("is over");
        person.type("y\n");
      });
      expect(readState()).toEqual(before);
    } finally {
      guard.close();
      platform.value.close();
      marks.close();
      maps.remove();
    }
  });

  test("is not pressed by a yes that comes after the asking process has gone", async () => {
    const before = readState();
    await withPerson(async (person) => {
      const child = spawn(launcher, ["click", "delete", "--app", "danger"], {
        env: scene.sandbox.env,
        stdio: "ignore",
      });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await person.see("then Enter: ");
      child.kill("SIGKILL");
      await ended;
      await person.see("is over");
      person.type("y\n");
    });
    const { XDG_STATE_HOME: state = "" } = scene.sandbox.env;
    expect(readdirSync(join(state, "deskmap", "surfaces")).filter((name) => name.endsWith(".answer"))).toEqual([]);
    expect((await begin("click", "delete", "--app", "danger")).error?.reason).toBe("unasked");
    expect(readState()).toEqual(before);
  });
});

describe("other sensitive actions", () => {
  test("a drop on a trash, by its name or by its place", async () => {
    const [x, y] = findMiddle("Trash");
    const before = readState();
    for (const to of [
      ["--to", "trash"],
      ["--to-x", x, "--to-y", y],
    ]) {
      const dragged = await begin("drag", "--from", "refresh", ...to, "--app", "danger");
      expect([dragged.status, dragged.error?.reason]).toEqual([3, "unasked"]);
    }
    expect(readState()).toEqual(before);
  });

  test("starting a program that is not an application", async () => {
    const file = join(folder, "touched");
    expect((await begin("open", "touch", file)).error?.reason).toBe("unasked");
    expect(existsSync(file)).toBe(false);
  });
});

describe("a person who answers in a window of the same desktop", () => {
  const question = ["zenity", "--question", "--title=Question", "--text=Delete 3 files?"] as const;

  /** `deskmap approve` in a real terminal window, whose text is recorded, and the person's own input. */
  async function openWindow(): Promise<PersonAtWindow> {
    const transcript = join(folder, `transcript-${crypto.randomUUID()}`);
    const command = ["script", "-q", "-f", "-c", `'${launcher}' approve`, transcript];
    window = await scene.start(["xterm", "-geometry", "80x20+600+300", "-T", "Word", "-e", ...command], "Word");
    const countPrompts = (): number => readFileSync(transcript, "utf8").split("then Enter: ").length - 1;
    await waitFor("the surface", () => existsSync(transcript) && /asks here/.test(readFileSync(transcript, "utf8")));
    let answered = 0;
    return {
      read: async () => {
        await waitFor("the question", () => countPrompts() > answered);
        answered = countPrompts();
      },
      type: (typed) => {
        const [id = ""] = scene.run("xdotool", "search", "--name", "^Word$").stdout.trim().split("\n");
        scene.run("xdotool", "windowactivate", "--sync", id);
        scene.run("xdotool", "key", typed, "Return");
      },
      countPrompts,
    };
  }

  interface PersonAtWindow {
    read(): Promise<void>;
    /** Sent by xdotool, not by Deskmap. */
    type(typed: string): void;
    countPrompts(): number;
  }

  let window: ChildProcess | undefined;
  afterEach(async () => {
    const gone = new Promise((resolve) => window?.once("exit", resolve));
    window?.kill();
    await gone;
  });

  test("is not answered for by Deskmap: during the question, nothing is typed or clicked anywhere", async () => {
    const before = readState();
    const person = await openWindow();
    const pending = begin("click", "delete", "--app", "danger");
    await person.read();
    for (const args of [
      ["type", "--window", "Word", "--text", "y\n"],
      ["click", "--x", "700", "--y", "400"],
      ["click", "refresh", "--app", "danger"],
    ]) {
      const { status, error } = await begin(...args, "--timeout-ms", "400");
      expect([status, error?.reason]).toEqual([3, "turn"]);
      expect(error?.message).toContain("waits for a person's answer");
    }
    expect(person.countPrompts()).toBe(1);
    person.type("n");
    expect((await pending).error?.reason).toBe("denied");
    expect(readState()).toEqual(before);
  });

  test("gets the key where it was meant to go, not where the answer was typed", async () => {
    const person = await openWindow();
    const dialog = await scene.start(question, "Question");
    const ended = new Promise<number | null>((resolve) => dialog.once("exit", resolve));
    const refused = begin("type", "--key", "Return", "--window", "Question");
    await person.read();
    person.type("n");
    expect((await refused).error?.reason).toBe("denied");
    expect(dialog.exitCode).toBeNull();
    const allowed = begin("type", "--key", "Return", "--window", "Question");
    await person.read();
    person.type("y");
    expect((await allowed).error).toBeUndefined();
    // Zenity exits with 0 for yes.
    expect(await ended).toBe(0);
  });
});
