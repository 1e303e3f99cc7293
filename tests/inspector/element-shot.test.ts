import { expect, test } from "bun:test";
import type { CallReply, CallRequest } from "../../src/host/port.ts";
import { Asker } from "../../src/server/inspector/panel.ts";
import { takeShot } from "../../src/server/inspector/panels/element.ts";

const own = { id: 7, bounds: [0, 0, 400, 300], state: [] };
const over = { id: 8, bounds: [100, 100, 50, 50], state: [] };
const bounds = { x: 110, y: 120, width: 80, height: 20 };

/** The input with which the picture was requested. */
async function findAsked(windows: readonly unknown[], states: readonly string[] = [], isRegionRefused = false) {
  const asked: unknown[] = [];
  const answers: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    element: { now: { windowId: 7, bounds, states } },
    list: { windows },
  };
  const failure = { code: "UNAVAILABLE", message: "no", done: "" } as const;
  const call = async ({ tool, input }: CallRequest): Promise<CallReply> => {
    const reply = { outputs: {}, exitCode: 0, warnings: [] };
    if (tool !== "screenshot") return { ...reply, data: answers[tool] };
    asked.push(input);
    if (isRegionRefused && "region" in input) return { ...reply, failure };
    return { ...reply, data: { data: "", width: 1, height: 1 } };
  };
  const asker = new Asker({ call }, new AbortController().signal);
  expect((await takeShot(asker, 3, 0.5)).ok).toBe(true);
  return asked;
}

const [byRegion, byWindow] = [
  { region: "110,120,80,20", scale: 0.5 },
  { id: 3, scale: 0.5 },
];

test("the picture of a control is cut from the screen if nothing covers it, else from its window", async () => {
  expect(await findAsked([own, over])).toEqual([byRegion]);
  expect(await findAsked([over, own])).toEqual([byWindow]);
  expect(await findAsked([{ ...over, bounds: [300, 0, 50, 50] }, own])).toEqual([byRegion]);
  expect(await findAsked([{ ...over, state: ["minimised"] }, own])).toEqual([byRegion]);
  expect(await findAsked([{ ...own, state: ["minimised"] }])).toEqual([byWindow]);
  expect(await findAsked([own], ["hidden"])).toEqual([byWindow]);
  expect(await findAsked([over])).toEqual([byWindow]);
  expect(await findAsked([own], [], true)).toEqual([byRegion, byWindow]);
});
