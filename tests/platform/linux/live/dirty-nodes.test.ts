import { describe, expect, test } from "bun:test";
import type { Element } from "../../../../src/model/element.ts";
import { quirksOf } from "../../../../src/platform/linux/atspi/quirks.ts";
import { addDrawnAreas, DirtyNodes } from "../../../../src/platform/linux/live/dirty-nodes.ts";
import { planReread } from "../../../../src/platform/linux/live/plan.ts";
import { makeNode } from "../../../fixtures/nodes.ts";

const leaf = makeNode("push button", { name: "Save" });
const other = makeNode("push button", { name: "Open" });
const box = makeNode("panel", { children: [leaf, other] });
const boxes = [1, 2, 3, 4].reduce((inner) => makeNode("panel", { children: [inner] }), box);
const menu = makeNode("menu", { children: [makeNode("menu item", { states: ["visible"] })] });
const frame = makeNode("frame", { children: [boxes, menu] });
const known = {
  frames: [frame],
  quirks: quirksOf("gtk"),
  isReliable: true,
  isReporting: true,
  inView: new Set<string>(),
};

function planOf(work: (dirty: DirtyNodes) => void, more: Partial<typeof known> = {}): ReturnType<typeof planReread> {
  const dirty = new DirtyNodes();
  work(dirty);
  return planReread({ ...known, ...more }, dirty);
}

describe("the set of nodes to recheck", () => {
  test("is empty without events", () => {
    expect(planOf(() => undefined)(frame)).toBe("keep");
    expect(new DirtyNodes().isEmpty).toBe(true);
  });

  test("is the event's node, its nearest containers, and the path to it", () => {
    const levelOf = planOf((dirty) => dirty.addEvent(leaf.path, "StateChanged"));
    expect([leaf, box, frame, other, menu].map(levelOf)).toEqual(["check", "check", "pass", "keep", "keep"]);
  });

  test("extends as far as the event type requires, and the strongest event counts", () => {
    const levelOf = planOf((dirty) => {
      for (const member of ["BoundsChanged", "ChildrenChanged", "PropertyChange"]) dirty.addEvent(box.path, member);
    });
    expect(levelOf(box)).toBe("children");
    expect(planOf((dirty) => dirty.addEvent(box.path, "VisibleDataChanged"))(box)).toBe("whole");
  });

  test("is everything selectable after a selection event", () => {
    const levelOf = planOf((dirty) => dirty.addEvent(box.path, "SelectionChanged"));
    expect([box, leaf, other].map(levelOf)).toEqual(["check", "glance", "glance"]);
  });

  test("is what was out of view in a redrawn element, and hidden parts only of those that do not report them", () => {
    const draw = (dirty: DirtyNodes): void => dirty.addDrawn(menu.path);
    const [entry = frame] = menu.children;
    expect(planOf(draw)(entry)).toBe("keep");
    expect(planOf(draw, { isReliable: false })(entry)).toBe("check");
    expect(planOf((dirty) => dirty.addDrawn(box.path), { inView: new Set([leaf.path]) })(leaf)).toBe("keep");
    expect(planOf((dirty) => dirty.addDrawn(box.path), { inView: new Set([leaf.path]) })(other)).toBe("check");
  });

  test("is limited: a storm of a hundred thousand events makes it everything, and keeps little", () => {
    const dirty = new DirtyNodes();
    for (let event = 0; event < 100_000; event += 1) dirty.addEvent(`/object/${event}`, "StateChanged");
    expect(dirty.isOverfull).toBe(true);
    expect(dirty.takeUnknown(new Set()).length).toBeLessThanOrEqual(1000);
  });
});

describe("redrawn areas", () => {
  const place = (handle: string, bounds: Element["bounds"], children: Element[] = []): Element => ({
    role: "group",
    platformRole: "panel",
    name: "",
    ownName: "",
    value: "",
    description: "",
    states: new Set(),
    bounds,
    clickPoint: undefined,
    actions: [],
    platformActions: [],
    invocations: {},
    shortcut: "",
    platformId: "",
    source: "a11y",
    life: "",
    handle,
    alikeIndex: 0,
    alikeCount: 1,
    url: "",
    children,
  });

  test("make the nearest container dirty, closely what they touch there, and only as a count far around", () => {
    const near = makeNode("push button");
    const far = makeNode("push button");
    const holder = makeNode("panel", { children: [near, far] });
    const top = makeNode("frame", { children: [holder] });
    const root = place(`id${top.path}`, { x: 0, y: 0, width: 400, height: 400 }, [
      place(`id${holder.path}`, { x: 0, y: 0, width: 200, height: 200 }, [
        place(`id${near.path}`, { x: 10, y: 10, width: 20, height: 20 }),
        place(`id${far.path}`, { x: 100, y: 100, width: 20, height: 20 }),
      ]),
    ]);
    const dirty = new DirtyNodes();
    addDrawnAreas(dirty, root, [{ x: 5, y: 5, width: 30, height: 10 }], "id");
    const levels = [top, holder, near, far].map((node) => dirty.levelAt(node));
    expect(levels).toEqual(["count", "check", "check", undefined]);
  });
});
