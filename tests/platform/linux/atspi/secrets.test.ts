import { describe, expect, test } from "bun:test";
import type { RawNode } from "../../../../src/platform/linux/atspi/nodes.ts";
import type { Extents } from "../../../../src/platform/linux/atspi/peer.ts";
import { hideSecretsInSight } from "../../../../src/platform/linux/atspi/secrets.ts";
import { makeNode } from "../../../fixtures/nodes.ts";

const label = (name: string, extents: Extents): RawNode => makeNode("label", { name, details: { extents } });
const field = (text: string, extents: Extents): RawNode =>
  makeNode("text", { states: ["editable", "visible"], details: { extents, text } });

/** The texts that are withheld, of the fields of one container. */
function listHidden(role: Parameters<typeof makeNode>[0], children: readonly RawNode[]): (string | undefined)[] {
  hideSecretsInSight(makeNode(role, { children: [...children] }), () => true);
  return children.filter(({ details }) => details.isSecretInSight).map(({ details }) => details.secretText);
}

describe("a field without a name is secret by", () => {
  const row = (y: number, name: string, text: string): RawNode[] => [
    label(name, [0, y, 40, 20]),
    field(text, [50, y, 90, 24]),
  ];

  test("the label beside it, though a grid lists the last one first", () => {
    const rows = [...row(0, "Name", "Ada"), ...row(30, "PIN", "4711"), ...row(60, "Town", "Oslo")];
    expect(listHidden("filler", rows.toReversed())).toEqual(["4711"]);
    expect(listHidden("filler", rows)).toEqual(["4711"]);
  });

  test("the label above it", () => {
    const column = [
      label("Name", [0, 0, 40, 20]),
      field("Ada", [0, 24, 90, 20]),
      label("Password", [0, 60, 40, 20]),
      field("tulip", [0, 84, 90, 20]),
    ];
    expect(listHidden("filler", column.toReversed())).toEqual(["tulip"]);
  });

  test("the label at what holds it", () => {
    const box = (text: string, y: number): RawNode =>
      makeNode("scroll pane", { children: [field(text, [50, y, 90, 40])], details: { extents: [50, y, 90, 40] } });
    const [name, pin] = [box("Ada", 0), box("4711", 60)];
    hideSecretsInSight(
      makeNode("filler", {
        children: [pin, label("PIN", [0, 60, 40, 20]), name, label("Name", [0, 0, 40, 20])],
      }),
      () => true,
    );
    expect([name, pin].map((one) => one.children[0]?.details.isSecretInSight === true)).toEqual([false, true]);
  });

  test("the words before it, if no label is near", () => {
    const apart = [label("PIN", [0, 0, 40, 20]), field("4711", [50, 300, 90, 20])];
    expect(listHidden("filler", apart)).toEqual(["4711"]);
    const placeless = [makeNode("label", { name: "PIN" }), makeNode("text", { states: ["editable", "visible"] })];
    hideSecretsInSight(makeNode("filler", { children: placeless }), () => true);
    expect(placeless[1]?.details.isSecretInSight).toBe(true);
  });

  test("the words before it in a page, wherever they stand", () => {
    const mirrored = [
      label("PIN", [300, 0, 40, 20]),
      field("4711", [200, 0, 90, 20]),
      label("Name", [150, 0, 40, 20]),
      field("Ada", [50, 0, 90, 20]),
    ];
    expect(listHidden("document web", mirrored)).toEqual(["4711"]);
  });
});
