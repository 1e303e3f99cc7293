import { describe, expect, test } from "bun:test";
import { parseUnixPaths } from "../../../../src/platform/linux/dbus/bus.ts";
import { fc } from "../../../property.ts";

describe("the sockets that a bus address names", () => {
  test.each([
    ["unix:path=/run/user/1000/bus", ["/run/user/1000/bus"]],
    ["unix:path=/run/x/bus,guid=0123456789abcdef", ["/run/x/bus"]],
    ["unix:guid=01,path=/run/x/bus", ["/run/x/bus"]],
    ["unix:abstract=/run/x/dbus-x", ["\0/run/x/dbus-x"]],
    ["tcp:host=localhost,port=1;unix:path=/run/x/a;unix:path=/run/x/b", ["/run/x/a", "/run/x/b"]],
    ["unix:path=/run/x/with%20space%2cand%3bmore", ["/run/x/with space,and;more"]],
    ["unix:path=/run/x/caf%c3%a9", ["/run/x/café"]],
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
