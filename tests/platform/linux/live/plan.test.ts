import { describe, expect, test } from "bun:test";
import { quirksOf } from "../../../../src/platform/linux/atspi/quirks.ts";
import { dropContent, hasContent, isOnlyCounted } from "../../../../src/platform/linux/live/check-node.ts";
import { DirtyNodes } from "../../../../src/platform/linux/live/dirty-nodes.ts";
import { planReread, sliceCount, widenPlan } from "../../../../src/platform/linux/live/plan.ts";
import { makeNode } from "../../../fixtures/nodes.ts";

const told = makeNode("push button");
const other = makeNode("push button");
const hidden = makeNode("panel", { states: ["visible"] });
const box = makeNode("panel", { children: [told, other, hidden] });
const frame = makeNode("frame", { children: [box] });
const known = {
  frames: [frame],
  quirks: quirksOf("gtk"),
  isReliable: false,
  isReporting: false,
  inView: new Set([told.path, other.path]),
};
const scope = { isSurvey: false, hasMoved: false, slice: undefined };

function planOf(
  work: (dirty: DirtyNodes) => void,
  more: Partial<typeof scope> | { slice: number; isSurvey: true } = {},
) {
  const dirty = new DirtyNodes();
  work(dirty);
  return widenPlan(planReread(known, dirty), known, { ...scope, ...more });
}

describe("the nodes to read besides the reported ones", () => {
  test("are none on ordinary changes", () => {
    const levelOf = planOf((dirty) => dirty.addEvent(told.path, "PropertyChange"));
    expect([told, box, other, hidden].map(levelOf)).toEqual(["self", "check", "keep", "keep"]);
  });

  test("are all of them briefly after an event that requires a survey, and the reported ones as closely as ever", () => {
    const levelOf = planOf((dirty) => dirty.addEvent(told.path, "PropertyChange"), { isSurvey: true });
    expect([told, other, frame].map(levelOf)).toEqual(["self", "glance", "check"]);
    expect(levelOf(hidden)).toBe("keep");
  });

  test("are the positions of all after a move, and nothing hidden", () => {
    const levelOf = planOf(() => undefined, { hasMoved: true });
    expect([frame, other, hidden].map(levelOf)).toEqual(["place", "place", "keep"]);
  });

  test("are in some surveys all of them closely, one part after the other", () => {
    const shown = [frame, box, told, other];
    const rounds = Array.from({ length: sliceCount }, (_, slice) => planOf(() => undefined, { isSurvey: true, slice }));
    for (const node of shown) expect(rounds.filter((levelOf) => levelOf(node) === "self").length).toBe(1);
  });

  test("are the positions of the neighbours of a redrawn node, including their content, unless they report themselves", () => {
    const inner = makeNode("label");
    const beside = makeNode("panel", { children: [inner] });
    const top = makeNode("frame", { children: [beside] });
    const dirty = new DirtyNodes();
    dirty.addDrawn(top.path);
    const view = { ...known, quirks: quirksOf("Qt"), frames: [top], inView: new Set([beside.path, inner.path]) };
    expect([beside, inner].map(planReread(view, dirty))).toEqual(["place", "place"]);
    expect([beside, inner].map(planReread({ ...view, isReporting: true }, dirty))).toEqual(["keep", "keep"]);
    dirty.addEvent(inner.path, "TextChanged");
    expect([top, beside, inner].map(planReread(view, dirty))).toEqual(["check", "check", "check"]);
  });
});

describe("the check that a node is unchanged", () => {
  test("is not enough for its content: that is read again, and what does not change with it is kept", () => {
    const field = makeNode("text", {
      states: ["showing", "editable"],
      details: { text: "old", label: "Name", extents: [1, 2, 3, 4], attributes: new Map([["placeholder-text", "x"]]) },
    });
    expect([field, told].map(hasContent)).toEqual([true, false]);
    expect(dropContent(field)).toEqual({ extents: [1, 2, 3, 4], label: "Name", labelPaths: [] });
  });

  test("is the number of its children only if there are too many to compare", () => {
    expect(isOnlyCounted(box)).toBe(false);
    expect(isOnlyCounted({ ...box, childCount: 5000 })).toBe(true);
  });
});
