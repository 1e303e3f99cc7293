import { describe, expect, test } from "bun:test";
import { Moves } from "../../../../src/platform/linux/live/drawing.ts";

function configure(id: number, x: number, width: number): Buffer {
  const message = Buffer.alloc(32);
  message.writeUInt32LE(id, 8);
  message.writeInt16LE(x, 16);
  message.writeUInt16LE(width, 20);
  message.writeUInt16LE(100, 22);
  return message;
}

function drawn(id: number, width: number): Buffer {
  const message = Buffer.alloc(32);
  message.writeUInt32LE(id, 4);
  message.writeUInt16LE(width, 20);
  message.writeUInt16LE(100, 22);
  message.writeUInt16LE(200, 28);
  message.writeUInt16LE(100, 30);
  return message;
}

function moved(): Moves {
  const moves = new Moves();
  moves.processConfigure(configure(7, 10, 200), 0);
  moves.processConfigure(configure(7, 30, 200), 1000);
  return moves;
}

describe("the area that a move copies", () => {
  test("is most of a window, right after its new place was reported, and once", () => {
    const moves = moved();
    expect(moves.takeCopy(drawn(9, 200), 1001)).toBe(true);
    expect(moves.takeCopy(drawn(9, 200), 1002)).toBe(false);
  });

  test("is nothing small or late", () => {
    expect(moved().takeCopy(drawn(9, 20), 1001)).toBe(false);
    expect(moved().takeCopy(drawn(9, 200), 1100)).toBe(false);
  });

  test("is nothing if the size changed, or the window was unknown", () => {
    const moves = moved();
    moves.processConfigure(configure(7, 40, 300), 2000);
    expect(moves.takeCopy(drawn(9, 200), 2001)).toBe(false);
    moves.processConfigure(configure(8, 40, 300), 3000);
    expect(moves.takeCopy(drawn(9, 200), 3001)).toBe(false);
  });
});
