import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diffDemos } from "../../src/demo/diff.ts";
import { exportDemo } from "../../src/demo/exchange/export.ts";
import { importDemo } from "../../src/demo/exchange/import.ts";
import { printDemo } from "../../src/demo/file.ts";
import { lintDemo } from "../../src/demo/lint.ts";
import { makeDemo } from "../../src/demo/make.ts";
import { printReport } from "../../src/demo/replay/print-report.ts";
import { showDemo, showDemoPage } from "../../src/demo/show.ts";
import { makeAction, makeField } from "./actions.ts";

const folder = mkdtempSync(join(tmpdir(), "deskmap-exchange-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hostile = '<script>alert("x")</script>"; process.exit(); //';
const pageRef = {
  role: "link",
  name: "More",
  app: "chromium",
  css_selector: "a#more",
  source: "dom" as const,
  bbox: [0, 0, 40, 20] as const,
};
const demo = makeDemo(
  [
    makeField("Name", "Ada"),
    makeAction({ effect: { verdict: "confirmed", way: "action", opened: ["Saved"] } }),
    makeAction({ ref: pageRef }),
    makeAction({ ref: { role: "button", name: hostile, app: "form" } }),
    makeAction({ tool: "type", input: { key: "ctrl+s" } }),
    makeField("Password", "", { secret: "Password", input: {} }),
  ],
  { name: "form" },
);

describe("exports", () => {
  test("json is the list of actions with elements, in the seed's words", () => {
    const [set, click, , , key, secret] = JSON.parse(exportDemo(demo, "json"));
    expect(set).toMatchObject({
      type: "type",
      text: "Ada",
      element: { role: "input", name: "Name", bbox: [10, 60, 210, 90] },
    });
    expect(click).toMatchObject({
      type: "click",
      x: 60,
      y: 35,
      element: { automation_id: "save", container_path: ["Form", "Buttons"] },
    });
    expect(key).toMatchObject({ type: "key", key: "ctrl+s" });
    expect(secret.input).toEqual({ from: "{{password}}" });
  });

  test("ts is a program in which every text is data", () => {
    const program = exportDemo(demo, "ts");
    expect(program).toContain('await desk.app("form").control("Name", "input").fill(values.name);');
    expect(program).toContain('name: process.env.NAME ?? "Ada",');
    const { imports } = new Bun.Transpiler({ loader: "ts" }).scan(program);
    expect(imports.map(({ path }) => path)).toEqual(["deskmap"]);
  });

  test("skill says when, with what, how and how to check", () => {
    const skill = exportDemo(demo, "skill");
    expect(skill).toMatch(/^---\nname: form\ndescription: ".*"\n---\n/);
    for (const part of [
      "## Inputs",
      "- `name`: text",
      "## Steps",
      '1. set-value input "Name"',
      "## Checks",
      "deskmap replay form --param name=…",
    ]) {
      expect(skill).toContain(part);
    }
    expect(skill).not.toContain("<script>");
  });

  test("chrome is a flow whose desktop steps are custom steps, and is read again", () => {
    const file = join(folder, "flow.json");
    writeFileSync(file, exportDemo(demo, "chrome"));
    const flow = JSON.parse(exportDemo(demo, "chrome"));
    expect(flow.steps[2]).toEqual({
      type: "click",
      target: "main",
      selectors: [["aria/More"], ["a#more"]],
      offsetX: 20,
      offsetY: 10,
    });
    expect(flow.steps[1]).toMatchObject({ type: "customStep", name: "deskmap", parameters: { tool: "click" } });
    const back = importDemo(file, "again");
    if (!back.ok) throw new Error(back.failure.message);
    expect(back.value.parameters).toEqual({ password: { type: "secret" } });
    expect(back.value.steps.map(({ tool }) => tool)).toEqual(demo.steps.map(({ tool }) => tool));
  });

  test("pages escape what applications show", () => {
    for (const page of [showDemoPage(demo), printReport("html", demo, [])]) expect(page).not.toContain("<script>");
    expect(showDemoPage(demo)).toContain("&lt;script&gt;");
  });
});

describe("imports", () => {
  const take = (content: unknown) => {
    const file = join(folder, "in.json");
    writeFileSync(file, JSON.stringify(content));
    const result = importDemo(file, undefined);
    return result.ok ? result.value : result.failure.message.replace(`${file}: `, "");
  };

  test("ours as it is", () => expect(take(JSON.parse(printDemo(demo)))).toEqual(JSON.parse(printDemo(demo))));

  test("Chrome's Recorder: pages, fields, keys and secrets", () => {
    const selectors = (name: string, css: string) => [[`aria/${name}`], [css], [`xpath///*[@id="x"]`]];
    const imported = take({
      title: "Shop: order",
      steps: [
        { type: "setViewport", width: 800, height: 600 },
        { type: "navigate", url: "https://example.org/" },
        { type: "change", value: "ada@example.org", selectors: selectors("E-mail", "#mail") },
        { type: "change", value: "hunter2", selectors: selectors("Password", "#pw") },
        {
          type: "click",
          selectors: [["aria/Order", 'aria/[role="generic"]'], ["text/Order now"]],
          button: "secondary",
        },
        { type: "keyDown", key: "Enter" },
        { type: "keyUp", key: "Enter" },
        { type: "waitForElement", selectors: [["aria/Thanks"]] },
      ],
    });
    if (typeof imported === "string") throw new Error(imported);
    expect(imported.name).toBe("Shop  order");
    expect(imported.steps.map(({ tool, input }) => [tool, input])).toEqual([
      ["open", { what: "https://example.org/" }],
      ["set-value", { text: "{{email}}" }],
      ["fill-secret", { from: "{{password}}" }],
      ["click", { button: "right" }],
      ["type", { key: "enter" }],
      ["wait", { for: '"Thanks" appears' }],
    ]);
    expect(JSON.stringify(imported)).not.toContain("hunter2");
    expect(imported.steps[1]?.ref).toMatchObject({ name: "E-mail", css_selector: "#mail", accessibility_id: "mail" });
  });

  test("what cannot be found or done here is refused with its place", () => {
    expect(take({ title: "x", steps: [{ type: "click", selectors: [[".a > .b"]] }] })).toStartWith(
      "steps[0].selectors: none of them names a control",
    );
    expect(take({ title: "x", steps: [{ type: "waitForExpression", expression: "1" }] })).toBe(
      "steps[0].type: waitForExpression cannot be imported",
    );
    expect(
      take({ title: "x", steps: [{ type: "customStep", name: "deskmap", parameters: { tool: "rm", input: {} } }] }),
    ).toStartWith("steps[0].tool");
    expect(take({ title: "x", steps: Array.from({ length: 5000 }, () => 1) })).toBe(
      "steps: has 5000; at most 2000 are read",
    );
  });
});

test("lint finds what may make it stop, and secrets", () => {
  const card = makeField("Card", "4111 1111 1111 1111");
  const found = lintDemo(
    makeDemo(
      [
        makeAction({ evidence: [{ by: "ref", matches: 3 }] }),
        makeAction({ ref: undefined }),
        card,
        makeField("Token", "abcdef"),
        makeAction({ window: "Elsewhere" }),
      ],
      { name: "x" },
    ),
  );
  const kinds = found.map(({ step, kind }) => `${step} ${kind}`);
  for (const one of ["1 ref", "2 coordinates", "0 secret", "5 wait"]) expect(kinds).toContain(one);
  expect(found.filter(({ kind }) => kind === "secret")).toHaveLength(2);
  expect(lintDemo(makeDemo([makeAction()], { name: "x" }))).toEqual([]);
});

test("lint tells values that stay as they were typed, and steps that may switch back", () => {
  const effect = { verdict: "confirmed", way: "action", opened: ["Bobby, page 2"] } as const;
  const found = lintDemo(
    makeDemo(
      [
        makeField("Pieces", "2"),
        makeField("Who", "Bob"),
        makeField("Long", "Bobb"),
        makeAction({ effect }),
        makeAction({ tool: "toggle", evidence: [{ by: "ref", matches: 3 }] }),
      ],
      { name: "x" },
    ),
  );
  expect(found.filter(({ kind }) => kind === "parameter").map(({ step, what }) => `${step} ${what}`)).toEqual([
    '4 its effect has "Bobby, page 2" whatever pieces is: with another value it may stop there',
    '4 its effect has "Bobby, page 2" whatever long is: with another value it may stop there',
  ]);
  expect(found.filter(({ step }) => step === 5).map(({ kind, what }) => `${kind}: ${what}`)).toEqual([
    "ref: its ref found 3 elements when it was recorded",
    "doubt: nothing showed whether it was on or off afterwards: done again, it may switch back",
  ]);
});

test("diff tells steps that came, went and changed", () => {
  const other = makeDemo(
    [
      makeField("Name", "Bob"),
      makeAction({ ref: pageRef }),
      makeAction({ effect: { verdict: "unverified", way: "pointer" } }),
    ],
    { name: "b" },
  );
  const base = makeDemo([makeField("Name", "Ada"), makeAction()], { name: "a" });
  expect(diffDemos(base, base)).toEqual([]);
  expect(diffDemos(base, other).map(({ sign, a, b }) => [sign, a, b])).toEqual([
    ["~", undefined, undefined],
    ["+", undefined, 2],
    ["~", 2, 3],
  ]);
});

test("show is a list that a person can read", () => {
  expect(showDemo(demo)).toContain('  2  click button "Save" in form\n       + window "Saved"');
});

test("a JUnit report has a case for each step, the reached ones and the others", () => {
  const stop = {
    n: 2,
    words: hostile,
    exitCode: 1,
    failure: { code: "NOT_FOUND" as const, message: hostile, done: "step 1 was done." },
  };
  const step = (n: number, state: "done" | "stopped") => ({ n, words: hostile, state, tookMs: 12, notes: [] });
  const run = {
    demo: "form",
    from: 1,
    to: 6,
    steps: [step(1, "done"), step(2, "stopped")],
    stop,
    tookMs: 30,
    delivered: 1,
    proposals: [],
  };
  const xml = printReport("junit", demo, [run]);
  expect(xml).toContain('tests="6" failures="1" errors="0" skipped="4"');
  expect(xml).not.toContain("<script>");
  expect(JSON.parse(printReport("json", demo, [run])).runs).toHaveLength(1);
});
