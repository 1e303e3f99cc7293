import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { openScene, type Scene, waitFor } from "./scene.ts";

// A long text goes to the window it was meant for, or nowhere: what the other window holds is read through pyatspi.

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

const editors = {
  mousepad: { command: ["mousepad", "--disable-server"], title: "Mousepad" },
  featherpad: { command: ["featherpad", "--standalone"], title: "FeatherPad|Untitled" },
} as const;
type Editor = keyof typeof editors;

async function start(editor: Editor): Promise<number> {
  const { pid } = await scene.start(editors[editor].command, editors[editor].title);
  await scene.settle();
  if (pid === undefined) throw new Error("it has no process");
  return pid;
}

/** All that is written in a process's fields, of which Qt has several. */
function read(pid: number): string {
  return (scene.ask("text", String(pid), "text") as string[]).join("");
}

interface Answer {
  readonly effect?: string;
  readonly evidence?: readonly string[];
  readonly error?: { readonly code: string; readonly done: string };
}

function type(pid: number, ...args: string[]): { readonly child: ChildProcess; readonly answer: Promise<Answer> } {
  const launcher = join(import.meta.dir, "../../deskmap");
  const own = ["type", ...args, "--pid", String(pid), "--format", "json"] as const;
  const child = scene.sandbox.spawn([launcher, ...own], { stdio: ["ignore", "pipe", "pipe"] });
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part) => (told += String(part)));
  const answer = new Promise<Answer>((resolve) => child.once("close", () => resolve(JSON.parse(told))));
  return { child, answer };
}

const long = "All work and no play makes Jack a dull boy.\n".repeat(100).slice(0, 3000);
const slow = ["--text", long.slice(0, 600), "--delay", "10"];

/** Kills the receiver of a text under way; returns what the answer says. */
async function killWhileTyping(pid: number): Promise<Answer> {
  const { answer } = type(pid, ...slow);
  await waitFor("some of it", () => read(pid).includes("All"));
  process.kill(pid, "SIGKILL");
  return answer;
}

const arrivedPartly = {
  effect: "partial",
  evidence: expect.arrayContaining([expect.stringMatching(/keyboard: \d+ of 600 characters arrived/)]),
};

test("no key reaches the window behind one that was killed, and the answer says how many arrived", async () => {
  const featherpad = await start("featherpad");
  expect(await killWhileTyping(await start("mousepad"))).toMatchObject(arrivedPartly);
  expect(read(featherpad)).toBe("");
  const mousepad = await start("mousepad");
  expect(await killWhileTyping(featherpad)).toMatchObject(arrivedPartly);
  expect(read(mousepad)).toBe("");
  process.kill(mousepad, "SIGKILL");
  await waitFor("no windows", () => scene.run("xdotool", "search", "--onlyvisible", "--class", "pad").status !== 0);
});

test("a text for a field does not go to an open menu, which is closed first", async () => {
  const editor = await start("featherpad");
  const countShown = (): number => {
    return scene.run("xdotool", "search", "--onlyvisible", "--pid", String(editor)).stdout.trim().split("\n").length;
  };
  const before = countShown();
  scene.run("xdotool", "key", "alt+f");
  await waitFor("the menu", () => countShown() > before);
  const { effect, evidence } = await type(editor, "--role", "input", "hello").answer;
  expect([effect, evidence?.[0]]).toEqual(["confirmed", 'menuitem "File" was closed']);
  expect([read(editor), countShown()]).toEqual(["hello", before]);
  process.kill(editor, "SIGKILL");
  await waitFor("no windows", () => scene.run("xdotool", "search", "--onlyvisible", "--class", "pad").status !== 0);
});

test("a text stops where another window takes the keyboard, or Ctrl-C ends it, and a later one is whole", async () => {
  const other = await start("featherpad");
  const editor = await start("mousepad");
  const taken = type(editor, ...slow);
  await waitFor("some of it", () => read(editor).length > 0);
  scene.run("xdotool", "search", "--onlyvisible", "--class", "featherpad", "windowactivate", "--sync");
  const told = await taken.answer;
  const held = read(editor).length;
  expect(told.evidence?.at(-1)).toBe(`${held} of 600 characters came in`);
  expect(told).toMatchObject(arrivedPartly);
  expect([held < 600, read(other)]).toEqual([true, ""]);

  const cancelled = type(editor, ...slow);
  await waitFor("some more", () => read(editor).length > held);
  cancelled.child.kill("SIGINT");
  const { error } = await cancelled.answer;
  expect(cancelled.child.signalCode).toBe("SIGINT");
  expect([error?.code, error?.done]).toEqual(["CANCELLED", expect.stringMatching(/^\d+ of 600 characters arrived/)]);
  await scene.settle();
  const more = read(editor).length - held;
  const [least = 0, , unsure = 0] = (error?.done.match(/\d+/g) ?? []).map(Number);
  expect([more >= least, more <= least + unsure, more < 600]).toEqual([true, true, true]);

  expect((await type(editor, "--text", long).answer).effect).toBe("confirmed");
  expect(read(editor).endsWith(long)).toBe(true);
});
