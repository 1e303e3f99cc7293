import { afterAll, expect, test } from "bun:test";
import { act } from "../../src/desktop/index.ts";
import { succeed } from "../../src/model/failure.ts";
import { openGuard } from "../guard/open-guard.ts";
import { Desk, makeMapFolder } from "../map/desk.ts";

const folder = makeMapFolder();
afterAll(() => folder.remove());

/** Types into a field that adds a text after what was typed, as an address bar does. */
async function typeInto(added: string, isSelected: boolean) {
  const marks = folder.open();
  const field = { role: "input", name: "Address", states: ["focusable", "focused", "editable"] } as const;
  const desk = new Desk(marks, { title: "Browser", children: [field] });
  const platform = desk.fake.open();
  const { glimpse } = platform;
  platform.glimpse = async (...given) => {
    const seen = await glimpse.apply(platform, given);
    if (!seen.ok || seen.value?.length === undefined) return seen;
    const { length } = seen.value;
    const start = isSelected ? length - added.length : length;
    return succeed({ ...seen.value, caret: { at: length, start, end: length } });
  };
  const hands = desk.fake.openHands();
  desk.fake.openHands = () => hands;
  hands.input = async (command) => {
    if (command.kind === "type") desk.find("Address").value = `${command.text}${added}`;
    return succeed(undefined);
  };
  const desktop = { platform, marks, guard: openGuard(desk.fake) };
  const order = { kind: "type", text: "about:con", delayMs: 0 } as const;
  const effect = await act(desktop, { tool: "type", aim: undefined, order, isDryRun: false, timeoutMs: 1000 });
  marks.close();
  if (!effect.ok) throw new Error(effect.failure.message);
  return effect.value;
}

test("what a field completes by itself and leaves selected is told, and what was typed is confirmed", async () => {
  const { verdict, evidence } = await typeInto("fig", true);
  expect([verdict, evidence]).toEqual([
    "confirmed",
    ["it holds what was typed", 'the field added "fig" after it, which is selected'],
  ]);
});

test("what a field adds and does not select is not what was typed", async () => {
  expect((await typeInto("fig", false)).verdict).toBe("partial");
});
