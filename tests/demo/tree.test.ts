import { afterAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addExpectation } from "../../src/demo/expect-tree.ts";
import { printDemo } from "../../src/demo/file.ts";
import { makeDemo } from "../../src/demo/make.ts";
import { parseDemo } from "../../src/demo/read.ts";
import { makeArchive } from "../../src/demo/replay/archive.ts";
import { replay } from "../../src/demo/replay/replay.ts";
import { diffTrees } from "../../src/demo/tree.ts";
import type { Host } from "../../src/host/port.ts";
import { makeAction, makeField } from "./actions.ts";
import { makeScreenHost } from "./screen-host.ts";

const folder = mkdtempSync(join(tmpdir(), "deskmap-tree-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a difference names what is missing, new or otherwise", () => {
  const wanted = ['group "Order"', '  input "Name" = "Ada"', '  checkbox "News" = "on"', '  button "Store"'];
  const got = ['group "Order"', '  input "Name" = "Eve"', '  text "New"', '  checkbox "News" = "on"'];
  expect(diffTrees(wanted, got)).toEqual([
    '~ input "Name" = "Ada" is now input "Name" = "Eve"',
    '+   text "New"',
    '-   button "Store"',
  ]);
  expect(diffTrees(wanted, wanted)).toEqual([]);
  expect(diffTrees([], ["a"])).toEqual(["+ a"]);
  expect(diffTrees(['button "Store"'], ['button "Wipe"'])).toEqual(['- button "Store"', '+ button "Wipe"']);
});

const demo = makeDemo([makeField("Name", "Ada Lovelace"), makeAction()], { name: "form" });

/** A window that shows what it holds. */
function makeHost(name: string): Host {
  const screen = makeScreenHost([
    { id: 1, role: "input", name: "Name", app: "form", window: "Form" },
    { id: 2, role: "button", name: "Save", app: "form", window: "Form" },
  ]);
  const elements = [
    {
      i: 5,
      r: "group",
      t: "Order",
      c: [
        { i: 1, r: "input", t: "Name", v: name },
        { i: 2, r: "btn", t: "Save", e: false },
      ],
    },
  ];
  return {
    ...screen,
    call: async (request, options) =>
      request.tool === "read"
        ? { outputs: {}, data: { elements }, exitCode: 0, warnings: [] }
        : screen.call(request, options),
  };
}

test("a window as it is now becomes a step, with its parameters, and is compared at replay", async () => {
  const added = await addExpectation(demo, { host: makeHost("Ada Lovelace"), after: 1 });
  if (!added.ok) throw new Error(added.failure.message);
  const { demo: expecting } = added.value;
  expect(expecting.steps[1]).toMatchObject({
    ...{ tool: "expect", app: "form", window: "Form" },
    tree: ['group "Order"', '  input "Name" = "{{name}}"', '  btn "Save" [disabled]'],
  });
  expect(parseDemo(printDemo(expecting), "x")).toMatchObject({ ok: true });
  const run = (shown: string, values = { name: "Grace Hopper" }) =>
    replay(expecting, { host: makeHost(shown), values, timeoutMs: 20, picturesStop: true });
  expect((await run("Grace Hopper")).stop).toBeUndefined();
  const { stop } = await run("Ada Lovelace");
  expect(stop).toMatchObject({
    n: 2,
    failure: {
      message: "the tree is not as expected: 1 line is different",
      nearest: ['~ input "Name" = "Grace Hopper" is now input "Name" = "Ada Lovelace"'],
    },
    tree: ['group "Order"', '  input "Name" = "Ada Lovelace"', '  btn "Save" [disabled]'],
  });
});

test("steps after it keep what they refer to", async () => {
  const opening = makeDemo(
    [
      makeAction({ effect: { verdict: "confirmed", way: "action", opened: ["Saved"] } }),
      makeAction({ window: "Saved", ref: { role: "button", name: "OK", app: "form", window: "Saved" } }),
    ],
    { name: "form" },
  );
  expect(opening.steps[1]?.wait?.opened_by).toBe(1);
  const added = await addExpectation(opening, { host: makeHost("x"), after: 0, app: "form" });
  expect(added.ok && added.value.demo.steps.map(({ tool, wait }) => [tool, wait?.opened_by])).toEqual([
    ["expect", undefined],
    ["click", undefined],
    ["click", 2],
  ]);
  expect(added.ok && [added.value.places(1), added.value.places(2)]).toEqual([2, 3]);
  expect(await addExpectation(opening, { host: makeHost("x"), after: 9 })).toMatchObject({ ok: false });
});

test("a tree belongs to an expect step, which needs it or a condition", () => {
  const refusal = (step: object): string => {
    const read = parseDemo(JSON.stringify({ ...demo, steps: [step] }), "x");
    return read.ok ? "accepted" : read.failure.message;
  };
  expect(refusal({ tool: "expect", input: {} })).toContain("expect needs a condition, or a tree");
  expect(refusal({ tool: "open", input: { what: "x" }, tree: ["a"] })).toContain("only an expect step has one");
  expect(refusal({ tool: "expect", input: {}, tree: ["a\u001b[2J"] })).toContain("has control characters");
  expect(refusal({ tool: "expect", input: {}, tree: ['button "x"'] })).toBe("accepted");
});

test("an archive of a stop is one that Python opens, with a page in itself", async () => {
  const added = await addExpectation(demo, { host: makeHost("Ada Lovelace"), after: 1 });
  if (!added.ok) throw new Error(added.failure.message);
  const report = await replay(added.value.demo, {
    ...{ host: makeHost("<script>alert(1)</script>"), values: { name: "Ada" }, timeoutMs: 20, picturesStop: true },
  });
  const file = join(folder, "stop.zip");
  writeFileSync(file, makeArchive(added.value.demo, [report]));
  const script = `import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
print(json.dumps([archive.testzip(), {name: archive.read(name).decode() for name in archive.namelist()}]))`;
  const { status, stdout, stderr } = spawnSync("/usr/bin/python3", ["-c", script, file], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const [damaged, files] = JSON.parse(stdout);
  expect([damaged, Object.keys(files)]).toEqual([
    null,
    ["index.html", "report.json", "demo.json", "log.jsonl", "tree.txt"],
  ]);
  expect(files["index.html"]).toContain("&lt;script&gt;alert(1)");
  expect(files["index.html"]).not.toContain("<script");
  expect(files["tree.txt"]).toContain('input "Name" = "<script>');
  expect(parseDemo(files["demo.json"], "x")).toMatchObject({ ok: true });
  expect(JSON.parse(files["report.json"]).runs[0].stop.n).toBe(2);
});
