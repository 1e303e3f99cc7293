import { describe, expect, test } from "bun:test";
import {
  deleteSteps,
  type Edited,
  findBrokenLink,
  moveStep,
  noteStep,
  renameParameter,
  repickStep,
  retypeParameter,
} from "../../src/demo/edit.ts";
import { type Demo, printDemo } from "../../src/demo/file.ts";
import { makeDemo } from "../../src/demo/make.ts";
import { parseDemo } from "../../src/demo/read.ts";
import type { Result } from "../../src/model/failure.ts";
import { fc } from "../property.ts";
import { makeAction, makeField } from "./actions.ts";

const startMs = 1_790_000_000_000;
const at = (seconds: number) => ({ atMs: startMs + seconds * 1000 });

/** 1 types a name, 2 opens a dialog, 3 works in it and shows a number, 4 types that number, 5 saves. */
const demo: Demo = makeDemo(
  [
    makeField("Name", "Ada Lovelace", at(0)),
    makeAction({ ...at(2), effect: { verdict: "confirmed", way: "action", opened: ["Number"] } }),
    makeAction({
      ...at(5),
      window: "Number",
      effect: {
        verdict: "confirmed",
        way: "action",
        changed: [{ role: "text", name: "Result", what: "value", after: "4711" }],
      },
    }),
    makeField("Order", "4711", at(6)),
    makeAction({ ...at(10), window: "Ada Lovelace - Form" }),
  ],
  { name: "order" },
);

function take(result: Result<Edited>): Demo {
  if (!result.ok) throw new Error(result.failure.message);
  expect(parseDemo(printDemo(result.value.demo), "it")).toMatchObject({ ok: true });
  return result.value.demo;
}

const refusalOf = (result: Result<Edited>): string => (result.ok ? "" : result.failure.message);

describe("deleting", () => {
  test("links follow, and parameters that nothing uses any more go along", () => {
    const after = take(deleteSteps(demo, [1]));
    expect(after.steps.map(({ wait }) => wait?.opened_by)).toEqual([undefined, 1, undefined, undefined]);
    expect(after.parameters.order?.from?.step).toBe(2);
    // A later title still has it.
    expect(Object.keys(after.parameters)).toEqual(["name", "order"]);
    expect(Object.keys(take(deleteSteps(demo, [1, 5])).parameters)).toEqual(["order"]);
  });

  test("what a later step needs is refused, with the reason", () => {
    expect(refusalOf(deleteSteps(demo, [2]))).toBe("step 3 works in the window that step 2 opens");
    expect(refusalOf(deleteSteps(demo, [2, 3]))).toBe("step 4 types {{order}}, which step 3 puts on the screen");
    expect(take(deleteSteps(demo, [2, 3, 4])).steps).toHaveLength(2);
  });

  test("not all steps, and none that is not there", () => {
    expect(refusalOf(deleteSteps(demo, [1, 2, 3, 4, 5]))).toBe("a demo needs a step");
    expect(refusalOf(deleteSteps(demo, [6]))).toBe("there is no step 6: it has 5");
  });
});

describe("moving", () => {
  test("links and distances in time go along", () => {
    const after = take(moveStep(demo, 1, 3));
    expect(after.steps.map(({ tool }) => tool)).toEqual(["click", "click", "set-value", "set-value", "click"]);
    expect(after.steps.map(({ wait }) => wait?.opened_by)).toEqual([undefined, 1, undefined, undefined, undefined]);
    expect(after.parameters.order?.from?.step).toBe(2);
    expect(after.steps.map((step) => step.after_ms)).toEqual([0, 3000, 3000, 4000, 8000]);
  });

  test("not before what it needs", () => {
    expect(refusalOf(moveStep(demo, 3, 1))).toBe(
      "step 3 works in the window that step 2 opens, and would come before it",
    );
    expect(refusalOf(moveStep(demo, 3, 5))).toBe(
      "step 4 types {{order}}, which step 3 puts on the screen, and would come before it",
    );
  });

  test("whatever is moved or deleted, every link leads back to what it led to", () => {
    const number = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(number, number, fc.uniqueArray(number, { maxLength: 3 }), (from, to, gone) => {
        const moved = moveStep(demo, from, to);
        const edited = moved.ok ? deleteSteps(moved.value.demo, gone) : moved;
        if (!edited.ok) return;
        const after = take(edited);
        expect(findBrokenLink(after)).toBeUndefined();
        for (const { wait } of after.steps) {
          if (wait?.opened_by !== undefined)
            expect(after.steps[wait.opened_by - 1]?.effect?.opened).toEqual(["Number"]);
        }
        const origin = after.parameters.order?.from?.step;
        if (origin !== undefined) expect(after.steps[origin - 1]?.effect?.changed?.[0]?.name).toBe("Result");
      }),
    );
  });
});

describe("parameters", () => {
  test("a new name stands wherever the old one stood", () => {
    const after = take(renameParameter(demo, "name", "customer"));
    expect(Object.keys(after.parameters)).toEqual(["customer", "order"]);
    expect(after.steps[0]?.input.text).toBe("{{customer}}");
    expect(after.steps[4]?.window).toBe("{{customer}} - Form");
    expect(JSON.stringify(after)).not.toContain("{{name}}");
  });

  test("a name that is taken, unknown or none is refused", () => {
    expect(refusalOf(renameParameter(demo, "name", "order"))).toBe("there is a parameter called order already");
    expect(refusalOf(renameParameter(demo, "nome", "x"))).toContain("it has name, order");
    expect(refusalOf(renameParameter(demo, "name", "__proto__"))).toContain("is no name of a parameter");
    expect(refusalOf(renameParameter(demo, "toString", "x"))).toContain("no parameter called");
  });

  test("a type that its recorded value has", () => {
    expect(take(retypeParameter(demo, "order", "text")).parameters.order?.type).toBe("text");
    expect(refusalOf(retypeParameter(demo, "name", "date"))).toContain('"Ada Lovelace", does not look like a date');
    expect(refusalOf(retypeParameter(demo, "name", "colour"))).toBe('no type is called "colour"');
    expect(refusalOf(retypeParameter(demo, "name", "secret"))).toContain("one cannot become the other");
  });
});

test("a note is written, and an empty one removes it", () => {
  const noted = take(noteStep(demo, 2, "only abroad\u001b[2J"));
  expect(noted.steps[1]?.note).not.toMatch(/\p{Cc}/u);
  expect(take(noteStep(noted, 2, "")).steps[1]).toEqual(demo.steps[1]);
});

describe("another control", () => {
  const ref = { role: "button", name: "Ada Lovelace", app: "form", window: "Number", bbox: [1, 2, 31, 42] as const };
  const target = { ref, evidence: [{ by: "ref" as const, matches: 1 }], point: { x: 16, y: 22 } };

  test("its ref, place and window are those of the step, the former ones are kept", () => {
    const steps = demo.steps.map((step) => ({ ...step, doubts: ["its ref found 2 elements"] }));
    const after = take(repickStep({ ...demo, steps }, 5, target, startMs));
    expect(after.steps[4]).toMatchObject({
      ref: { role: "button", name: "{{name}}", window: "Number" },
      window: "Number",
      wait: { window: "Number", opened_by: 2 },
      point: [16, 22],
    });
    expect(after.steps[4]?.doubts).toBeUndefined();
    expect(after.former).toMatchObject([{ step: 5, ref: { name: "Save" } }]);
    expect(take(deleteSteps(after, [1])).former).toMatchObject([{ step: 4 }]);
  });

  test("where it changed itself, the new one is expected to change", () => {
    const field = { role: "input", name: "Full name", app: "form", window: "Form" };
    const after = take(repickStep(demo, 1, { ref: field, evidence: [{ by: "ref", matches: 2 }] }, startMs));
    expect(after.steps[0]?.effect?.changed).toMatchObject([{ role: "input", name: "Full name" }]);
    expect(after.steps[0]?.doubts).toEqual(["its ref found 2 elements when it was recorded, not one"]);
  });

  test("nothing without a role and a name, and not for a step that acts on none", () => {
    expect(refusalOf(repickStep(demo, 1, { ref: {} }, startMs))).toContain("neither a role nor a name");
    const keys = makeDemo([makeAction({ tool: "open", input: { what: "gedit" }, ref: undefined })], { name: "open" });
    expect(refusalOf(repickStep(keys, 1, target, startMs))).toBe("step 1 (open) acts on no control");
  });
});
