import { expect, test } from "bun:test";
import { parseClientFrame } from "../../src/client/client-frame.ts";
import { encodeFrame, LineCutter } from "../../src/client/protocol.ts";
import { fc } from "../property.ts";

function cut(pieces: readonly Uint8Array[], maxBytes = 1 << 20): { lines: string[]; isFine: boolean } {
  const lines: string[] = [];
  const cutter = new LineCutter(maxBytes, (line) => lines.push(line));
  const isFine = pieces.every((piece) => cutter.take(piece));
  return { lines, isFine };
}

test("lines come out whole however their bytes arrive, even if a character is split", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), fc.array(fc.nat(40)), (texts, sizes) => {
      const wanted = texts.map((text) => text.replaceAll("\n", " ").toWellFormed());
      const bytes = Buffer.from(wanted.map((line) => `${line}\n`).join(""));
      const pieces: Uint8Array[] = [];
      let at = 0;
      for (const size of [...sizes, bytes.length]) {
        pieces.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(cut(pieces)).toEqual({ lines: wanted, isFine: true });
    }),
  );
});

test("a line that is too long is detected before it ends, and none of it is kept", () => {
  expect(cut([Buffer.alloc(1000, "x"), Buffer.alloc(1000, "x")], 1500).isFine).toBe(false);
  expect(cut([Buffer.from(`${"x".repeat(1501)}\n`)], 1500).isFine).toBe(false);
  expect(cut([Buffer.from(`${"x".repeat(1500)}\n`)], 1500)).toEqual({ lines: ["x".repeat(1500)], isFine: true });
});

test("of any bytes, only valid frames are accepted", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      expect(parseClientFrame(line)).toBeUndefined();
    }),
  );
});

test("a frame is accepted only with all its fields, each of its type", () => {
  const call = { t: "call", id: 1, request: { tool: "read", input: {}, formats: ["json"] } } as const;
  expect(parseClientFrame(new TextDecoder().decode(encodeFrame(call)).trim())).toEqual(call);
  const wrong: readonly unknown[] = [
    { ...call, id: -1 },
    { ...call, id: "1" },
    { ...call, id: 1.5 },
    { ...call, request: undefined },
    { ...call, request: { ...call.request, formats: ["xml"] } },
    { ...call, request: { ...call.request, input: [] } },
    { ...call, request: { ...call.request, timeoutMs: 0 } },
    { ...call, request: { ...call.request, timeoutMs: 1e12 } },
    { ...call, request: { ...call.request, turn: 7 } },
    { t: "constructor", id: 1 },
    { t: "begin", id: 1, forMs: "long", isKept: true, waitMs: 1 },
    { t: "hello", protocol: 1, build: "x", client: "x".repeat(300), isReadOnly: false, settings: {} },
    { t: "hello", protocol: 1, build: "x", client: "x", isReadOnly: false, settings: { PATH: 1 } },
  ];
  for (const one of wrong) expect(parseClientFrame(JSON.stringify(one))).toBeUndefined();
});
