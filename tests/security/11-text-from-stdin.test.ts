import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openScene, type Scene, waitFor } from "../desktop/scene.ts";

// Whoever may list processes reads their arguments: a text from standard input is in none of them.

const launcher = join(import.meta.dir, "../../deskmap");
const text = "Qx7-in-no-list-of-processes";
let scene: Scene;
let editor: number;
beforeAll(async () => {
  scene = await openScene();
  editor = (await scene.start(["mousepad", "--disable-server"], "Mousepad")).pid ?? 0;
  await scene.settle();
});
afterAll(() => scene.close());

const read = (): string => (scene.ask("text", String(editor), "text") as string[])[0] ?? "";

function listArguments(): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, "utf8")] : [];
    } catch {
      return [];
    }
  });
}

test("while it is typed, with a daemon and without", async () => {
  for (const way of [["-"], ["--file", "-"], ["--stdin", "--no-daemon"]]) {
    const before = read();
    const args = ["type", ...way, "--pid", String(editor), "--delay", "50"];
    const child = spawn(launcher, args, { env: scene.sandbox.env, stdio: ["pipe", "ignore", "ignore"] });
    const ended = once(child, "exit");
    child.stdin.end(text);
    await waitFor("some of it", () => read().length > before.length);
    expect(listArguments().some((words) => words.includes(text))).toBe(false);
    expect([way, (await ended)[0], read()]).toEqual([way, 0, before + text]);
  }
});
