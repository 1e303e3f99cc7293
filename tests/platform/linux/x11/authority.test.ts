import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { findCookie } from "../../../../src/platform/linux/x11/setup.ts";
import { fc } from "../../../property.ts";

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-auth-"));
  path = join(folder, "authority");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const local = 256;
const wild = 0xffff;
const internet = 0;

function makeEntry(family: number, address: string, display: string, data: string): Buffer {
  const number = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
  const field = (text: string): Buffer => Buffer.concat([number(Buffer.byteLength(text)), Buffer.from(text)]);
  return Buffer.concat([number(family), field(address), field(display), field("MIT-MAGIC-COOKIE-1"), field(data)]);
}

function find(bytes: Uint8Array, display: string): string | undefined {
  writeFileSync(path, bytes);
  return findCookie({ XAUTHORITY: path }, display)?.data.toString("latin1");
}

describe("the cookie of a display", () => {
  test("is that of this machine and this number", () => {
    const file = Buffer.concat([
      makeEntry(local, "elsewhere", "1", "wrong machine"),
      makeEntry(internet, "\x7f\0\0\x01", "1", "wrong family"),
      makeEntry(local, hostname(), "2", "wrong number"),
      makeEntry(local, hostname(), "1", "right"),
      makeEntry(local, hostname(), "1", "too late"),
    ]);
    expect(find(file, "1")).toBe("right");
    expect(find(file, "3")).toBeUndefined();
  });

  test("may be one for every machine or every number", () => {
    expect(find(makeEntry(wild, "", "5", "any machine"), "5")).toBe("any machine");
    expect(find(makeEntry(local, hostname(), "", "any number"), "77")).toBe("any number");
  });

  test("comes from the home directory by default", () => {
    writeFileSync(join(folder, ".Xauthority"), makeEntry(wild, "", "5", "home"));
    expect(findCookie({ HOME: folder }, "5")).toMatchObject({ name: "MIT-MAGIC-COOKIE-1" });
  });

  test("is undefined if there is no file, or a directory in its place", () => {
    expect(findCookie({ XAUTHORITY: join(folder, "missing") }, "1")).toBeUndefined();
    expect(findCookie({ XAUTHORITY: folder }, "1")).toBeUndefined();
  });

  test("is undefined if the file is truncated within it", () => {
    const whole = makeEntry(wild, "", "5", "0123456789abcdef");
    for (let length = 0; length < whole.length; length += 1) {
      expect(find(whole.subarray(0, length), "5")).toBeUndefined();
    }
  });

  test("is searched safely in a file of any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const cookie = find(bytes, "1");
        expect((cookie ?? "").length).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 200 },
    );
  });
});
