import { describe, expect, test } from "bun:test";
import { maxStepBytes, printDemo, sizeOf } from "../../src/demo/file.ts";
import { makeDemo, trimTerminal } from "../../src/demo/make.ts";
import { chooseValues, fillInput, fillRef, guessType } from "../../src/demo/parameters.ts";
import { parseDemo } from "../../src/demo/read.ts";
import type { RecordedAction } from "../../src/model/demo.ts";
import { verdicts } from "../../src/model/effect.ts";
import { actingTools } from "../../src/model/tool-name.ts";
import { fc } from "../property.ts";
import { makeAction, makeField } from "./actions.ts";

const make = (...actions: RecordedAction[]) => makeDemo(actions, { name: "form", client: "claude" });

describe("typed values become parameters", () => {
  test("named by their field and typed by their looks, with the recorded value as default", () => {
    const { parameters, steps } = make(
      makeField("E-mail", "ada@example.org"),
      makeField("Date of birth", "1815-12-10"),
      makeField("Amount", "1,250.50"),
      makeField("Folder", "/srv/notes"),
      makeField("Größe", "tall"),
      makeField("", "nobody says where"),
    );
    expect(parameters).toEqual({
      email: { type: "email", default: "ada@example.org", label: "E-mail" },
      date_of_birth: { type: "date", default: "1815-12-10", label: "Date of birth" },
      amount: { type: "number", default: "1,250.50", label: "Amount" },
      folder: { type: "path", default: "/srv/notes", label: "Folder" },
      grosse: { type: "text", default: "tall", label: "Größe" },
      text: { type: "text", default: "nobody says where" },
    });
    expect(steps.map(({ input }) => input.text)).toEqual([
      ...["{{email}}", "{{date_of_birth}}", "{{amount}}", "{{folder}}", "{{grosse}}", "{{text}}"],
    ]);
  });

  test("a value typed twice is one parameter, and two fields of one name are two", () => {
    const { parameters, steps } = make(makeField("Name", "Ada"), makeField("Again", "Ada"), makeField("Name", "Bob"));
    expect(Object.keys(parameters)).toEqual(["name", "name_2"]);
    expect(steps.map(({ input }) => input.text)).toEqual(["{{name}}", "{{name}}", "{{name_2}}"]);
  });

  test("a key combination is none", () => {
    const { parameters, steps } = make(makeAction({ tool: "type", input: { key: "ctrl+s" } }));
    expect({ parameters, input: steps[0]?.input }).toEqual({ parameters: {}, input: { key: "ctrl+s" } });
  });

  test("where a later title or name has the value, the parameter stands there, too", () => {
    const { steps } = make(
      makeField("File name", "report"),
      makeAction({ effect: { verdict: "confirmed", way: "action", opened: ["report.txt - Editor", "reporting"] } }),
      makeAction({ window: "report.txt - Editor" }),
    );
    expect(steps[1]?.effect?.opened).toEqual(["{{file_name}}.txt - Editor", "reporting"]);
    expect(steps[2]).toMatchObject({ window: "{{file_name}}.txt - Editor", wait: { opened_by: 2 } });
  });

  test("a short value stands in what was seen as a whole word, in titles unless it is a number, not in a control's name", () => {
    const changed = [{ role: "text", name: "Sum", what: "name", after: "2 for Bo" }];
    const seen = { appeared: [{ role: "item", name: "2 × Tea for Bo" }], changed, opened: ["Bo, page 2"] };
    const { steps } = make(
      makeField("Who", "Bo"),
      makeField("Pieces", "2"),
      makeField("Sign", "-"),
      makeAction({
        ref: { role: "button", name: "Give 2 to Bo - now" },
        effect: { verdict: "confirmed", way: "action", ...seen },
      }),
    );
    expect(steps[3]).toMatchObject({
      ref: { name: "Give 2 to Bo - now" },
      effect: {
        appeared: [{ name: "{{pieces}} × Tea for {{who}}" }],
        changed: [{ after: "{{pieces}} for {{who}}" }],
        opened: ["{{who}}, page 2"],
      },
    });
  });

  test("the longest value counts, and no placeholder is changed", () => {
    const effect = { verdict: "confirmed", way: "action", opened: ["Ada Bell, e"] } as const;
    const { steps } = make(
      makeField("A e b", "Ada"),
      makeField("Whole name", "Ada Bell"),
      makeField("Letter", "e"),
      makeAction({ effect }),
    );
    expect(steps[3]?.effect?.opened).toEqual(["{{whole_name}}, {{letter}}"]);
  });

  test("a value that an earlier step put on the screen is linked to it", () => {
    const shown = [{ role: "text", name: "Result", what: "value", after: "4711" }];
    const { parameters } = make(
      makeAction({ effect: { verdict: "confirmed", way: "action", changed: shown } }),
      makeField("Order", "4711"),
    );
    expect(parameters.order).toMatchObject({ from: { step: 1, role: "text", name: "Result", what: "value" } });
  });

  test("keys that nothing showed, and that no control took, are a gap beside a step", () => {
    const keys = makeAction({ tool: "type", input: {}, secret: "the keys", ref: undefined, evidence: undefined });
    const lost = { ...keys, point: undefined, doubt: "nothing showed what was typed" };
    const demo = make(makeAction(), lost, makeAction());
    expect(demo.steps.map(({ tool, doubts }) => [tool, doubts])).toEqual([
      ["click", ["after it: nothing showed what was typed"]],
      ["click", undefined],
    ]);
    expect(parseDemo(printDemo(demo), "x.json").ok).toBe(true);
  });

  test("a secret is a name alone, and its step fills it in by that name", () => {
    const typed = makeField("Password", "", { secret: "Password", input: {} });
    const filled = makeAction({ tool: "fill-secret", input: { from: "MAIL" } });
    const { parameters, steps } = make(typed, filled);
    expect(parameters).toEqual({
      password: { type: "secret", label: "Password" },
      mail: { type: "secret", label: "MAIL", default: "MAIL" },
    });
    expect(steps.map(({ tool, input }) => ({ tool, input }))).toEqual([
      { tool: "fill-secret", input: { from: "{{password}}" } },
      { tool: "fill-secret", input: { from: "{{mail}}" } },
    ]);
  });
});

test("a value that was masked or not recorded must be given", () => {
  const demo = make(makeField("Card", "[card number]"));
  expect(make(makeField("Letter", "", { input: {} })).parameters.letter).toEqual({ type: "text", label: "Letter" });
  expect(demo.parameters.card).toEqual({ type: "text", label: "Card" });
  expect(chooseValues(demo, {})).toMatchObject({ failure: { message: "the demo needs a value for card" } });
});

test("a press at a point keeps its place within the control", () => {
  expect(make(makeAction({ aim: "point" })).steps[0]).toMatchObject({ input: { at: "50,15" }, ref: { name: "Save" } });
});

describe("doubts are known at once", () => {
  const doubtsOf = (own: Partial<RecordedAction>) => make(makeAction(own)).steps[0]?.doubts ?? [];

  test("a ref that would not find its own element", () => {
    expect(doubtsOf({ evidence: [{ by: "ref", matches: 2 }] })).toEqual([
      "its ref found 2 elements when it was recorded, not one",
    ]);
    expect(doubtsOf({ evidence: [] })).toEqual(["it was not tested whether its ref finds it"]);
    expect(doubtsOf({})).toEqual([]);
  });

  test("a ref without role and name is none: the step has coordinates only", () => {
    const [step] = make(makeAction({ ref: { bbox: [1, 2, 3, 4], automation_id: "x" } })).steps;
    expect(step).toMatchObject({
      point: [60, 35],
      doubts: ["coordinates only: nothing tells which control was meant"],
    });
    expect(step?.ref).toBeUndefined();
  });

  test("what the host doubted, and an action that hit something else", () => {
    expect(doubtsOf({ doubt: "the tree was not up to date" })).toEqual(["the tree was not up to date"]);
    expect(doubtsOf({ effect: { verdict: "wrong-target", way: "pointer" } })).toHaveLength(1);
  });
});

test("of two values set in one field one after the other, the last is kept", () => {
  const { steps, parameters } = make(makeField("Name", "Ad"), makeField("Name", "Ada"));
  expect({ count: steps.length, value: parameters.name?.default }).toEqual({ count: 1, value: "Ada" });
});

const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 400 }),
  fc.constantFrom("a@b.de", "{{x}}", "7", "Save"),
);
const parts = fc.array(fc.record({ role: texts, name: texts }), { maxLength: 60 });
const actions: fc.Arbitrary<RecordedAction[]> = fc.array(
  fc.record({
    n: fc.nat(),
    atMs: fc.integer({ min: 1, max: 2_000_000_000_000 }),
    tookMs: fc.nat(),
    by: fc.constantFrom("agent" as const, "person" as const),
    client: texts,
    tool: fc.constantFrom(...actingTools, "click_element" as const, "do" as const),
    aim: fc.constantFrom("control" as const, "point" as const, "focus" as const, "window" as const),
    input: fc.dictionary(
      fc.constantFrom("text", "words", "key", "at", "args", "what", "from", "id", "on"),
      fc.oneof(texts, fc.nat(), fc.boolean(), fc.array(texts, { maxLength: 80 }), fc.constant(null)),
    ),
    secret: fc.option(texts, { nil: undefined }),
    ref: fc.option(
      fc.record(
        {
          role: texts,
          name: texts,
          window: texts,
          css_selector: texts,
          container_path: fc.array(texts, { maxLength: 40 }),
          neighbours: fc.array(texts, { maxLength: 40 }),
          bbox: fc.tuple(fc.nat(5000), fc.nat(5000), fc.nat(5000), fc.nat(5000)),
        },
        { requiredKeys: [] },
      ),
      { nil: undefined },
    ),
    point: fc.constant({ x: 1, y: 2 }),
    window: fc.option(texts, { nil: undefined }),
    app: fc.option(texts, { nil: undefined }),
    effect: fc.record({
      verdict: fc.constantFrom(...verdicts),
      way: texts,
      opened: fc.array(texts, { maxLength: 30 }),
      appeared: parts,
      gone: parts,
      changed: fc.array(
        fc.record({ role: texts, name: texts, what: fc.constantFrom("value", "states"), after: texts }),
        {
          maxLength: 60,
        },
      ),
    }),
  }),
  { maxLength: 8 },
);

describe("whatever was done", () => {
  test("gives a file that is read back as it was, with steps of at most 2 kB", () => {
    fc.assert(
      fc.property(actions, (list) => {
        const demo = makeDemo(list, { name: "any" });
        const back = parseDemo(printDemo(demo), "any");
        expect(back.ok ? back.value : back.failure.message).toEqual(JSON.parse(JSON.stringify(demo)));
        for (const step of demo.steps) expect(sizeOf(step)).toBeLessThanOrEqual(maxStepBytes);
      }),
      { numRuns: 60 },
    );
  });

  test("is filled in again with the recorded values exactly as it was typed", () => {
    const typable = texts.filter((text) => text !== "" && !/\p{Cc}/u.test(text));
    fc.assert(
      fc.property(fc.array(typable, { minLength: 1, maxLength: 6 }), (list) => {
        const demo = make(...list.map((text, index) => makeField(`Field ${index}`, text)));
        const values = chooseValues(demo, {});
        if (!values.ok) throw new Error(values.failure.message);
        expect(demo.steps.map(({ input }) => fillInput(input, values.value).text)).toEqual(list);
      }),
    );
  });

  test("never keeps what was typed into a secret field", () => {
    fc.assert(
      fc.property(
        texts.filter((text) => text.trim().length > 8),
        (secret) => {
          const action = makeField("Password", secret, { secret: "Password", effect: undefined });
          expect(printDemo(make(action))).not.toContain(JSON.stringify(secret).slice(1, -1));
        },
      ),
    );
  });
});

describe("values of a run", () => {
  const demo = make(makeField("E-mail", "ada@example.org"), makeField("Count", "12"));

  test("are the given ones, else the recorded ones", () => {
    expect(chooseValues(demo, { count: "13" })).toEqual({ ok: true, value: { email: "ada@example.org", count: "13" } });
  });

  test("are refused if the demo has no such parameter, or if they look like something else", () => {
    expect(chooseValues(demo, { mail: "x" })).toMatchObject({ ok: false, failure: { code: "USAGE" } });
    expect(chooseValues(demo, { count: "many" })).toMatchObject({
      failure: { message: "--param count: does not look like a number" },
    });
  });

  test("a secret without a name must be given", () => {
    const secret = make(makeField("Password", "", { secret: "Password", input: {} }));
    expect(chooseValues(secret, {})).toMatchObject({ failure: { message: "the demo needs a value for password" } });
  });

  test("stand in refs, too, and are not expanded twice", () => {
    const ref = { role: "tab", name: "{{a}}", window: "{{a}} - Editor", sisters: ["{{b}}", "x"] as const };
    expect(fillRef(ref, { a: "{{b}}", b: "B" })).toMatchObject({ name: "{{b}}", sisters: ["B", "x"] });
  });

  test("looks", () => {
    expect(["a@b.c", "2026-11-18", "18.11.2026", "-3,5", "~/x", "C:\\x", "1.2.3.4", "a b"].map(guessType)).toEqual([
      ...(["email", "date", "date", "number", "path", "path", "text", "text"] as const),
    ]);
  });
});

describe("what a person did", () => {
  const person = (own: Partial<RecordedAction>): RecordedAction =>
    makeAction({ by: "person", effect: undefined, ...own });
  const field = (own: Partial<RecordedAction>): RecordedAction => makeField("Name", "Ada", { by: "person", ...own });
  const { ref } = makeField("Name", "");

  test("in an application that may not be seen is a doubt at the steps beside it", () => {
    const gap = person({ gap: "this application may not be seen", ref: undefined, aim: "window" });
    const steps = makeDemo([gap, person({}), gap], { name: "d" }).steps;
    expect(steps.map(({ doubts }) => doubts)).toEqual([
      ["before it: this application may not be seen", "after it: this application may not be seen"],
    ]);
  });

  test("the picture of a click that only gave the focus is that of setting the field", () => {
    const bbox = [0, 0, 100, 100] as const;
    const own = makeField("Name", "Ada", { by: "person" });
    const click = (file: string): RecordedAction => ({ ...own, tool: "click", input: {}, picture: { file, bbox } });
    const pictures = (...actions: RecordedAction[]) =>
      make(...actions.map((one) => ({ ...one, effect: undefined }))).steps.map(({ picture }) => picture?.file);
    expect(pictures(click("p-1.png"), own)).toEqual(["p-1.png"]);
    expect(pictures(click("p-1.png"), { ...own, picture: { file: "p-2.png", bbox } })).toEqual(["p-2.png"]);
    expect(pictures(click("p-1.png"), makeField("Town", "London", { by: "person" }))).toEqual(["p-1.png", undefined]);
  });

  test("to give a field the focus is a part of setting it, unless it did something else", () => {
    const tools = (actions: readonly RecordedAction[]) =>
      makeDemo(actions, { name: "d" }).steps.map(({ tool }) => tool);
    const click = person({ ref });
    expect(tools([click, field({})])).toEqual(["set-value"]);
    expect(tools([click, field({ secret: "Name", tool: "type", input: {} })])).toEqual(["fill-secret"]);
    expect(tools([person({}), field({})])).toEqual(["click", "set-value"]);
    const effect = {
      verdict: "confirmed",
      way: "pointer",
      changed: [{ role: "list", name: "", what: "states", after: "x" }],
    } as const;
    expect(tools([{ ...click, effect }, field({})])).toEqual(["click", "set-value"]);
    const other = { ...ref, role: "input", name: "City" };
    const late = { ...effect, changed: [{ role: "input", name: "City", what: "value", after: "Bern" }] };
    expect(tools([field({ ref: other }), { ...click, effect: late }, field({})])).toEqual(["set-value", "set-value"]);
    expect(tools([{ ...click, by: "agent" }, field({})])).toEqual(["click", "set-value"]);
  });

  test("in a sheet: the Return that enters a cell is a part of setting it, a Tab is typed behind the text", () => {
    const cell = (name: string, text: string): RecordedAction =>
      makeAction({ by: "person", tool: "set-value", input: { text }, ref: { role: "cell", name, app: "calc" } });
    const key = (name: string, more = {}): RecordedAction =>
      makeAction({ by: "person", tool: "type", input: { key: name, ...more }, ref: undefined });
    const { steps, parameters } = make(
      ...[cell("A1", "Ada"), key("Return"), cell("A2", "Grace"), key("Tab"), cell("B2", "9"), key("Ctrl+S")],
    );
    expect(steps.map(({ tool, input }) => [tool, input])).toEqual([
      ["set-value", { text: "{{a1}}" }],
      ["type", { text: "{{a2}}\t" }],
      ["set-value", { text: "{{b2}}" }],
      ["type", { key: "Ctrl+S" }],
    ]);
    expect(parameters.a2?.default).toBe("Grace");
  });

  test("in the terminal of the recording is left out at both ends, not between", () => {
    const at = (app: string | undefined, atMs: number) => person({ app, atMs });
    const all = [at("XTerm", 1), at("form", 2), at("xterm", 3), at(undefined, 4), at("xterm", 5)];
    const kept = (own: string) => trimTerminal(all, new Set([own, ""])).map(({ atMs }) => atMs);
    expect([kept("xterm"), kept("kitty")]).toEqual([
      [2, 3, 4],
      [1, 2, 3, 4, 5],
    ]);
    expect(trimTerminal(all.slice(0, 1), new Set(["xterm"]))).toEqual([]);
  });

  test("without any sign of its effect needs none when it is done again", () => {
    expect(makeDemo([person({})], { name: "d" }).steps[0]?.effect?.verdict).toBe("unverified");
  });
});
