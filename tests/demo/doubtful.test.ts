import { describe, expect, test } from "bun:test";
import { settleDoubts } from "../../src/demo/edit.ts";
import { makeDemo } from "../../src/demo/make.ts";
import { type ReplayOptions, replay } from "../../src/demo/replay/replay.ts";
import { makeAction } from "./actions.ts";
import { makeScreenHost } from "./screen-host.ts";

const doubt = "a menu was open, and may have taken it";
const demo = makeDemo(
  [
    makeAction({ ref: { role: "button", name: "Save", app: "form", window: "Form" } }),
    makeAction({ ref: { role: "button", name: "Wipe", app: "form", window: "Form" }, doubt }),
  ],
  { name: "doubtful" },
);

async function run(options: Partial<ReplayOptions> = {}, steps = demo) {
  const form = { role: "button", app: "form", window: "Form" };
  const screen = makeScreenHost([
    { ...form, id: 1, name: "Save" },
    { ...form, id: 2, name: "Wipe" },
  ]);
  const report = await replay(steps, { host: screen, values: {}, timeoutMs: 50, ...options });
  return { ...report, pressed: screen.calls.flatMap(({ tool, input }) => (tool === "click" ? [input.id] : [])) };
}

describe("a step that was recorded with a doubt", () => {
  test("is not done without a person's word", async () => {
    const { stop, pressed } = await run();
    expect(stop).toMatchObject({ n: 2, exitCode: 1, failure: { code: "UNAVAILABLE" } });
    expect(stop?.failure.message).toBe(`it was recorded with a doubt: ${doubt}`);
    expect(stop?.failure.done).toBe("step 1 was done; step 2 was not done.");
    expect(stop?.failure.suggestion).toContain("--allow-doubtful");
    expect(pressed).toEqual([1]);
  });

  test("is done with it, and the report says so", async () => {
    const { stop, steps, pressed } = await run({ allowsDoubtful: true });
    expect({ stop, pressed }).toEqual({ stop: undefined, pressed: [1, 2] });
    expect(steps[1]?.notes).toEqual([`recorded with a doubt: ${doubt}`]);
  });

  test("is named to whoever is asked before each step, whose answer is enough", async () => {
    const asked: string[] = [];
    const onBefore = (_n: number, _count: number, words: string): "do" => {
      asked.push(words);
      return "do";
    };
    const { stop, pressed } = await run({ onBefore });
    expect({ stop, pressed }).toEqual({ stop: undefined, pressed: [1, 2] });
    expect(asked[0]).not.toContain("doubtful");
    expect(asked[1]).toEndWith(`; doubtful: ${doubt}`);
  });

  test("is told of in a plan", async () => {
    const { stop, steps } = await run({ isDry: true });
    expect({ stop, notes: steps[1]?.notes }).toEqual({
      stop: undefined,
      notes: [`recorded with a doubt: ${doubt}`],
    });
  });

  test("is like any other once a person has settled it for ever", async () => {
    const settled = settleDoubts(demo, [2]);
    if (!settled.ok) throw new Error(settled.failure.message);
    expect(settled.value.demo.steps[1]?.doubts).toBeUndefined();
    expect((await run({}, settled.value.demo)).stop).toBeUndefined();
    expect(settleDoubts(demo, [3])).toMatchObject({ ok: false, failure: { code: "USAGE" } });
  });
});

test("what a replay finds out itself is no reason to stop", async () => {
  const evidence = [{ by: "ref", matches: 2 }] as const;
  const twins = makeDemo([makeAction({ ref: { role: "button", name: "Save", app: "form" }, evidence })], { name: "x" });
  expect(twins.steps[0]?.doubts).toHaveLength(1);
  expect((await run({}, twins)).stop).toBeUndefined();
});
