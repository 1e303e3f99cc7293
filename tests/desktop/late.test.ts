import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { casesOf, timesOf } from "../tier.ts";
import { guardScene } from "./guarded-scene.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// The late effect of one action during the next one. The application counts what was pressed.

const rounds = timesOf(4, 20);
const firsts = ["toggle pick", "click later --role btn"];

interface State {
  readonly presses: readonly string[];
  readonly late: number;
}

interface Step {
  readonly result?: { readonly effect: string; readonly evidence: readonly string[] };
}

describe.each(casesOf(["gtk3"], ["qt5"]))("after an action whose effect comes late, in %s,", (toolkit) => {
  let scene: Scene;
  let folder: string;
  let state: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "deskmap-late-"));
    state = join(folder, "state.json");
    scene = await openScene();
    guardScene(scene, { actionsPerMinute: 0, hotkey: false });
    const fixture = join(import.meta.dir, "../fixtures/apps/late.py");
    await scene.start(["/usr/bin/python3", fixture, state, toolkit], "Late");
    expect(scene.deskmap("serve", "--detach").status).toBe(0);
    // The first press takes as long as the daemon needs to know that the texts do not change by themselves.
    await waitFor("a confirmed press", () => scene.deskmap("click", "live", "--role", "btn").status === 0);
  });
  afterAll(async () => {
    scene.deskmap("serve", "stop");
    // A late effect that comes between the last read and the end of an action is in no verdict: "no-change" is right then.
    const { accused } = await scene.referee.judge();
    expect(accused.filter((one) => one.includes('false "confirmed"'))).toEqual([]);
    await scene.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const read = (): State => JSON.parse(readFileSync(state, "utf8"));
  const countLate = (): number => read().presses.filter((one) => one === "pick" || one === "later").length;

  /** What is said of the second of two actions, one at once after the other. */
  async function follow(first: string, second: string): Promise<string> {
    await waitFor("all late effects", () => read().late === countLate());
    const before = read().presses.length;
    const { stdout } = scene.deskmap("do", "--keep-going", "--format", "json", "--steps", `${first}\n${second}`);
    const steps: readonly Step[] = JSON.parse(stdout).steps;
    await waitFor("both presses", () => read().presses.length === before + 2);
    const { effect, evidence = [] } = steps[1]?.result ?? {};
    return `${effect}: ${evidence.join("; ")}`;
  }

  test("what does nothing is not confirmed", async () => {
    const said: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const second = round % 4 < 2 ? "click dead --role btn" : "type --key F9";
      said.push(await follow(firsts[round % 2] ?? "", second));
    }
    expect(said.filter((one) => one.startsWith("confirmed"))).toEqual([]);
  });

  test("what has an effect at once is confirmed by it", async () => {
    const said: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      said.push(await follow(firsts[round % 2] ?? "", "click live --role btn"));
    }
    expect(said.filter((one) => !/^confirmed: .*presses/.test(one)).length).toBeLessThanOrEqual(0.05 * rounds);
  });
});
