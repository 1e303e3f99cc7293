import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launcher, startAtTerminal, type TerminalSession } from "../guard/terminal-session.ts";
import { type GuardedScene, guardScene } from "./guarded-scene.ts";
import { askForElements, find, pointAt, work } from "./listening.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// A person lets Deskmap keep the last minutes, works (a robot does it), and saves it afterwards. The form tells what was done.

const form = join(import.meta.dir, "../fixtures/apps/form-gtk3.py");
const secret = "Hunter2!swordfish";
const typed = "Ada Lovelace of London";

let scene: Scene;
let guarded: GuardedScene;
let folder: string;
const terminals: TerminalSession[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-ring-"));
  scene = await openScene();
  guarded = guardScene(scene, { sensitive: "allow", actionsPerMinute: 0 });
});
afterEach(async () => {
  for (const one of terminals.splice(0)) await one.leave();
  guarded.resume();
  scene.deskmap("record", "ring", "off");
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

async function atTerminal(...args: string[]): Promise<{ readonly status: number; readonly shown: string }> {
  const session = startAtTerminal([launcher, ...args], scene.sandbox.env);
  terminals.push(session);
  const status = await session.ended;
  return { status, shown: session.shown() };
}

const ask = () => JSON.parse(scene.deskmap("record", "ring", "status", "--format", "json").stdout);
const crop = ["-crop", "600x60+340+0", "+repage", "-depth", "8", "txt:-"];
const isIndicated = (): boolean =>
  scene
    .run("import", "-window", "root", ...crop)
    .stdout.toLowerCase()
    .includes("#b3261e");

async function openForm(name: string) {
  const state = join(folder, `${name}.json`);
  const child = await scene.start(["/usr/bin/python3", form, state, "Form"], "Form");
  await scene.settle();
  return { child, read: () => JSON.parse(readFileSync(state, "utf8")) };
}

function workIn(pid: number | undefined): void {
  const told = askForElements(scene, pid);
  work(
    scene,
    [...pointAt(find(told, "check box", "Agree")), "click", 1],
    [...pointAt(find(told, "text", 0)), "click", 1],
    ["type", "--delay", "60", typed],
    [...pointAt(find(told, "password text", 0)), "click", 1],
    ["type", "--delay", "60", secret],
    [...pointAt(find(told, "radio button", "Large")), "click", 1],
  );
}

/** Every file of the home folder that holds one of the texts. */
function listHolding(texts: RegExp, from = scene.sandbox.env.HOME ?? ""): readonly string[] {
  return readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => statSync(path).size < 64 << 20 && texts.test(readFileSync(path, "latin1")));
}

test("only a person switches it on; what was done is in memory alone until it is saved, and only a person saves it", async () => {
  const alone = scene.deskmap("record", "ring", "on");
  expect([alone.status, alone.stderr]).toEqual([3, expect.stringContaining("only a person at a terminal")]);
  expect(ask()).toMatchObject({ isOn: false });

  const first = await openForm("first");
  const begun = await atTerminal("record", "ring", "on", "--minutes", "5");
  expect(begun).toEqual({ status: 0, shown: expect.stringContaining("holds nothing yet") });
  expect(isIndicated()).toBe(true);
  workIn(first.child.pid);
  await waitFor("the steps", () => ask().steps >= 4);
  expect(first.read()).toMatchObject({ name: typed, agree: true, size: "Large" });
  first.child.kill();
  expect(listHolding(/Ada Lovelace of|swordfish/)).toEqual([]);

  // A client alone gets what agents did, and is told that something is left out.
  const client = scene.deskmap("demo", "save", "stolen", "--last", "5m");
  expect(client.stderr).toContain("left out");
  expect(client.status).not.toBe(0);
  const saved = await atTerminal("demo", "save", "ring", "--last", "5m");
  expect(saved).toEqual({ status: 0, shown: expect.stringContaining("ring.demo.json") });
  const demo = JSON.parse(scene.deskmap("demo", "show", "ring", "--format", "json").stdout);
  expect(demo.recorded.by).toBe("person");
  expect(JSON.stringify(demo)).not.toMatch(/Hunter2|swordfish/);
  expect(listHolding(/swordfish/)).toEqual([]);

  const second = await openForm("second");
  const at = demo.steps.findIndex(({ tool }: { tool: string }) => tool === "fill-secret");
  const replayed = scene.deskmap("replay", "ring", "--allow-doubtful", "--param", "name=Grace", "--to", String(at));
  expect(replayed.status, replayed.stdout + replayed.stderr).toBe(0);
  expect(second.read()).toMatchObject({ name: "Grace", agree: true });
  second.child.kill();
});

test("two Escapes and the end of the daemon end it, and everything is forgotten", async () => {
  const opened = await openForm("third");
  try {
    expect((await atTerminal("record", "ring", "on")).status).toBe(0);
    const busy = await atTerminal("record", "start", "other");
    expect(busy).toEqual({ status: 1, shown: expect.stringContaining("record ring off") });
    workIn(opened.child.pid);
    await waitFor("steps", () => ask().steps > 0);
    scene.run("xdotool", "key", "--delay", "80", "Escape", "Escape");
    await waitFor("the end", () => !ask().isOn);
    expect(ask()).toMatchObject({ steps: 0, ended: expect.stringMatching(/stop/i) });
    await waitFor("nothing drawn", () => !isIndicated());
    guarded.resume();

    expect((await atTerminal("record", "ring", "on")).status).toBe(0);
    scene.deskmap("serve", "stop");
    await waitFor("nothing drawn", () => !isIndicated());
    expect(ask()).toMatchObject({ isOn: false, steps: 0 });
  } finally {
    opened.child.kill();
  }
});
