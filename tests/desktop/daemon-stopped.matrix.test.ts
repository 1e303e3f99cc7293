import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { findPlaces } from "../../src/guard/places.ts";
import { findHolder } from "../../src/guard/turn.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { startWatch, type Watching, type WatchLine } from "./watched.ts";

// A daemon that is suspended for longer than a lease and a client's timeout, as when a machine sleeps.

const apps = join(import.meta.dir, "../fixtures/apps");
let scene: Scene;
let watching: Watching;
let daemon = 0;

beforeAll(async () => {
  scene = await openScene();
  await scene.start(["mousepad", "--disable-server"], "Mousepad");
  await scene.settle();
  expect(scene.deskmap("serve", "--detach").status).toBe(0);
  daemon = Number(JSON.parse(scene.deskmap("serve", "status", "--format", "json").stdout).pid);
  watching = startWatch(scene, "watch");
  await watching.expectLine("what is there", ({ kind }) => kind === "token");
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
});

const read = (...args: string[]) => scene.deskmap("read", "--app", "mousepad", "--format", "json", ...args);

test("changes it missed are reported when it resumes, an older token gives the truth, and no turn is held forever", async () => {
  const { token } = JSON.parse(read("--token").stdout);
  const begun = scene.deskmap("begin", "--for", "1s", "--format", "json");
  const { turn, until } = JSON.parse(begun.stdout);
  expect([begun.status, turn.length > 0]).toEqual([0, true]);
  const places = findPlaces(scene.sandbox.env);
  expect(findHolder(places)).toMatchObject({ pid: daemon });
  process.kill(daemon, "SIGSTOP");
  const stoppedAtMs = performance.now();
  try {
    scene.run("xdotool", "search", "--onlyvisible", "--name", "Mousepad", "windowactivate", "--sync");
    scene.run("xdotool", "type", "--delay", "3", "while it slept");
    await scene.start(["/usr/bin/python3", join(apps, "storm-gtk3.py"), "Newcomer"], "Newcomer");
    // Meanwhile, reading commands run without the daemon.
    expect(read().stdout).toContain("while it slept");
    await waitFor("the end of the lease", () => performance.now() - stoppedAtMs > 1500);
  } finally {
    process.kill(daemon, "SIGCONT");
  }
  await waitFor("the turn to end", () => findHolder(places) === "free");
  const late = scene.deskmap("type", "late", "--turn", turn);
  expect([late.status, JSON.parse(late.stderr).error]).toMatchObject([3, { reason: "turn" }]);
  expect(until).toBeDefined();
  await watching.expectLine("the window that came", ({ kind, title }) => kind === "window" && title === "Newcomer");
  const said = (line: WatchLine): boolean => line.kind === "changed" && line.v === "while it slept";
  await waitFor("what was typed", () => watching.lines.some(said));
  const since = JSON.parse(read("--since", token).stdout);
  expect(since.changes.some(said)).toBe(true);
  expect(JSON.parse(scene.deskmap("serve", "status", "--format", "json").stdout)).toMatchObject({
    pid: daemon,
    watches: 1,
    turns: [],
  });
});
