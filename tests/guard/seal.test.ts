import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findPlaces, type Places } from "../../src/guard/places.ts";
import { beginPolicy, changeStandings } from "../../src/guard/policy/edit.ts";
import { examplePolicy } from "../../src/guard/policy/example.ts";
import { loadPolicy } from "../../src/guard/policy/file.ts";
import type { Failure } from "../../src/model/failure.ts";
import { fc } from "../property.ts";
import { acceptAsItIs } from "./accept.ts";

let home = "";
let places: Places;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-seal-"));
  places = findPlaces({ HOME: home });
  mkdirSync(dirname(places.policy), { recursive: true, mode: 0o700 });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const strict = `{ "readOnly": true }`;
const loose = `{ "readOnly": false, "sensitive": "allow", "actionsPerMinute": 0 }`;

/** Written as by any editor. */
function write(text: string): void {
  writeFileSync(places.policy, text, { mode: 0o600 });
}

function accept(text: string): void {
  write(text);
  acceptAsItIs(places);
}

async function refuse(): Promise<Failure> {
  const loaded = await loadPolicy(places, false);
  if (loaded.ok) throw new Error(`it holds: ${JSON.stringify(loaded.value.written)}`);
  expect(loaded.failure).toMatchObject({ code: "REFUSED", reason: "policy" });
  expect(loaded.failure.suggestion).toContain("deskmap policy accept");
  expect(loaded.failure.suggestion).toContain("nothing is read or done");
  return loaded.failure;
}

const isReadOnly = async (): Promise<boolean | undefined> => {
  const loaded = await loadPolicy(places, false);
  return loaded.ok ? loaded.value.common.isReadOnly : undefined;
};

describe("a policy holds only as a person has accepted it", () => {
  test("one that was never accepted does not, and the answer says how to accept it", async () => {
    write(strict);
    expect((await refuse()).message).toContain("was never accepted");
    acceptAsItIs(places);
    expect(await isReadOnly()).toBe(true);
  });

  test("no change of a single character gets through, not even in a comment", async () => {
    const text = `{ // mine\n "readOnly": true }\n`;
    accept(text);
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length), fc.constantFrom(" ", "\n", "// x\n"), async (at, added) => {
        write(text.slice(0, at) + added + text.slice(at));
        expect((await loadPolicy(places, false)).ok).toBe(false);
      }),
      { numRuns: 60 },
    );
    write(text);
    expect(await isReadOnly()).toBe(true);
  });

  test("removing it does not restore the defaults", async () => {
    accept(strict);
    rmSync(places.policy);
    expect((await refuse()).message).toContain("is gone");
    acceptAsItIs(places);
    expect(await isReadOnly()).toBe(false);
    expect(existsSync(places.seal)).toBe(false);
  });

  test("a mistake in it is reported by its place first, accepted or not", async () => {
    accept(strict);
    write(`{ "readOnly": 1 }`);
    const loaded = await loadPolicy(places, false);
    expect(loaded).toMatchObject({ ok: false, failure: { message: expect.stringContaining("policy.json:1:15") } });
  });

  test("on a private desktop it holds without acceptance", async () => {
    write(strict);
    const loaded = await loadPolicy(places, true);
    expect(loaded.ok && loaded.value.common.isReadOnly).toBe(true);
    expect(existsSync(places.sealKey)).toBe(false);
  });
});

describe("a seal cannot be forged by writing files", () => {
  const seal = (): { atMs: number; text: string; hash: string } => JSON.parse(readFileSync(places.seal, "utf8"));

  test("with another text in it", async () => {
    accept(strict);
    const { atMs, hash } = seal();
    write(loose);
    writeFileSync(places.seal, JSON.stringify({ atMs, text: loose, hash }));
    expect((await refuse()).message).toContain("was not made by Deskmap");
  });

  test("with a key other than the account's own, or with none", async () => {
    accept(strict);
    write(loose);
    const atMs = Date.now();
    for (const key of ["", "0".repeat(64), readFileSync(places.seal)]) {
      const hash = createHmac("sha256", key).update(`deskmap policy\n${atMs}\n${loose}`).digest("hex");
      writeFileSync(places.seal, JSON.stringify({ atMs, text: loose, hash }));
      expect((await refuse()).message).toContain("was not made by Deskmap");
    }
  });

  test("by replacing the key with a readable one", async () => {
    accept(strict);
    write(loose);
    const atMs = Date.now();
    for (const key of ["k".repeat(33), "0".repeat(64), ""]) {
      rmSync(places.sealKey);
      writeFileSync(places.sealKey, key, { mode: 0o600 });
      const hash = createHmac("sha256", key).update(`deskmap policy\n${atMs}\n${loose}`).digest("hex");
      writeFileSync(places.seal, JSON.stringify({ atMs, text: loose, hash }));
      await refuse();
    }
  });

  test("by a link to a key, or one that others can read", async () => {
    accept(strict);
    const other = join(home, "other.key");
    copyFileSync(places.sealKey, other);
    rmSync(places.sealKey);
    symlinkSync(other, places.sealKey);
    await refuse();
    rmSync(places.sealKey);
    copyFileSync(other, places.sealKey);
    chmodSync(places.sealKey, 0o644);
    await refuse();
    chmodSync(places.sealKey, 0o600);
    expect(await isReadOnly()).toBe(true);
  });

  test("whatever takes its place", async () => {
    accept(strict);
    for (const text of ["", "{}", "null", "[]", `{"atMs":1,"text":null,"hash":null}`, "\0", strict]) {
      writeFileSync(places.seal, text);
      await refuse();
    }
    rmSync(places.seal);
    mkdirSync(places.seal);
    await refuse();
  });

  test("nor does an older policy come back with a copy of its seal", async () => {
    accept(loose);
    const old = join(home, "old.seal");
    copyFileSync(places.seal, old);
    const { atMs } = seal();
    accept(strict);
    write(loose);
    // Waits until a copy clearly has another timestamp.
    await waitUntilAfter(atMs + 5100);
    for (const bring of [copyFileSync, renameSync]) {
      bring(old, places.seal);
      // The timestamp that any process can set is of no use.
      utimesSync(places.seal, atMs / 1000, atMs / 1000);
      expect((await refuse()).message).toContain("copied, moved or restored");
    }
  });

  test("its files are private to the user, and the key is not text", () => {
    accept(strict);
    for (const path of [places.seal, places.sealKey]) expect(statSync(path).mode & 0o777).toBe(0o600);
    const key = readFileSync(places.sealKey);
    expect([key.length, key[0]]).toEqual([33, 0]);
  });
});

describe("a person's own commands keep the seal", () => {
  const change = () => changeStandings({ isPrivate: false }, places, ["gimp"], "blind");

  test("a changed standing is sealed, and lets no foreign change in", async () => {
    accept(strict);
    expect(await change()).toMatchObject({ ok: true });
    expect(await isReadOnly()).toBe(true);
    write(loose);
    expect(await change()).toMatchObject({ ok: false, failure: { reason: "policy" } });
    expect(readFileSync(places.policy, "utf8")).toBe(loose);
    await refuse();
  });

  test("a change that cannot be written keeps the old policy", async () => {
    accept(strict);
    // A draft left by a killed process blocks the path.
    writeFileSync(`${places.policy}.${process.pid}.new`, "");
    expect(await change()).toMatchObject({ ok: false });
    expect(await isReadOnly()).toBe(true);
  });

  test("a new file is sealed if none was accepted before, and does not replace one that was", async () => {
    expect(beginPolicy(places, examplePolicy, false)).toMatchObject({ ok: true });
    expect(await isReadOnly()).toBe(false);
    accept(strict);
    rmSync(places.policy);
    expect(beginPolicy(places, examplePolicy, false)).toMatchObject({ ok: true });
    expect((await refuse()).message).toContain("was changed since");
  });
});

async function waitUntilAfter(atMs: number): Promise<void> {
  while (Date.now() <= atMs) await Bun.sleep(20);
}
