import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launcher, startAtTerminal, type TerminalSession } from "../guard/terminal-session.ts";
import { type GuardedScene, guardScene } from "./guarded-scene.ts";
import { askForElements, find, pointAt, work } from "./listening.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// A person records at a terminal, and a robot does the person's work. The form itself tells what was done.

const form = join(import.meta.dir, "../fixtures/apps/form-gtk3.py");
const secret = "Hunter2!swordfish";

let scene: Scene;
let guarded: GuardedScene;
let folder: string;
let terminal: TerminalSession | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-person-"));
  scene = await openScene();
  guarded = guardScene(scene, {
    sensitive: "allow",
    actionsPerMinute: 0,
    hotkey: false,
    apps: { mousepad: "blind", vault: "blind" },
  });
});
afterEach(async () => {
  await terminal?.leave();
  guarded.resume();
  scene.deskmap("record", "stop", "--discard");
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Account {
  readonly name: string;
  readonly agree: boolean;
  readonly size: string;
}

async function openForm(name: string) {
  const state = join(folder, `${name}.json`);
  const child = await scene.start(["/usr/bin/python3", form, state, "Form"], "Form");
  await scene.settle();
  return { child, read: (): Account => JSON.parse(readFileSync(state, "utf8")) };
}

async function begin(name: string): Promise<TerminalSession> {
  const begun = startAtTerminal([launcher, "record", "start", name], scene.sandbox.env);
  terminal = begun;
  await begun.see("work as usual");
  return begun;
}

function workIn(pid: number | undefined): void {
  const told = askForElements(scene, pid);
  work(
    scene,
    [...pointAt(find(told, "check box", "Agree")), "click", 1],
    [...pointAt(find(told, "text", 0)), "click", 1],
    ["type", "--delay", "60", "Ada Lovelace"],
    [...pointAt(find(told, "password text", 0)), "click", 1],
    ["type", "--delay", "60", secret],
    [...pointAt(find(told, "radio button", "Large")), "click", 1],
  );
}

test("what a person did is saved at Ctrl-C, without the password, and done again with another name", async () => {
  const first = await openForm("first");
  const recorder = await begin("person");
  workIn(first.child.pid);
  await recorder.see('check radio "Large"');
  recorder.type("\u0003");
  await recorder.see("person.demo.json");
  expect(await recorder.ended).toBe(0);
  expect(first.read()).toMatchObject({ name: "Ada Lovelace", agree: true, size: "Large" });
  first.child.kill();

  const shown = scene.deskmap("demo", "show", "person", "--format", "json").stdout;
  expect([shown, recorder.shown()].filter((text) => /Hunter2|swordfish/.test(text))).toEqual([]);
  const file = /\S+person\.demo\.json/.exec(recorder.shown())?.[0] ?? "";
  const demo = JSON.parse(readFileSync(file, "utf8"));
  expect(demo.recorded.by).toBe("person");
  expect(Object.values(demo.parameters)).toMatchObject([{ default: "Ada Lovelace" }, { type: "secret" }]);
  const [name = "", password = ""] = Object.keys(demo.parameters);
  const at = demo.steps.findIndex(({ tool }: { tool: string }) => tool === "fill-secret");
  // The form keeps no secret of this person: without the password, everything before and after it is done.
  const second = await openForm("second");
  const replay = (...args: string[]) =>
    scene.deskmap("replay", "person", "--allow-doubtful", "--param", `${name}=Grace`, ...args);
  // The second time, the form holds everything already: a box that is on stays on, and a name is not typed after itself.
  for (const _time of [1, 2]) {
    for (const part of [
      ["--to", at],
      ["--from", at + 2],
    ] as const) {
      const { status, stdout, stderr } = replay(part[0], String(part[1]));
      expect(status, stdout + stderr).toBe(0);
    }
    expect(second.read()).toMatchObject({ name: "Grace", agree: true, size: "Large" });
  }
  expect(replay("--from", String(at + 1)).stderr).toContain(password);
  second.child.kill();
});

test("it can be ended elsewhere, or saved after the recorder was killed; only one goes on at a time", async () => {
  const opened = await openForm("third");
  try {
    const recorder = await begin("elsewhere");
    const again = scene.deskmap("record", "start", "another", "--agent");
    expect([again.status, again.stderr]).toEqual([2, expect.stringContaining("is being recorded already")]);
    // What Deskmap does meanwhile is not the person's.
    expect(scene.deskmap("click", "save", "--app", "form-gtk3", "--role", "btn").status).not.toBe(3);
    workIn(opened.child.pid);
    await recorder.see('check radio "Large"');
    const stopped = scene.deskmap("record", "stop", "--format", "json");
    expect([stopped.status, stopped.stderr]).toEqual([0, ""]);
    const { steps } = JSON.parse(stopped.stdout);
    expect(await recorder.ended).toBe(0);

    const killed = await begin("killed");
    workIn(opened.child.pid);
    await killed.see('check radio "Large"');
    process.kill(await killed.pid(), "SIGKILL");
    await killed.ended;
    await waitFor("the end of the recording", () => scene.deskmap("record", "status").stdout.includes("not saved"));
    const rescued = JSON.parse(scene.deskmap("record", "stop", "--format", "json").stdout);
    expect(rescued).toMatchObject({ name: "killed", steps });
    expect(JSON.parse(scene.deskmap("demo", "list", "--format", "json").stdout).demos.length).toBeGreaterThan(1);
  } finally {
    opened.child.kill();
  }
});

/** How much of a picture has the colour of the vault, by GdkPixbuf; of the whole screen without a file. */
function countVault(file = ""): number {
  const script = `import sys, gi
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GdkPixbuf
root = Gdk.get_default_root_window()
size = (0, 0, root.get_width(), root.get_height())
picture = GdkPixbuf.Pixbuf.new_from_file(sys.argv[1]) if sys.argv[1] else Gdk.pixbuf_get_from_window(root, *size)
pixels, channels, row = picture.get_pixels(), picture.get_n_channels(), picture.get_rowstride()
lines = [pixels[y * row : y * row + picture.get_width() * channels] for y in range(picture.get_height())]
print(sum(line[x : x + 3] == b"\\xff\\x00\\xff" for line in lines for x in range(0, len(line), channels)))`;
  return Number(scene.run("/usr/bin/python3", "-c", script, file).stdout);
}

test("an application that may not be seen is in no picture, also where it covers what is pressed", async () => {
  const opened = await openForm("fifth");
  const agree = find(askForElements(scene, opened.child.pid), "check box", "Agree");
  const [, x, y] = pointAt(agree);
  const vault = join(import.meta.dir, "../fixtures/apps/vault-gtk3.py");
  const place = [String(x), String(Number(y) + 30)];
  const over = await scene.start(["/usr/bin/python3", vault, ...place], "Vault");
  try {
    await waitFor("the vault over the form", () => countVault() > 1000);
    const recorder = await begin("veiled");
    work(scene, ["search", "--onlyvisible", "--name", "^Vault$", "mousemove", "--window", "%1", 150, 100, "click", 1]);
    work(scene, [...pointAt(agree), "click", 1]);
    await recorder.see('check checkbox "Agree"');
    expect(countVault()).toBeGreaterThan(1000);
    recorder.type("\u0003");
    await recorder.see("veiled.demo.json");
    await recorder.ended;
    const file = /\S+veiled\.demo\.json/.exec(recorder.shown())?.[0] ?? "";
    const folder = file.replace(/\.demo\.json$/, ".pictures");
    const pictures = readdirSync(folder).filter((name) => name.endsWith(".png"));
    expect(pictures).toHaveLength(1);
    expect(pictures.map((name) => countVault(join(folder, name)))).toEqual([0]);
  } finally {
    over.kill();
    opened.child.kill();
  }
});

test("what is done in an application that may not be seen is a gap that says so", async () => {
  const opened = await openForm("fourth");
  const pad = await scene.start(["mousepad"], "Mousepad");
  try {
    const recorder = await begin("gap");
    scene.run("xdotool", "search", "--onlyvisible", "--name", "Mousepad", "windowactivate", "--sync");
    work(scene, ["type", "--delay", "60", "private"]);
    pad.kill();
    work(scene, [...pointAt(find(askForElements(scene, opened.child.pid), "check box", "Agree")), "click", 1]);
    await recorder.see('check checkbox "Agree"');
    recorder.type("\u0003");
    await recorder.see("gap.demo.json");
    expect(recorder.shown()).toMatch(/step \d+: before it: /);
    expect(recorder.shown()).not.toContain("private");
  } finally {
    opened.child.kill();
    pad.kill();
  }
});
