import { describe, expect, test } from "bun:test";
import { decodeMessage, encodeCall, measureMessage } from "../../../../src/platform/linux/dbus/message.ts";
import { Reader, type Value } from "../../../../src/platform/linux/dbus/reader.ts";
import { MalformedMessage, parseSignature } from "../../../../src/platform/linux/dbus/signature.ts";
import { Writer } from "../../../../src/platform/linux/dbus/writer.ts";
import { fc } from "../../../property.ts";
import { makeReply, marshal, nestKinds, readKinds, writtenKinds } from "./wire.ts";

const runs = { numRuns: 400 };
const anyRead = nestKinds(readKinds).chain(({ signature, values }) => fc.tuple(fc.constant(signature), values));
const anyWritten = nestKinds(writtenKinds).chain(({ signature, values }) => fc.tuple(fc.constant(signature), values));
/** Few values of each part, so that calls repeat with another path, and paths with another call. */
const anyCall = fc.record({
  destination: fc.constantFrom(":1.7", "org.a.B"),
  path: fc.constantFrom("/", "/a/b", "/a/longer/path/to/it", "/é"),
  interface: fc.constantFrom("org.a.C", "org.a.Cache"),
  member: fc.constantFrom("Do", "GetItems"),
});

describe("values of any type", () => {
  test("are decoded correctly, in either byte order", () => {
    fc.assert(
      fc.property(anyRead, fc.boolean(), ([signature, value], isLittle) => {
        const bytes = marshal(`y${signature}`, [1, value], isLittle);
        const reader = new Reader(bytes, isLittle, 0, bytes.length);
        expect(reader.readAll(`y${signature}`)).toEqual([1, value]);
        expect(reader.position).toBe(bytes.length);
      }),
      runs,
    );
  });

  test("are encoded byte for byte as the specification says", () => {
    fc.assert(
      fc.property(anyWritten, ([signature, value]) => {
        const writer = new Writer();
        writer.writeAll(`y${signature}`, [1, value]);
        expect(Buffer.from(writer.finish())).toEqual(Buffer.from(marshal(`y${signature}`, [1, value], true)));
      }),
      runs,
    );
  });
});

describe("a message", () => {
  test("is decoded from either byte order", () => {
    fc.assert(
      fc.property(anyRead, fc.boolean(), fc.nat(0xffffffff), ([signature, value], isLittle, serial) => {
        const bytes = makeReply(signature, [value], isLittle, serial);
        expect(measureMessage(bytes)).toBe(bytes.length);
        const message = decodeMessage(bytes);
        expect([message.type, message.replySerial, message.signature]).toEqual([2, serial, signature]);
        expect(message.readBody()).toEqual([value]);
      }),
      runs,
    );
  });

  test("keeps a long text whole if it is the only value, and its beginning if it is one of many", () => {
    const long = "ä".repeat(20_000);
    const start = "ä".repeat(8 * 1024);
    const read = (signature: string, value: Value) => decodeMessage(makeReply(signature, [value], true)).readBody();
    expect(read("s", long)).toEqual([long]);
    expect(read("as", [long, "short"])).toEqual([[start, "short"]]);
    expect(read("v", { signature: "s", value: long })).toEqual([{ signature: "s", value: start }]);
  });

  test("encoded as a call decodes to that call", () => {
    fc.assert(
      fc.property(anyCall, anyWritten, fc.integer({ min: 1, max: 0xffffffff }), (call, [signature, value], serial) => {
        const bytes = encodeCall({ ...call, signature, args: [value] }, serial);
        const message = decodeMessage(bytes);
        const [order, type, , version, , sent, fields] = new Reader(bytes, true, 0, bytes.length).readAll(
          "yyyyuua(yv)",
        );
        expect([order, type, version, sent]).toEqual([0x6c, 1, 1, serial]);
        expect(fields).toEqual([
          [1, { signature: "o", value: call.path }],
          [2, { signature: "s", value: call.interface }],
          [3, { signature: "s", value: call.member }],
          [6, { signature: "s", value: call.destination }],
          [8, { signature: "g", value: signature }],
        ]);
        expect(message.readBody()).toEqual([value]);
      }),
      runs,
    );
  });

  test("is measured as soon as its fixed part is there, and not before", () => {
    const bytes = makeReply("as", [["one", "two"]], true);
    for (let length = 0; length < 16; length += 1) expect(measureMessage(bytes.subarray(0, length))).toBeUndefined();
    expect(measureMessage(bytes.subarray(0, 16))).toBe(bytes.length);
  });

  test("may lie anywhere in a larger buffer", () => {
    const bytes = makeReply("s", ["hello"], true);
    const buffer = Buffer.concat([Buffer.alloc(3), bytes, Buffer.alloc(5)]);
    expect(decodeMessage(buffer.subarray(3, 3 + bytes.length)).readBody()).toEqual(["hello"]);
  });
});

describe("a signature", () => {
  test("is parsed if valid, and the fields of a dictionary are a pair", () => {
    expect(parseSignature("a{sv}(iu)").map(({ code }) => code)).toEqual(["a", "("]);
    expect(parseSignature("a{sv}")[0]?.inner[0]?.inner.map(({ code }) => code)).toEqual(["s", "v"]);
  });

  test.each([
    "a",
    "(",
    ")",
    "()",
    "(s",
    "s)",
    "a{s",
    "z",
    "aa",
    "{",
    "(a)",
    `${"(".repeat(100)}s${")".repeat(100)}`,
    "s".repeat(256),
  ])("is refused when it is %p", (signature) => {
    expect(() => parseSignature(signature)).toThrow(MalformedMessage);
  });
});

test("a value that does not match its type is not encoded", () => {
  const write = (signature: string, value: string | number | boolean) => () =>
    new Writer().writeAll(signature, [value]);
  expect(write("s", 5)).toThrow(MalformedMessage);
  expect(write("u", "5")).toThrow(MalformedMessage);
  expect(write("b", 1)).toThrow(MalformedMessage);
  expect(write("as", "x")).toThrow(MalformedMessage);
  expect(() => new Writer().writeAll("ss", ["x"])).toThrow(MalformedMessage);
});
