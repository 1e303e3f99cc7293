import { expect, test } from "bun:test";
import { fitsPlace } from "../../../../src/platform/linux/secrets/binding.ts";
import { parseSecrets } from "../../../../src/platform/linux/secrets/file.ts";

const at = (origin: string | undefined, ...programs: readonly string[]) => ({ origin, programs });

test("a name may have the place that it is for", () => {
  expect([
    ...parseSecrets("PIN@bank.example=1\nPIN@localhost:8080 = 2\nMAIL@thunderbird=3\nDOC@app:soffice.bin=4"),
  ]).toEqual([
    ["PIN@bank.example", "1"],
    ["PIN@localhost:8080", "2"],
    ["MAIL@thunderbird", "3"],
    ["DOC@app:soffice.bin", "4"],
  ]);
});

test("a secret without a place fits everywhere", () => {
  expect([fitsPlace(undefined, at(undefined)), fitsPlace(undefined, at("https://any.example"))]).toEqual([true, true]);
});

test("a host is exactly that host, over an encrypted connection or on this machine", () => {
  for (const [bound, origin, isFit] of [
    ["bank.example", "https://bank.example", true],
    ["Bank.Example", "https://bank.example", true],
    ["bank.example", "https://bank.example:8443", true],
    ["bank.example:443", "https://bank.example:8443", false],
    ["bank.example:8443", "https://bank.example:8443", true],
    ["bank.example", "http://bank.example", false],
    ["bank.example", "https://bank.example.evil.example", false],
    ["bank.example", "https://login.bank.example", false],
    ["bank.example", "https://evil.example", false],
    ["bank.example", "file:///home/bank.example", false],
    ["bank.example", undefined, false],
    ["localhost", "http://localhost:3000", true],
    ["localhost:3000", "http://localhost:3001", false],
    ["localhost", "tauri://localhost/index.html", false],
    ["127.0.0.1", "file://127.0.0.1/home/page.html", false],
    ["localhost", "ws://localhost", false],
    ["bank.example", "view-source:https://bank.example/", false],
    ["bank.example", "https://bank.example.", false],
    ["bank.example", "https://bаnk.example", false],
    ["bank.example", "https://bank.example@evil.example", false],
  ] as const) {
    expect([bound, origin, fitsPlace(bound, at(origin, "firefox"))]).toEqual([bound, origin, isFit]);
  }
});

test("an application is one of the names of its program", () => {
  expect(fitsPlace("thunderbird", at(undefined, "thunderbird"))).toBe(true);
  expect(fitsPlace("thunderbird", at("https://thunderbird", "firefox"))).toBe(false);
  expect(fitsPlace("app:soffice.bin", at(undefined, "soffice.bin"))).toBe(true);
  expect(fitsPlace("soffice.bin", at(undefined, "soffice.bin"))).toBe(false);
});
