import { afterAll, describe, expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Demo, printDemo } from "../../src/demo/file.ts";
import { findJsonFault } from "../../src/demo/json-fault.ts";
import { makeDemo } from "../../src/demo/make.ts";
import { parseDemo, readDemoFile } from "../../src/demo/read.ts";
import { DemoStore } from "../../src/demo/store.ts";
import { fc } from "../property.ts";
import { makeAction, makeField } from "./actions.ts";

const folder = mkdtempSync(join(tmpdir(), "deskmap-demos-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const good = makeDemo([makeField("Name", "Ada"), makeAction()], { name: "form" });

type Fields = Record<string, unknown>;
const first = ([step = {}]: Fields[]): Fields => step;
const second = ([, step = {}]: Fields[]): Fields => step;

/** The message for the demo with some fields replaced. */
function refusalOf(change: (demo: Record<string, unknown> & { steps: Record<string, unknown>[] }) => void): string {
  const copy = JSON.parse(printDemo(good));
  change(copy);
  const read = parseDemo(JSON.stringify(copy), "x.json");
  return read.ok ? "accepted" : read.failure.message;
}

type Place = readonly (string | number)[];

/** The place of every value in it, but for the whole. */
function listPlaces(value: unknown): readonly Place[] {
  if (typeof value !== "object" || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, inner]) => [[key], ...listPlaces(inner).map((place) => [key, ...place])]);
}

function putAt(whole: object, place: Place, value: unknown): object {
  const copy = structuredClone(whole);
  const holder = place.slice(0, -1).reduce<object>((inner, key) => Reflect.get(inner, key), copy);
  Reflect.set(holder, place.at(-1) ?? "", value);
  return copy;
}

describe("a file that is no demo is refused with the place of its fault", () => {
  const cases: readonly [string, Parameters<typeof refusalOf>[0]][] = [
    [
      "x.json: steps[1].ref.bbox[2] (step 2): takes number",
      ({ steps }) => (second(steps).ref = { role: "button", bbox: [1, 2, "3", 4] }),
    ],
    ["x.json: steps[0].tool (step 1): takes", ({ steps }) => (first(steps).tool = "rm")],
    [
      "x.json: steps[0].input.id (step 1): unknown; set-value takes text in a demo",
      ({ steps }) => (first(steps).input = { id: 7 }),
    ],
    [
      "x.json: steps[0].input.text (step 1): there is no parameter called nobody",
      ({ steps }) => (first(steps).input = { text: "{{nobody}}" }),
    ],
    [
      "x.json: steps[1].ref (step 2): needs a role or a name",
      ({ steps }) => (second(steps).ref = { bbox: [1, 2, 3, 4] }),
    ],
    [
      "x.json: steps[1] (step 2): click needs a ref, or a point",
      ({ steps }) => (steps[1] = { tool: "click", input: {} }),
    ],
    ['x.json: steps[1] (step 2): has no field "script"', ({ steps }) => (second(steps).script = "alert(1)")],
    [
      "x.json: steps[1].ref.name (step 2): has control characters",
      ({ steps }) => (second(steps).ref = { name: "a\u001b[2J" }),
    ],
    ['x.json: name: "../../etc/cron.d/x" is no name of a demo', (demo) => (demo.name = "../../etc/cron.d/x")],
    ['x.json: name: "<script>alert(1)</script>" is no name', (demo) => (demo.name = "<script>alert(1)</script>")],
    [
      "x.json: parameters.constructor-x: is no name",
      (demo) => (demo.parameters = { "constructor-x": { type: "text" } }),
    ],
    [
      "x.json: parameters.p.default: takes the name of a secret",
      (demo) => (demo.parameters = { name: { type: "text" }, p: { type: "secret", default: "my pass" } }),
    ],
    ["x.json: version: 2; this Deskmap reads version 1", (demo) => (demo.version = 2)],
    ['x.json: format: takes "deskmap-demo"', (demo) => (demo.format = "other")],
    [
      "x.json: steps: has 1000000 steps; at most 2000 are read",
      (demo) => (demo.steps = Array.from({ length: 1_000_000 }, () => ({}))),
    ],
  ];
  for (const [message, change] of cases) test(message, () => expect(refusalOf(change)).toStartWith(message));

  test("a broken line by its number", () => {
    const read = parseDemo('{\n "format": "deskmap-demo",\n "version": oops\n}', "x.json");
    expect(read.ok ? "" : read.failure.message).toBe("x.json: line 3, column 13: it is not JSON: a value is missing");
  });

  test("where a text stops being JSON is found for whatever is cut off, left out or put in", () => {
    const given = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "}", '"', "x", "]"))
      .map(([json, at, more]) => {
        const place = at % (json.length + 1);
        return `${json.slice(0, place)}${more}${more === "" ? "" : json.slice(place)}`;
      });
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(fc.property(fc.json(), (json) => expect(findJsonFault(json)).toBeUndefined()));
    fc.assert(fc.property(given, (text) => expect(findJsonFault(text) === undefined).toBe(isJson(text))));
  });

  test("whatever stands in the place of any value, it is accepted or refused with that place", () => {
    const whole = JSON.parse(printDemo(good));
    const places = listPlaces(whole);
    const wrong = fc.oneof(
      fc.constantFrom(null, true, -1, 1e308, "", "\u0000", "../../etc/passwd", [], {}, [[]], { __proto__: null }),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.constantFrom(...places), wrong, (place, value) => {
        const read = parseDemo(JSON.stringify(putAt(whole, place, value)), "x.json");
        // A value may be right by itself, and missed elsewhere.
        if (!read.ok)
          expect([read.failure.code, read.failure.message]).toEqual(["USAGE", expect.stringMatching(/^x\.json: \w/)]);
      }),
    );
  });

  test("names that a program has itself are names like others, or none", () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      const text = printDemo(good).replace(
        '"parameters": {',
        `"parameters": { ${JSON.stringify(name)}: {"type": "text"},`,
      );
      const read = parseDemo(text, "x.json");
      if (read.ok) expect(Object.getPrototypeOf(read.value.parameters)).toBe(Object.prototype);
    }
    expect(refusalOf(({ steps }) => (first(steps).input = { text: "{{constructor}}" }))).toContain(
      "no parameter called",
    );
  });

  test("nesting without end", () => {
    expect(parseDemo("[".repeat(500_000), "x.json").ok).toBe(false);
  });

  test("100 MB and endless files, at once and without reading them", () => {
    const big = join(folder, "big.json");
    writeFileSync(big, "");
    truncateSync(big, 100 << 20);
    const before = process.memoryUsage().rss;
    expect(readDemoFile(big)).toMatchObject({ failure: { code: "USAGE" } });
    expect(readDemoFile("/dev/zero")).toMatchObject({ failure: { message: "/dev/zero is not a regular file" } });
    expect(process.memoryUsage().rss - before).toBeLessThan(50 << 20);
  });
});

describe("stored demos", () => {
  const store = new DemoStore(join(folder, "demos"));

  test("are files of their user alone, replaced whole, with nothing left beside them", () => {
    expect(store.save(good).ok).toBe(true);
    expect(store.save(good)).toMatchObject({ failure: { code: "USAGE" } });
    expect(store.save({ ...good, description: "again" }, { isReplacing: true }).ok).toBe(true);
    const file = join(store.folder, "form.demo.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(store.folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(store.folder)).toEqual(["form.demo.json"]);
    expect(store.read("form", "/").ok && store.read("form", "/")).toMatchObject({ value: { description: "again" } });
    expect(store.read("form.demo.json", store.folder).ok).toBe(true);
  });

  test("a name leads nowhere else, and what is not there is told with what is", () => {
    for (const name of ["..", "a..b", "../x", "a\0b", ""]) expect(store.fileOf(name).ok).toBe(false);
    expect(store.read("nobody", "/")).toMatchObject({ failure: { code: "NOT_FOUND", nearest: ["form"] } });
  });

  test("what cannot be written is said, and nothing is left", () => {
    const blocked = new DemoStore(join(folder, "blocked"));
    mkdirSync(join(blocked.folder, "form.demo.json"), { recursive: true });
    expect(blocked.save(good, { isReplacing: true })).toMatchObject({ failure: { code: "FAILED" } });
    expect(readdirSync(blocked.folder)).toEqual(["form.demo.json"]);
  });
});

test("the cell of a sheet is one of very many", () => {
  const ref = { role: "cell", name: "A1", app: "soffice.bin", index: 0, count: 1_048_576 * 16_384 };
  const sheet = makeDemo([makeField("A1", "Ada", { ref })], { name: "sheet" });
  expect(parseDemo(printDemo(sheet), "x.json").ok).toBe(true);
});

test("the published schema is the one that files are read by", () => {
  const schema = JSON.parse(readFileSync(join(import.meta.dir, "../../docs/demo.schema.json"), "utf8"));
  const fields = Object.keys(schema.properties.steps.items.properties.ref.properties);
  for (const field of [
    "role",
    "name",
    "bbox",
    "container_path",
    "automation_id",
    "accessibility_id",
    "css_selector",
    "xpath",
    "confidence",
  ]) {
    expect(fields).toContain(field);
  }
  const demo: Demo = good;
  expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(demo)));
});
