import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { findPlaces } from "../../src/guard/places.ts";
import type { LogLine } from "../referee/judge.ts";
import { guardScene } from "./guarded-scene.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// The referee itself (tests/referee): false verdicts are planted in the log, beside true ones of the same presses.

const counter = join(import.meta.dir, "../fixtures/apps/counter.py");
let scene: Scene;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-counter-"));
  scene = await openScene();
  guardScene(scene, { actionsPerMinute: 0, hotkey: false });
  await scene.start(["/usr/bin/python3", counter, join(folder, "state.json"), "Counter", "gtk3"], "Counter");
  await scene.settle();
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

function readLog(): LogLine[] {
  const lines = readFileSync(findPlaces(scene.sandbox.env).audit, "utf8").trim().split("\n");
  return lines.map((line): LogLine => JSON.parse(line));
}

/** Presses a button, and says something else of it. */
async function press(button: string, verdict: string): Promise<void> {
  scene.deskmap("click", button, "--role", "btn", "--no-daemon");
  const [begin, end] = readLog()
    .filter(({ what }) => what !== "look")
    .slice(-2);
  if (begin === undefined || end === undefined) throw new Error(`no press of ${button} in the log`);
  const n = begin.n + 1000;
  // Later than the observer may lag behind, which depends on the load.
  const load = (loadavg()[0] ?? 0) / availableParallelism();
  await waitFor("a moment after it", () => Date.now() > Date.parse(end.at) + 600 * Math.max(1, load));
  const lines = [
    { ...begin, n },
    { ...end, n: n + 1, begin: n, effect: verdict },
  ].map((line) => JSON.stringify(line));
  appendFileSync(findPlaces(scene.sandbox.env).audit, `${lines.join("\n")}\n`);
}

/** An observer that got no time from a busy machine for a moment does not trust its silence, and says nothing of a press. */
const mostPresses = 30;

test("the referee accuses what is said of a dead button and of a press that counted, and nothing else", async () => {
  let deadPresses = 0;
  while (deadPresses < mostPresses && scene.referee.preview().accused.length === 0) {
    await press("Other 7", "confirmed");
    deadPresses += 1;
  }
  await press("Count", "no-change");
  const { table, accused } = await scene.referee.judge();
  expect(JSON.parse(readFileSync(join(folder, "state.json"), "utf8")).presses).toEqual(["count"]);
  const silent = /^false "confirmed": click .*"Other 7".* saw: no event, no window, no pixel was different$/;
  const [last, ...others] = accused.toReversed();
  expect(last).toMatch(/^false "no-change": click .*"Count".* saw: .*1 presses/);
  expect(others).toEqual(others.map(() => expect.stringMatching(silent)));
  expect(others.length).toBeWithin(1, deadPresses + 1);
  const unknown = deadPresses - others.length;
  expect(table.confirmed).toEqual({ changed: 1, drawn: 0, nothing: others.length, unknown });
  expect(table["no-change"]).toMatchObject({ changed: 1, drawn: 0 });
});
