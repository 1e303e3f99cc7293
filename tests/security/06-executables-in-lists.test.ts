import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { permissive, setPolicy, tryCommand } from "../desktop/policy.ts";
import { openScene, type Scene, waitFor } from "../desktop/scene.ts";
import { matrix } from "../tier.ts";

// What a file manager would run is asked about, and nobody can be asked here. xev is the program: its window shows that it runs.

let scene: Scene;
let folder: string;
beforeAll(async () => {
  scene = await openScene();
  setPolicy(scene, { ...permissive, sensitive: "ask" });
  folder = join(scene.sandbox.env.HOME ?? "", "Stuff");
  mkdirSync(join(folder, "Letters"), { recursive: true });
  copyFileSync("/usr/bin/xev", join(folder, "watcher"));
  chmodSync(join(folder, "watcher"), 0o755);
  const starter = "[Desktop Entry]\nType=Application\nName=Nice Letter\nExec=xev\n";
  writeFileSync(join(folder, "starter.desktop"), starter, { mode: 0o755 });
  writeFileSync(join(folder, "run.sh"), "#!/bin/sh\nexec xev\n", { mode: 0o755 });
  writeFileSync(join(folder, "notes.txt"), "hello");
});
afterAll(() => scene.close());

const isRunning = () => scene.run("xdotool", "search", "--name", "Event Tester").status === 0;

function expectAsked(...args: readonly string[]): void {
  const { status, reason, message } = tryCommand(scene, ...args);
  expect([args, status, reason, message?.includes("program") || message?.includes("run")]).toEqual([
    args,
    3,
    "unasked",
    true,
  ]);
  expect([args, isRunning()]).toEqual([args, false]);
}

/** On a busy machine, what a key did may come too late to be confirmed. */
function expectFree(...args: readonly string[]): void {
  expect([args, tryCommand(scene, ...args).reason]).toEqual([args, undefined]);
}

test("a program in Thunar's list is not run by double click, Return, space or its path", async () => {
  await scene.start(["thunar", folder], "Stuff");
  await scene.settle();
  const own = ["--app", "thunar"];
  // Its view of icons tells no entries: what would be opened is unknown.
  expectAsked("type", "--key", "return", ...own);
  expectFree("type", "--key", "ctrl+2", ...own);
  await waitFor("its list", () => scene.deskmap("read", ...own).stdout.includes("watcher"));
  for (const name of ["watcher", "run.sh"]) expectAsked("click", name, "--role", "cell", "--double", ...own);
  expectFree("type", "--key", "end", ...own);
  await waitFor("its selection", () =>
    /"watcher".*selected/.test(scene.deskmap("read", "--format", "text", ...own).stdout),
  );
  for (const key of ["return", "space", "ctrl+o"]) expectAsked("type", "--key", key, ...own);
  expectAsked("type", `${folder}/watcher\n`, "--role", "input", ...own);
  // Found by typing: at once, and step by step.
  expectAsked("type", "wat\n", ...own);
  expectFree("type", "wat", ...own);
  expectAsked("type", "--key", "return", ...own);
  scene.run("xdotool", "key", "Escape");
  // What Thunar completes or expands.
  for (const path of [`${folder}/wat`, "$HOME/Stuff/watcher", `file:${folder}/watcher`]) {
    for (const key of ["ctrl+l", "ctrl+a"]) scene.run("xdotool", "key", key);
    expectAsked("type", `${path}\n`, ...own);
  }
  expect(tryCommand(scene, "click", "Letters", "--role", "cell", "--double", ...own).status).toBe(0);
  await waitFor("the folder", () => scene.run("wmctrl", "-l").stdout.includes("Letters - Thunar"));
});

matrix.test("nor in Caja's icons", async () => {
  await scene.start(["caja", "--no-desktop", folder], "Stuff");
  await scene.settle();
  const own = ["--app", "caja"];
  await waitFor("its icons", () => scene.deskmap("read", ...own).stdout.includes("watcher"));
  for (const name of ["watcher", "run.sh", "starter.desktop"]) expectAsked("click", name, "--double", ...own);
  expect(tryCommand(scene, "click", "Letters", "--role", "icon", "--double", ...own).status).toBe(0);
  await waitFor("the folder", () => scene.run("wmctrl", "-l").stdout.includes("Letters"));
});
