import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { flatten } from "../../src/model/element.ts";
import { openPlatform } from "../../src/platform/pick.ts";
import { casesOf, timesOf } from "../tier.ts";
import { unwrap } from "./controls-scene.ts";
import { guardScene } from "./guarded-scene.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

// The late effect of one action during the next one. The application counts what was pressed.

const rounds = timesOf(4, 10);
const firsts = ["toggle pick", "click later --role btn"];

interface State {
  readonly presses: readonly string[];
  readonly late: number;
}

interface Said {
  readonly effect: string;
  readonly evidence: readonly string[];
}

const cases = casesOf<[string, "a daemon" | "separate commands"]>(
  [["gtk3", "a daemon"]],
  [
    ["qt5", "a daemon"],
    ["gtk3", "separate commands"],
    ["qt5", "separate commands"],
  ],
);

describe.each(cases)("after an action whose effect comes late, in %s and with %s,", (toolkit, how) => {
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
    if (how === "a daemon") expect(scene.deskmap("serve", "--detach").status).toBe(0);
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

  function batch(first: string, second: string): Said {
    const { stdout } = scene.deskmap("do", "--keep-going", "--format", "json", "--steps", `${first}\n${second}`);
    return JSON.parse(stdout).steps[1].result;
  }

  function runBoth(first: string, second: string): Said {
    scene.deskmap(...first.split(" "));
    return JSON.parse(scene.deskmap(...second.split(" "), "--format", "json").stdout);
  }

  /** What is said of the second of two actions, one at once after the other. */
  async function follow(first: string, second: string): Promise<string> {
    await waitFor("all late effects", () => read().late === countLate());
    const before = read().presses.length;
    const { effect, evidence } = how === "a daemon" ? batch(first, second) : runBoth(first, second);
    await waitFor("both presses", () => read().presses.length === before + 2);
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
    // Where the application got no time at that moment, its effect is late, too, and rightly unverified.
    const others = said.filter((one) => !/^confirmed: .*presses/.test(one));
    expect(others.filter((one) => !one.startsWith("unverified"))).toEqual([]);
    expect(others.length, others.join("\n")).toBeLessThanOrEqual(1);
  });

  // Qt does not report that a label has another text.
  if (toolkit !== "gtk3") return;
  test("a watch without a mirror knows what was reported before the next input", async () => {
    const platform = unwrap(await openPlatform({ env: scene.sandbox.env, timeoutMs: 5000 }));
    try {
      const { windows } = unwrap(await platform.listWindows());
      const own = windows.filter(({ title }) => title === "Late");
      const [tree] = unwrap(await platform.readWindows({ windows: own, includeHidden: false, timeoutMs: 5000 }));
      const count = flatten(tree?.root === undefined ? [] : [tree.root]).find(({ name }) =>
        /\d presses|0 count/.test(name),
      );
      const watch = unwrap(await platform.watch(own, 5000));
      const wasBefore = (): boolean | undefined => watch.findCrossing("input")?.wasBefore(count?.handle ?? "");
      expect(wasBefore()).toBe(false);
      scene.deskmap("click", "live", "--role", "btn", "--no-verify");
      await waitFor("the report", () => wasBefore() === true);
      watch.close();
    } finally {
      platform.close();
    }
  });
});
