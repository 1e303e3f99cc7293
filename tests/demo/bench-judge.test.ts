import { describe, expect, test } from "bun:test";
import { findHarm } from "../../bench/lab/demos/demo.ts";
import { chooseDrifts } from "../../bench/lab/demos/drifts.ts";
import { demos } from "../../bench/lab/demos/index.ts";
import { judgeRecording } from "../../bench/lab/demos/judge.ts";
import { changePanel } from "../../bench/lab/demos/panel.ts";
import type { Done } from "../../bench/lab/demos/robot.ts";
import { makeRandom } from "../../bench/lab/random.ts";
import { showShare, wilson } from "../../bench/lab/share.ts";
import type { RecordedAction } from "../../src/model/demo.ts";
import { makeAction, makeField } from "./actions.ts";

// Whoever judges must be judged: the benchmark of demos counts what these functions say.

const save: Done = {
  do: "click",
  role: "push button",
  name: "Save",
  extents: [10, 20, 100, 30],
  point: [60, 35],
  at: 0,
};
const word: Done = { do: "type", text: "Ada", role: "text", name: "Name", extents: [10, 60, 200, 30], at: 0 };

function judge(done: readonly Done[], recorded: readonly RecordedAction[]) {
  const { steps, doubled } = judgeRecording(done, recorded, { toolkit: "GTK 3" });
  return [...steps.map(({ fate }) => fate), ...doubled.map(() => "doubled")];
}

describe("a recording", () => {
  const button = { role: "button", name: "Save", bbox: [10, 20, 110, 50] as const };
  const click = (ref: RecordedAction["ref"], more: Partial<RecordedAction> = {}): RecordedAction =>
    makeAction({ ref, point: { x: 60, y: 35 }, evidence: [{ by: "ref", matches: 1 }], ...more });
  const text = makeField("Name", "Ada", { typed: "Ada", evidence: [{ by: "ref", matches: 1 }] });

  test("is right if each step has the element that was used", () => {
    expect(judge([save, word], [click(button), text])).toEqual(["right", "right"]);
  });

  test("is wrong with another role, name or place, unless it says that it is doubtful", () => {
    for (const other of [{ role: "checkbox" }, { name: "Store" }, { bbox: [10, 80, 110, 110] as const }]) {
      expect(judge([save], [click({ ...button, ...other })])).toEqual(["wrong"]);
      expect(judge([save], [click({ ...button, ...other }, { doubt: "it came late" })])).toEqual(["marked"]);
    }
    expect(judge([save], [click(undefined)])).toEqual(["marked"]);
  });

  test("lacks what nobody wrote down, and has double what nobody did", () => {
    expect(judge([save, word, save], [click(button), text])).toEqual(["right", "right", "missing"]);
    expect(judge([save, word], [click(button), click(button), text])).toEqual(["right", "right", "doubled"]);
  });
});

test("harm is what a demo does not touch", () => {
  const [start, wanted] = [
    { presses: [], name: "", news: false },
    { presses: ["store"], name: "Ada" },
  ];
  expect(findHarm(start, { presses: [], name: "A", news: false }, wanted)).toBeUndefined();
  expect(findHarm(start, { presses: ["store", "store"], name: "Ada", news: false }, wanted)).toBe("pressed store");
  expect(findHarm(start, { presses: ["wipe"], name: "", news: false }, wanted)).toBe("pressed wipe");
  expect(findHarm(start, { presses: [], name: "", news: true }, wanted)).toBe("changed news");
});

test("thirty demos of five to ten orders in seven kinds of application, with the same drifts for the same seed", () => {
  expect(demos.length).toBe(30);
  expect(new Set(demos.map(({ name }) => name)).size).toBe(30);
  expect(new Set(demos.map(({ toolkit }) => toolkit)).size).toBe(7);
  for (const { orders } of demos) expect(orders.length >= 5 && orders.length <= 10).toBe(true);
  for (const demo of demos) {
    expect(chooseDrifts(demo, 3, 7)).toEqual(chooseDrifts(demo, 3, 7));
    if (demo.panel === undefined) continue;
    const { controls } = changePanel(demo.panel, "reordered", makeRandom(5));
    expect(new Set(controls.map(({ id }) => id))).toEqual(new Set(demo.panel.controls.map(({ id }) => id)));
    // What a demo needs stays there.
    const left = JSON.stringify(changePanel(demo.panel, "removed", makeRandom(5)).controls);
    for (const { on } of demo.orders) if (on !== undefined && "name" in on) expect(left).toContain(`"${on.name}"`);
  }
});

test("intervals are Wilson's", () => {
  const [low, high] = wilson(29, 30);
  expect([low.toFixed(3), high.toFixed(3)]).toEqual(["0.833", "0.994"]);
  expect(showShare(30, 30)).toBe("30/30, 100 % (89–100)");
});
