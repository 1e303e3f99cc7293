import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RecordedAction } from "../../src/model/demo.ts";
import { guardScene } from "./guarded-scene.ts";
import { askForElements, type Box, boxOf, find, Listening, middleOf, type Told, work } from "./listening.ts";
import { openScene, type Scene } from "./scene.ts";

// xdotool clicks as fast as it can. pyatspi tells which control each click met. A step may be marked as doubtful, but none
// may be wrong without a mark. How many are sure depends on the machine: `npm run bench -- demos` counts them.

const apps = join(import.meta.dir, "../fixtures/apps");

let scene: Scene;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-speed-"));
  scene = await openScene();
  guardScene(scene, { sensitive: "allow", actionsPerMinute: 0, hotkey: false });
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Target {
  readonly point: readonly [number, number];
  readonly box: Box;
  readonly name: string;
}

const targetOf = (told: Told): Target => ({ point: middleOf(told), box: boxOf(told), name: told.name });

for (const toolkit of ["gtk3", "qt5"] as const) {
  test(`at full speed in ${toolkit}, no step is wrong without a mark`, async () => {
    const file = join(apps, `form-${toolkit}.py`);
    const form = await scene.start(
      ["/usr/bin/python3", file, join(folder, toolkit), `Form ${toolkit}`],
      `Form ${toolkit}`,
    );
    await scene.settle();
    try {
      const told = askForElements(scene, form.pid);
      const targets = [
        ...[find(told, "check box", "Agree"), find(told, "text", 0), find(told, "push button", "Save")],
        ...["Small", "Medium", "Large"].map((name) => find(told, "radio button", name)),
        ...[find(told, "push button", "Nothing"), find(told, "label", "Touch pad"), find(told, "label", "Only words")],
      ].map(targetOf);
      // What is under the same place depends on the tab.
      const [second, first] = ["Second", "First"].map((name) => targetOf(find(told, "page tab", name)));
      if (second === undefined || first === undefined) throw new Error("no tabs");
      work(scene, ["mousemove", ...second.point, "click", 1]);
      await scene.settle();
      const inside = targetOf(find(askForElements(scene, form.pid), "push button", "On Second"));
      work(scene, ["mousemove", ...first.point, "click", 1]);
      await scene.settle();
      const round = [...targets, second, inside, first];
      const clicks = [0, 1, 2, 3].flatMap(() => round);
      const listening = await Listening.begin(scene);
      scene.run("xdotool", ...clicks.flatMap(({ point: [x, y] }) => ["mousemove", `${x}`, `${y}`, "click", "1"]));
      await listening.wait(clicks.length);
      await listening.end();
      const pairs = listening.steps.map((step, index) => ({ step, wanted: clicks[index % clicks.length] }));
      const isRight = ({ step, wanted }: (typeof pairs)[number]): boolean =>
        JSON.stringify(step.ref?.bbox) === JSON.stringify(wanted?.box) && isNamed(step, wanted?.name ?? "");
      const wrong = pairs.filter((pair) => !isRight(pair));
      const unmarked = wrong.filter(({ step }) => step.doubt === undefined);
      const sure = pairs.filter(({ step }) => step.doubt === undefined);
      const doubts = Object.entries(Object.groupBy(pairs, ({ step }) => step.doubt ?? "sure"));
      console.log(toolkit, clicks.length, "clicks", pairs.length, "steps", wrong.length, "wrong", sure.length, "sure");
      console.log(doubts.map(([why, some]) => `${some?.length} ${why}`).join("\n"));
      expect(unmarked.map(({ step, wanted }) => [step.ref?.role, step.ref?.name, wanted?.name])).toEqual([]);
      expect(pairs).toHaveLength(clicks.length);
      expect(sure.length).toBeGreaterThan(0);
    } finally {
      form.kill();
    }
  });
}

/** Fields without a name of their own are known by their place alone. */
function isNamed({ ref }: RecordedAction, name: string): boolean {
  return name === "" || ref?.name === name;
}
