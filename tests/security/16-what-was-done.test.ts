import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Gate } from "../../src/guard/gate.ts";
import type { Effect } from "../../src/model/effect.ts";
import { type Failure, fail, hasDoneNothing, makeFailure, type Result } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { setPolicy } from "../desktop/policy.ts";
import { openScene, type Scene, waitFor } from "../desktop/scene.ts";
import { MemoryRecords, openGuard } from "../guard/open-guard.ts";
import { control, keys, typing } from "../guard/sample-commands.ts";

// Whoever is told that nothing was done does it again: a text is typed twice, a row of a table is entered twice.

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

const late = makeFailure("TIMEOUT", "it does not answer any more");

async function act(work: (gate: Gate) => Promise<unknown>): Promise<Failure | undefined> {
  const desktop = new FakeDesktop({ applications: [{ name: "Notes", windows: [{ title: "Notes", children: [] }] }] });
  const guard = openGuard(desktop, { policy: {}, records: new MemoryRecords() });
  const done = await guard.run(
    { tool: "type", isDryRun: false, timeoutMs: 100 },
    async (gate): Promise<Result<Effect>> => {
      await work(gate);
      return fail(late);
    },
  );
  return done.ok ? undefined : done.failure;
}

test("a failure after a command was delivered does not say that nothing was done", async () => {
  for (const command of [typing("a"), keys("Return")]) {
    const failure = await act((gate) => gate.carryOut(command, { tool: "type" }));
    expect([failure?.code, failure && hasDoneNothing(failure)]).toEqual(["TIMEOUT", false]);
  }
});

test("before one was delivered, or after preparations alone, it does", async () => {
  const element = control("input", "Name");
  for (const work of [
    async () => undefined,
    (gate: Gate) => gate.carryOut({ kind: "point", point: { x: 1, y: 1 } }, { tool: "type" }),
    (gate: Gate) => gate.carryOut({ kind: "focus", element }, { tool: "type", element }),
  ]) {
    expect(await act(work)).toEqual(late);
  }
});

test("a program that was asked to quit, and is then not ended, has got the request", async () => {
  setPolicy(scene, { sensitive: "ask", actionsPerMinute: 0, hotkey: false });
  const { pid } = await scene.start(["mousepad"], "Untitled");
  await scene.settle();
  expect(scene.deskmap("type", "unsaved", "--app", "mousepad").status).toBe(0);
  const { status, stdout, stderr } = scene.deskmap("quit", "--pid", String(pid), "--force", "--format", "json");
  expect([status, JSON.parse(stdout || stderr).error]).toMatchObject([
    3,
    { done: expect.stringContaining("was done") },
  ]);
  expect(JSON.parse(stdout || stderr).error.done).not.toBe("nothing was done.");
  await waitFor("its question", () => scene.run("wmctrl", "-l").stdout.includes("Save Changes"));
});
