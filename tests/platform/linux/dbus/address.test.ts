import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseUnixPaths } from "../../../../src/platform/linux/dbus/address.ts";

describe("the sockets that a bus address names", () => {
  test.each([
    ["unix:path=/run/user/1000/bus", ["/run/user/1000/bus"]],
    ["unix:path=/tmp/bus,guid=0123456789abcdef", ["/tmp/bus"]],
    ["unix:guid=01,path=/tmp/bus", ["/tmp/bus"]],
    ["unix:abstract=/tmp/dbus-x", ["\0/tmp/dbus-x"]],
    ["tcp:host=localhost,port=1;unix:path=/tmp/a;unix:path=/tmp/b", ["/tmp/a", "/tmp/b"]],
    ["unix:path=/tmp/with%20space%2cand%3bmore", ["/tmp/with space,and;more"]],
    ["unix:path=/tmp/caf%c3%a9", ["/tmp/café"]],
    ["", []],
    ["nonsense", []],
    ["unix:", []],
    ["unixexec:path=/bin/sh", []],
    ["disabled:", []],
  ])("in %p", (address, paths) => {
    expect(parseUnixPaths(address)).toEqual(paths);
  });

  test("are found or not, whatever the text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => expect(parseUnixPaths(text)).toBeArray()));
    fc.assert(fc.property(fc.string(), (text) => expect(parseUnixPaths(`unix:path=${text}`)).toBeArray()));
  });
});
