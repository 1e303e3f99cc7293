import { describe, expect, test } from "bun:test";
import { makeDemo } from "../../src/demo/make.ts";
import { replay } from "../../src/demo/replay/replay.ts";
import type { RecordedAction } from "../../src/model/demo.ts";
import { makeAction } from "./actions.ts";
import { type Control, makeScreenHost } from "./screen-host.ts";

// Steps of which the recording shows that nothing comes of them.

const atMs = 1_790_000_000_000;
const press = (name: string, own: Partial<RecordedAction> = {}): RecordedAction =>
  makeAction({ ref: { role: "button", name, app: "form", window: "Form" }, effect: undefined, ...own });
const control = (id: number, name: string, own: Partial<Control> = {}): Control => ({
  ...{ id, role: "button", name, app: "form", window: "Form" },
  press: () => ({ effect: "unverified" }),
  ...own,
});

async function run(actions: readonly RecordedAction[], controls: Control[], to?: number) {
  const screen = makeScreenHost(controls);
  const by = actions.map((one): RecordedAction => ({ ...one, by: "person" }));
  const demo = makeDemo(by, { name: "silent" });
  const report = await replay(demo, { host: screen, values: {}, timeoutMs: 50, to });
  const clicks = screen.calls.filter(({ tool }) => tool === "click");
  return { ...report, screen, silences: clicks.map(({ foretold }) => foretold?.silenceMs) };
}

describe("a step without an effect", () => {
  test("is looked at briefly, and as ever at the end", async () => {
    const actions = [press("A", { atMs }), press("B", { atMs: atMs + 900 }), press("C", { atMs: atMs + 1800 })];
    const controls = [control(1, "A"), control(2, "B"), control(3, "C")];
    expect(await run(actions, controls)).toMatchObject({ stop: undefined, silences: [60, 60, 550] });
    expect((await run(actions, controls, 2)).silences).toEqual([60, 550]);
  });

  test("is looked at as ever if the next input came before its effect could show", async () => {
    const actions = [press("A", { atMs }), press("B", { atMs: atMs + 200 })];
    expect((await run(actions, [control(1, "A"), control(2, "B")])).silences).toEqual([undefined, 550]);
  });

  test("is looked at as ever if the recording shows one", async () => {
    const opened = { verdict: "confirmed" as const, way: "pointer", opened: ["Saved"] };
    const actions = [press("A", { atMs, effect: opened }), press("B", { atMs: atMs + 900 })];
    const open = () => ({ changes: { openedWindows: [{ id: 1, app: "form", title: "Saved" }] } });
    const controls = [control(1, "A", { press: open }), control(2, "B")];
    expect((await run(actions, controls)).silences).toEqual([undefined, 550]);
  });

  test("stops the replay before the next one if a window opened that the recording does not have", async () => {
    const actions = [press("A", { atMs }), press("B", { atMs: atMs + 900 })];
    const controls = [control(1, "A"), control(2, "B")];
    const warn = control(3, "OK", { window: "Disk full" });
    Object.assign(controls[0] ?? {}, {
      press: () => {
        controls.push(warn);
        return { effect: "unverified" };
      },
    });
    const { stop, silences } = await run(actions, controls);
    expect(stop).toMatchObject({ n: 2, exitCode: 1, failure: { code: "FAILED" } });
    expect(stop?.failure.message).toContain('the window "Disk full" opened after step 1');
    expect(silences).toEqual([60]);
  });

  test("does not stop it for a window that a later step uses", async () => {
    const actions = [
      press("A", { atMs }),
      press("OK", { atMs: atMs + 900, ref: { role: "button", name: "OK", app: "form", window: "Ask" }, window: "Ask" }),
    ];
    const controls = [control(1, "A"), control(3, "OK", { window: "Ask" })];
    expect((await run(actions, controls)).stop).toBeUndefined();
  });
});
