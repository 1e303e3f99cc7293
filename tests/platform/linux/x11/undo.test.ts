import { describe, expect, test } from "bun:test";
import { encodeUndo, nothingToUndo, parseUndo, type Undo } from "../../../../src/platform/linux/x11/undo.ts";
import { XTest } from "../../../../src/platform/linux/x11/xtest.ts";

const xtest = new XTest({ opcode: 132, firstEvent: 0 }, 0x500);

describe("the undo record", () => {
  test("survives a round trip", () => {
    const undo: Undo = { ...nothingToUndo, releaseButtons: [1], locks: { mods: 2, group: 1 }, pressKeys: [50] };
    expect(parseUndo(JSON.stringify(undo))).toEqual(undo);
  });

  test.each(["", "no", "5", '{"rows":5}', '{"pressKeys":"50"}'])("is undefined when it is %j", (text) => {
    const undo = parseUndo(text) ?? nothingToUndo;
    expect(encodeUndo(xtest, undefined, undo)).toEqual([]);
  });

  test("releases buttons and keys before it presses those that others held", () => {
    const undo: Undo = { ...nothingToUndo, releaseButtons: [1], releaseKeys: [38], pressKeys: [50] };
    const events = encodeUndo(xtest, undefined, undo).map((bytes) => [bytes[0], bytes[1], bytes[4], bytes[5]]);
    expect(events).toEqual([
      [132, 2, 5, 1],
      [132, 2, 3, 38],
      [132, 2, 2, 50],
    ]);
  });
});
