import { expect, test } from "bun:test";
import { describeCuts } from "../../../../src/platform/linux/atspi/assemble.ts";
import { tooManyNodes } from "../../../../src/platform/linux/atspi/walk.ts";
import { makeNode } from "../../../fixtures/nodes.ts";

test("only what lies beyond the most elements that are read may be on the screen: its note says where", () => {
  const [list, page] = [makeNode("list"), makeNode("panel")];
  const frame = makeNode("frame", { children: [list, page] });
  const whole = { x: 1, y: 2, width: 30, height: 40 };
  const cuts = new Map([
    [list.path, "only those in view were read"],
    [page.path, tooManyNodes],
    ["/elsewhere", tooManyNodes],
  ]);
  expect(describeCuts([frame], cuts, whole)).toEqual([
    { code: "TRUNCATED", text: "only those in view were read" },
    { code: "TRUNCATED", text: tooManyNodes, areas: [whole] },
  ]);
});
