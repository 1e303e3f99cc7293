import { expect, test } from "bun:test";
import type { RecallRequest } from "../../src/host/port.ts";
import { Desk } from "../../src/library/desk.ts";
import { chooseOwn } from "../../src/library/record.ts";
import type { RecordedAction } from "../../src/model/demo.ts";
import { succeed } from "../../src/model/failure.ts";
import { makeAction, makeField } from "../demo/actions.ts";
import { makeScreenHost } from "../demo/screen-host.ts";

test("of the actions within a call its own is the last; others are left out", () => {
  const action = (n: number, atMs: number, tookMs: number, more: Partial<RecordedAction> = {}) =>
    makeAction({ n, atMs, tookMs, ...more });
  const actions = [
    action(1, 900, 50),
    // Another client, while the call waited for its turn.
    action(2, 1010, 50),
    action(3, 1005, 150),
    action(4, 1300, 50, { tool: "type" }),
    action(5, 2000, 10),
    action(6, 2020, 10, { tool: "type" }),
    action(7, 2025, 5, { by: "person" }),
  ];
  const calls = [
    { tool: "click_element", beganMs: 1000, endedMs: 1160 },
    { tool: "read", beganMs: 1290, endedMs: 1400 },
    { tool: "do", beganMs: 1995, endedMs: 2035 },
  ];
  expect(chooseOwn(actions, calls).map(({ n }) => n)).toEqual([3, 5, 6]);
});

test("what a desk does between record and stop is a demo, which it can replay", async () => {
  const screen = makeScreenHost([
    { id: 1, role: "input", name: "Name", app: "form", window: "Form" },
    { id: 2, role: "button", name: "Save", app: "form", window: "Form" },
  ]);
  const done: RecordedAction[] = [];
  const asked: (RecallRequest | undefined)[] = [];
  const host = {
    ...screen,
    async call(...[request, options]: Parameters<typeof screen.call>) {
      const atMs = Date.now();
      const reply = await screen.call(request, options);
      const more = { n: done.length + 1, atMs, tookMs: Date.now() - atMs };
      if (request.tool === "set-value") done.push(makeField("Name", String(request.input.text), more));
      if (request.tool === "click") done.push(makeAction(more));
      return reply;
    },
    recall: async (request?: RecallRequest) => {
      asked.push(request);
      return succeed(done);
    },
  };
  const desk = new Desk(host, { client: "shop" });
  await desk.call("click", { id: 2 });
  // A pause that the clocks tell apart.
  await Bun.sleep(20);
  const recording = desk.record("order", { description: "stores an order" });
  await desk.call("set-value", { id: 1, text: "Grace" });
  await desk.call("list", {});
  await desk.call("click", { id: 2 });
  const demo = await recording.stop();
  await desk.call("click", { id: 2 });
  expect(demo).toMatchObject({
    name: "order",
    description: "stores an order",
    recorded: { by: "agent", client: "shop" },
    parameters: { name: { default: "Grace" } },
    steps: [{ tool: "set-value" }, { tool: "click" }],
  });
  expect(demo.steps).toHaveLength(2);
  expect(asked).toMatchObject([{ client: "shop" }]);
  expect(await recording.stop()).toEqual(demo);
  const report = await desk.replay(demo, { name: "Ada" });
  expect(report.steps.map(({ state }) => state)).toEqual(["done", "done"]);
});
