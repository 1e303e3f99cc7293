import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launcher, startAtTerminal } from "../guard/terminal-session.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { startWatch } from "./watched.ts";

// Acting on and watching windows that only a picture shows. Exit codes and files prove what was done.

let scene: Scene;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-pictures-"));
  scene = await openScene({ width: 900, height: 600 });
  const config = join(scene.sandbox.env.XDG_CONFIG_HOME ?? "", "deskmap");
  mkdirSync(config, { recursive: true });
  const policy = { sensitive: "ask", hotkey: false, apps: { xterm: "normal", terminal: "normal" } };
  writeFileSync(join(config, "policy.json"), JSON.stringify(policy));
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a sensitive button read from a picture needs approval, and is pressed after a yes", async () => {
  const log = join(folder, "answer");
  const ask = `xmessage -title Choice -buttons Delete:7,Later:8 "All of it?"; printf $? > '${log}'`;
  await scene.start(["sh", "-c", ask], "Choice");
  await scene.settle();
  const click = ["click", "delete", "--window", "Choice"];
  const alone = scene.deskmap(...click, "--format", "json");
  expect([alone.status, JSON.parse(alone.stderr).error.reason]).toEqual([3, "unasked"]);
  expect(existsSync(log)).toBe(false);
  const person = startAtTerminal([launcher, "approve"], scene.sandbox.env);
  try {
    await person.see("Deskmap asks here");
    const command = scene.sandbox.spawn([launcher, ...click], { stdio: "ignore" });
    const ended = new Promise((resolve) => command.once("exit", resolve));
    expect(await person.see("then Enter: ")).toContain("Delete");
    person.type("y\n");
    expect(await ended).toBe(0);
  } finally {
    await person.leave();
  }
  await waitFor("the answer", () => existsSync(log) && readFileSync(log, "utf8") !== "");
  expect(readFileSync(log, "utf8")).toBe("7");
});

test("text is typed at recognised words, and a watch reports what the window draws", async () => {
  const log = join(folder, "typed");
  const script = `printf 'Passengers aboard\\n\\n'; read line; printf '%s' "$line" > '${log}'; printf 'Welcome\\n'; exec sleep 600`;
  await scene.start(["xterm", "-fa", "DejaVu Sans Mono", "-fs", "12", "-T", "Gate", "-e", "sh", "-c", script], "Gate");
  await scene.settle();
  const watch = startWatch(scene, "watch", "--window", "Gate");
  try {
    await watch.expectLine("what is drawn", ({ t }) => t?.includes("Passengers") === true);
    const typed = scene.deskmap(
      "type",
      "--text",
      "four\n",
      "--on",
      "Passengers",
      "--window",
      "Gate",
      "--format",
      "json",
    );
    expect([typed.status === 0 || typed.status === 4, typed.stderr]).toEqual([true, ""]);
    await waitFor("the line", () => existsSync(log) && readFileSync(log, "utf8") !== "");
    expect(readFileSync(log, "utf8")).toBe("four");
    await watch.expectLine("what is drawn now", ({ t }) => t?.includes("Welcome") === true);
  } finally {
    watch.child.kill();
    await watch.ended();
  }
});
