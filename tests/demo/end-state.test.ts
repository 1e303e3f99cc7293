import { describe, expect, test } from "bun:test";
import { makeDemo } from "../../src/demo/make.ts";
import { replay } from "../../src/demo/replay/replay.ts";
import type { LastingState, RecordedAction, TargetState } from "../../src/model/demo.ts";
import { makeAction, makeField } from "./actions.ts";
import { makeScreenHost } from "./screen-host.ts";

// A step leads to the recorded end, from whatever there is when it is done again.

type Own = Partial<RecordedAction>;

function makeTyped(text: string, before: string, after: string | undefined, own: Own = {}, isMultiline = false) {
  const states = (value: string): TargetState => ({ value, states: [] });
  return makeField("Name", text, {
    tool: "type",
    target: {
      before: states(before),
      ...(after === undefined ? {} : { after: states(after) }),
      isMultiline,
      isCheckable: false,
    },
    ...own,
  });
}

function makePress(before: readonly LastingState[], after: readonly LastingState[] | undefined, own: Own = {}) {
  return makeAction({
    ref: { role: "checkbox", name: "News", app: "form", window: "Form" },
    target: {
      before: { states: before },
      ...(after === undefined ? {} : { after: { states: after } }),
      isMultiline: false,
      isCheckable: true,
    },
    ...own,
  });
}

const make = (...actions: RecordedAction[]) => makeDemo(actions, { name: "x" });
const stepOf = (action: RecordedAction) => make(action).steps[0];

describe("what was typed into a field", () => {
  test("is the field's whole value, with the keys as evidence if they were only a part of it", () => {
    const whole = make(makeTyped("Ada", "", "Ada"));
    expect(whole.steps[0]).toMatchObject({ tool: "set-value", input: { text: "{{name}}" } });
    expect(whole.steps[0]?.typed).toBeUndefined();
    const added = make(makeTyped("Ada ", "Dr. ", "Dr. Ada"));
    expect(added.parameters.name?.default).toBe("Dr. Ada ");
    expect(added.steps[0]).toMatchObject({ tool: "set-value", typed: "Ada" });
    // What was seen may be behind what was confirmed.
    for (const [before, after, end] of [
      ["", "A", "Ada Bell"],
      ["", "", "Ada Bell"],
      ["Dr.", "Dr. Ad", "Dr. Ada Bell"],
      ["Dr.", "Dr. Ada", "Dr. Ada Bell"],
    ] as const) {
      const late = make(makeTyped("Ada Bell", before, after));
      expect(late.parameters.name?.default).toBe(end);
    }
    const inside = make(makeTyped("Ada", "Dr. X", "Dr. AdaX"));
    expect(inside.parameters.name?.default).toBe("Dr. AdaX");
  });

  test("twice is one value", () => {
    const { steps, parameters } = make(makeTyped("Ada", "", "Ada"), makeTyped(" Bell", "Ada", "Ada Bell"));
    expect([steps.length, parameters.name?.default]).toEqual([1, "Ada Bell"]);
  });

  test("and shows otherwise, or submits it, replaces what it holds by then", () => {
    for (const [text, after] of [
      ["1234", "1,234"],
      ["Ada\n", ""],
      ["Ada", undefined],
    ] as const) {
      expect(stepOf(makeTyped(text, "", after))).toMatchObject({ tool: "type", input: { replace: true } });
    }
  });

  test("after other lines, or with an unknown end, needs the same text before it", () => {
    const lines = stepOf(makeTyped("two", "one", "one two", {}, true));
    expect(lines).toMatchObject({ tool: "type", input: { text: "{{name}}" }, wait: { holds: "one" } });
    expect(stepOf(makeTyped("two", "one", undefined))?.wait?.holds).toBe("one");
    expect(stepOf(makeTyped("two", "one ".repeat(60), undefined))?.doubts).toEqual([
      expect.stringContaining("held a long text"),
    ]);
  });

  test("is typed only after the recorded text, else nothing is done", async () => {
    const demo = make(makeTyped("two", "one", "one two", { effect: { verdict: "confirmed", way: "keys" } }, true));
    const field = { id: 1, role: "input", name: "Name", app: "form", window: "Form", value: "one" };
    const go = async (value: string) => {
      const host = makeScreenHost([{ ...field, value }]);
      const { stop } = await replay(demo, { host, values: { name: "two" }, timeoutMs: 20 });
      return [stop?.failure.message, host.calls.filter(({ tool }) => tool === "type").length] as const;
    };
    expect(await go("one")).toEqual([undefined, 1]);
    const [message, times] = await go("other");
    expect(message).toContain('holds "other", not "one" as when this was recorded');
    expect(times).toBe(0);
  });
});

describe("a control that is switched", () => {
  test("is brought into the state in which it was left", () => {
    const toolOf = (...given: Parameters<typeof makePress>) => stepOf(makePress(...given))?.tool;
    expect(toolOf([], ["checked"])).toBe("check");
    expect(toolOf(["checked"], [])).toBe("uncheck");
    expect(toolOf([], ["checked"], { tool: "toggle" })).toBe("check");
    expect(toolOf([], ["checked"], { tool: "type", input: { key: "Space" } })).toBe("check");
    expect(toolOf(["checked"], ["checked"], { ref: { role: "radio", name: "Large" } })).toBe("check");
    const bold = { ref: { role: "toggle", name: "Bold" } };
    expect(toolOf([], ["pressed"], bold)).toBe("check");
    expect(toolOf(["collapsed"], ["expanded"], { ref: { role: "treeitem", name: "Fruit" } })).toBe("expand");
    expect(toolOf(["expanded"], ["collapsed"], { ref: { role: "treeitem", name: "Fruit" } })).toBe("collapse");
    expect(toolOf([], ["selected"], { ref: { role: "tab", name: "Second" } })).toBe("select");
  });

  test("stays a press where it opens a menu or a window, or was pressed otherwise", () => {
    const opened = { effect: { verdict: "confirmed", way: "action", opened: ["Options"] } } as const;
    expect(stepOf(makePress([], ["pressed"], { ...opened, ref: { role: "toggle", name: "Options" } }))?.tool).toBe(
      "click",
    );
    expect(stepOf(makePress(["collapsed"], ["expanded"], { ref: { role: "select", name: "Size" } }))?.tool).toBe(
      "click",
    );
    expect(stepOf(makePress([], ["checked"], { input: { button: "right" } }))?.tool).toBe("click");
  });

  test("is a doubt if nothing shows its state", () => {
    const isDoubtful = (...given: Parameters<typeof makePress>) =>
      stepOf(makePress(...given))?.doubts?.some((one) => one.includes("may switch back")) === true;
    expect(isDoubtful([], [])).toBe(true);
    expect(isDoubtful([], undefined)).toBe(true);
    expect(isDoubtful([], [], { tool: "toggle", ref: { role: "button", name: "Mute" } })).toBe(true);
    expect(isDoubtful([], ["checked"])).toBe(false);
    expect(isDoubtful([], [], { ref: { role: "radio", name: "Large" } })).toBe(false);
    expect(isDoubtful([], [], { ref: { role: "button", name: "Save" } })).toBe(false);
  });

  test("and already is so, is left as it is, with a note", async () => {
    const press = () => ({ delivered: false, evidence: ["it already was checked"] });
    const host = makeScreenHost([{ id: 1, role: "checkbox", name: "News", app: "form", window: "Form", press }]);
    const report = await replay(make(makePress([], ["checked"])), { host, values: {}, timeoutMs: 20 });
    expect(report).toMatchObject({ delivered: 0, steps: [{ state: "done", notes: ["it already was checked"] }] });
  });
});
