import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { decodeMessage, measureMessage } from "../../../../src/platform/linux/dbus/message.ts";
import type { Value } from "../../../../src/platform/linux/dbus/reader.ts";
import { MalformedMessage } from "../../../../src/platform/linux/dbus/signature.ts";
import { fc } from "../../../property.ts";
import { makeReply, nestKinds, readKinds } from "./wire.ts";

// Any input from the bus either decodes or is reported malformed: no other error, no endless loop, no excessive memory.

const runs = { numRuns: 1500 };
const validMessage = nestKinds(readKinds)
  .chain(({ signature, values }) => fc.tuple(fc.constant(signature), values, fc.boolean()))
  .map(([signature, value, isLittle]) => makeReply(signature, [value], isLittle));

/** Decodes as the bus does. Returns the number of values, or undefined for malformed input. */
function decode(bytes: Uint8Array): number | undefined {
  try {
    const length = measureMessage(bytes);
    if (length === undefined || length > bytes.length) return undefined;
    return countValues(decodeMessage(bytes.subarray(0, length)).readBody());
  } catch (error) {
    if (error instanceof MalformedMessage) return undefined;
    throw error;
  }
}

function decodeWhole(bytes: Uint8Array): number | undefined {
  try {
    return countValues(decodeMessage(bytes).readBody());
  } catch (error) {
    if (error instanceof MalformedMessage) return undefined;
    throw error;
  }
}

function countValues(values: readonly Value[]): number {
  let count = 0;
  const queue: Value[] = [...values];
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    count += 1;
    if (typeof value !== "object") continue;
    if (Array.isArray(value)) for (const inner of value) queue.push(inner);
    else if ("value" in value) queue.push(value.value);
  }
  return count;
}

describe("malformed messages", () => {
  test("of random bytes decode or are rejected, and never yield more values than they have bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(0x6c, 0x42), (bytes, order) => {
        const started = Uint8Array.from([order, 2, 0, 1, ...bytes]);
        for (const count of [decode(bytes), decode(started), decodeWhole(started)]) {
          expect(count ?? 0).toBeLessThanOrEqual(started.length);
        }
      }),
      runs,
    );
  });

  test("made from valid ones by changing some bytes decode or are refused", () => {
    const changes = fc.array(fc.tuple(fc.nat(400), fc.oneof(fc.nat(255), fc.constantFrom(0, 255, 0x76, 0x61))), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(validMessage, changes, (message, list) => {
        const bytes = Uint8Array.from(message);
        for (const [at, value] of list) bytes[at % bytes.length] = value;
        expect(decodeWhole(bytes) ?? 0).toBeLessThanOrEqual(bytes.length);
        decode(bytes);
      }),
      runs,
    );
  });

  test("made from valid ones by cutting them off are refused or decode to less", () => {
    fc.assert(
      fc.property(validMessage, fc.nat(400), (message, length) => {
        const bytes = message.slice(0, length % message.length);
        expect(decodeWhole(bytes) ?? 0).toBeLessThanOrEqual(bytes.length);
        expect(decode(bytes)).toBeUndefined();
      }),
      runs,
    );
  });
});

describe("a hostile message", () => {
  test.each([true, false])(
    "that claims a huge body or header is rejected before anything is buffered (little-endian: %p)",
    (isLittle) => {
      for (const at of [4, 12]) {
        const bytes = makeReply("s", ["x"], isLittle);
        new DataView(bytes.buffer, bytes.byteOffset).setUint32(at, 0xfffffff0, isLittle);
        expect(() => measureMessage(bytes)).toThrow(MalformedMessage);
      }
    },
  );

  test("that claims long strings and arrays allocates nothing for them", () => {
    const bytes = makeReply("as", [["x"]], true);
    const body = bytes.length - 10;
    const before = process.memoryUsage().rss;
    for (let claim = 1; claim < 0xffffffff; claim = claim * 2 + 1) {
      new DataView(bytes.buffer, bytes.byteOffset).setUint32(body, claim >>> 0, true);
      decodeWhole(bytes);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
  });

  test("of endlessly nested variants is rejected, not followed until the stack overflows", () => {
    const shells = 60_000;
    const body = Buffer.concat([Buffer.from("\x01v\0".repeat(shells)), Buffer.from("\x01y\0\x05")]);
    const head = makeReply("v", [{ signature: "y", value: 1 }], true);
    const bytes = Buffer.concat([head.subarray(0, head.length - 4), body]);
    bytes.writeUInt32LE(body.length, 4);
    expect(decodeMessage(bytes).signature).toBe("v");
    expect(() => decodeMessage(bytes).readBody()).toThrow(MalformedMessage);
  });

  test("of the deepest allowed types, each inside a variant of the next, is decoded or rejected", () => {
    const deep = `${"(".repeat(60)}v${")".repeat(60)}`;
    let value: Value = { signature: "y", value: 1 };
    for (let level = 0; level < 60; level += 1) {
      let inner: Value = value;
      for (let depth = 0; depth < 60; depth += 1) inner = [inner];
      value = { signature: deep, value: inner };
    }
    expect(decodeWhole(makeReply("v", [value], true))).toBeGreaterThan(0);
  });

  test("with thousands of different signatures does not grow their cache", () => {
    const before = measureHeap();
    for (let at = 0; at < 20_000; at += 1) {
      const fields = at.toString(2).padStart(20, "0").replaceAll("0", "y").replaceAll("1", "b");
      const value = Array.from(fields, (code) => (code === "y" ? 1 : true));
      expect(decodeWhole(makeReply("v", [{ signature: `(${fields})`, value }], true))).toBe(22);
    }
    expect(measureHeap() - before).toBeLessThan(10_000_000);
  });
});

function measureHeap(): number {
  Bun.gc(true);
  return heapStats().heapSize;
}
