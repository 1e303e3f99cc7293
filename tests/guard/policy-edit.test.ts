import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPlaces, type Places } from "../../src/guard/places.ts";
import { userPolicy } from "../../src/guard/policy/defaults.ts";
import { changeStandings, setStanding } from "../../src/guard/policy/edit.ts";
import { examplePolicy } from "../../src/guard/policy/example.ts";
import { loadPolicy } from "../../src/guard/policy/file.ts";
import type { Standing } from "../../src/guard/policy/policy.ts";
import { readPolicyText } from "../../src/guard/policy/schema.ts";
import { fc } from "../property.ts";
import { acceptAsItIs } from "./accept.ts";

let home = "";
let places: Places;
const change = (standing: Standing, ...names: string[]) =>
  changeStandings({ isPrivate: false }, places, names, standing);

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-edit-"));
  places = findPlaces({ HOME: home });
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("changing an application's standing", () => {
  test("creates a private file if there is none", async () => {
    expect(await change("blind", "gimp")).toMatchObject({ ok: true });
    expect(readFileSync(places.policy, "utf8")).toMatch(
      /^\/\/ .*\n\{\n {2}"apps": \{\n {4}"gimp": "blind"\n {2}\}\n\}\n$/,
    );
    expect(statSync(places.policy).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, ".config/deskmap")).mode & 0o777).toBe(0o700);
    const loaded = await loadPolicy(places, false);
    expect(loaded.ok && loaded.value.common.standings.get("gimp")).toBe("blind");
    expect(loaded.ok && { ...loaded.value.common, standings: userPolicy.standings }).toEqual(userPolicy);
  });

  test("keeps comments, layout and the spelling of a name", () => {
    const text = `{\n\t// what I use\n\t"apps": {\n\t\t"Gimp": "normal", // painting\n\t\t"xterm": "normal",\n\t},\n}\n`;
    expect(setStanding(text, "gimp", "blind")).toBe(text.replace(`"Gimp": "normal"`, `"Gimp": "blind"`));
    const added = setStanding(text, "inkscape", "hands-off");
    expect(added).toContain(`"Gimp": "normal", // painting\n`);
    expect(added).toContain(`"inkscape": "hands-off"`);
    expect(readPolicyText(added)).toHaveProperty("value");
  });

  test("does not write into a broken file", async () => {
    mkdirSync(join(home, ".config/deskmap"), { recursive: true, mode: 0o700 });
    writeFileSync(places.policy, `{ "apps": `, { mode: 0o600 });
    expect(await change("blind", "gimp")).toMatchObject({ ok: false, failure: { reason: "policy" } });
    expect(readFileSync(places.policy, "utf8")).toBe(`{ "apps": `);
  });

  test("follows a link, and keeps the link", async () => {
    mkdirSync(join(home, ".config/deskmap"), { recursive: true, mode: 0o700 });
    mkdirSync(join(home, "dots"), { mode: 0o700 });
    writeFileSync(join(home, "dots/policy.json"), "{}", { mode: 0o600 });
    symlinkSync(join(home, "dots/policy.json"), places.policy);
    acceptAsItIs(places);
    expect(await change("blind", "gimp")).toMatchObject({ ok: true });
    expect(lstatSync(places.policy).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(home, "dots/policy.json"), "utf8")).toContain("gimp");
  });

  test("that cannot be written leaves nothing behind", async () => {
    writeFileSync(join(home, ".config"), "a file where a folder should be");
    expect(await change("blind", "gimp")).toMatchObject({ ok: false });
    expect(existsSync(`${places.policy}.${process.pid}.new`)).toBe(false);
  });

  test("means what was requested, whatever the names", async () => {
    const name = fc.string({ minLength: 1, maxLength: 20 }).filter((one) => one.trim() === one && !one.includes("*"));
    const changes = fc.array(fc.tuple(name, fc.constantFrom("blind", "hands-off", "normal")), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        rmSync(places.policy, { force: true });
        acceptAsItIs(places);
        for (const [one, standing] of list) expect(await change(standing as Standing, one)).toMatchObject({ ok: true });
        const wanted = new Map(list.map(([one, standing]) => [one.toLowerCase(), standing]));
        const loaded = await loadPolicy(places, false);
        expect(loaded.ok && [...(loaded.value.written?.apps ?? [])].sort()).toEqual(
          [...wanted].sort() as [string, Standing][],
        );
      }),
      { numRuns: 40 },
    );
  });
});

test("the example states only the defaults", () => {
  const read = readPolicyText(examplePolicy);
  if (!("value" in read)) throw new Error(JSON.stringify(read.problems));
  const { actionsPerMinute, sensitive, isReadOnly, hasHotkey } = userPolicy;
  expect(read.value).toMatchObject({ actionsPerMinute, sensitive, readOnly: isReadOnly, hotkey: hasHotkey });
  expect([read.value.apps.size, read.value.rules.length, read.value.clients.length, read.value.words]).toEqual([
    0,
    0,
    0,
    {},
  ]);
});

test("the commented parts of the example are valid, too", () => {
  const opened = examplePolicy.replaceAll(/^( +)\/\/ (["{].*,)$/gm, "$1$2");
  const read = readPolicyText(opened);
  if (!("value" in read)) throw new Error(JSON.stringify(read.problems));
  expect([read.value.apps.size, read.value.rules.length, read.value.clients.length]).toEqual([2, 2, 1]);
});
