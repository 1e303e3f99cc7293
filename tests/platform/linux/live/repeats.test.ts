import { expect, test } from "bun:test";
import { Repeats } from "../../../../src/platform/linux/live/repeats.ts";

const root = 1;

/** A ConfigureNotify. */
function configure(window: number, own: { x?: number; above?: number; event?: number; isSent?: boolean } = {}): Buffer {
  const { x = 10, above = 0, event = window, isSent = false } = own;
  const message = Buffer.alloc(32);
  message[0] = isSent ? 22 | 0x80 : 22;
  message.writeUInt32LE(event, 4);
  message.writeUInt32LE(window, 8);
  message.writeUInt32LE(above, 12);
  message.writeInt16LE(x, 16);
  message.writeUInt16LE(300, 20);
  return message;
}

test("a place that is told again is a repeat, another one is not, and neither is the one before that", () => {
  const repeats = new Repeats();
  const told = [configure(7), configure(7), configure(7, { x: 20 }), configure(7)];
  expect(told.map((one) => repeats.has(one))).toEqual([false, true, false, false]);
});

test("what a window manager and the server tell of one window in turn are repeats of their own", () => {
  const repeats = new Repeats();
  const pair = [configure(7, { x: 2 }), configure(7, { x: 102, isSent: true })];
  expect([...pair, ...pair].map((one) => repeats.has(one))).toEqual([false, false, true, true]);
});

test("an order is no repeat if another window came between", () => {
  const repeats = new Repeats();
  const raise = (window: number, above: number) => configure(window, { above, event: root });
  expect([raise(7, 8), raise(7, 8), raise(8, 7), raise(7, 8)].map((one) => repeats.has(one))).toEqual([
    ...[false, true, false, false],
  ]);
  const unmap = Buffer.alloc(32);
  unmap[0] = 18;
  expect([raise(7, 8), unmap, raise(7, 8)].map((one) => repeats.has(one))).toEqual([true, false, false]);
});
