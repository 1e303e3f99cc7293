import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { act } from "../../src/desktop/index.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import type { Result } from "../../src/model/failure.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import { openGuard } from "../guard/open-guard.ts";
import { button, Desk, makeMapFolder, text } from "../map/desk.ts";

const folder = makeMapFolder();
afterAll(() => folder.remove());
let store: SqliteStore;
beforeEach(() => {
  store = folder.open();
});
afterEach(() => store.close());

async function press(desk: Desk, mark: number): Promise<Result<unknown>> {
  const desktop = { platform: desk.fake.open(), marks: store, guard: openGuard(desk.fake) };
  const order = { kind: "click", button: "left", count: 1 } as const;
  return act(desktop, { tool: "click", aim: { by: "mark", mark }, order, isDryRun: false, timeoutMs: 1000 });
}

describe("a mark of one of two controls that differ only in their order", () => {
  const children = [button("Remove"), button("Remove")];

  test("is pressed while the same control is there", async () => {
    const desk = new Desk(store, { title: "List", children });
    const [first] = desk.findAll("Remove");
    if (first === undefined) throw new Error("no button");
    await press(desk, await desk.markOf(first));
    expect(desk.fake.pressed).toEqual([first]);
  });

  test("is refused after the application restarts: they may have changed places", async () => {
    const desk = new Desk(store, { title: "List", children });
    const [first] = desk.findAll("Remove");
    if (first === undefined) throw new Error("no button");
    const mark = await desk.markOf(first);
    desk.fake.end(desk.app);
    desk.fake.start({ name: desk.app.name, windows: [{ title: "List", children }] });
    const pressed = await press(desk, mark);
    expect(pressed.ok ? "pressed" : pressed.failure.code).toBe("AMBIGUOUS");
    expect(desk.fake.pressed).toEqual([]);
  });
});

test("the mark of a text that changed is not followed to a new control with its former words", async () => {
  const desk = new Desk(store, { title: "Status", children: [text("Saved"), button("Go")] });
  const status = desk.find("Saved");
  const mark = await desk.markOf(status);
  status.rename("Deleting");
  expect(await desk.markOf(status)).toBe(mark);
  status.remove();
  desk.app.windows[0]?.listControls()[0]?.insert(text("Saved"), 0);
  const pressed = await press(desk, mark);
  expect(pressed.ok ? "pressed" : pressed.failure.message).toContain('text "Deleting"');
  expect(desk.fake.pressed).toEqual([]);
});

test("a text with the same words keeps its mark, even after its application restarts", async () => {
  const children = [text("Ready"), button("Go")];
  const desk = new Desk(store, { title: "Status", children });
  const status = desk.find("Ready");
  const mark = await desk.markOf(status);
  for (const words of ["Saving", "Ready"]) {
    status.rename(words);
    expect(await desk.markOf(status)).toBe(mark);
  }
  desk.app.restart();
  await press(desk, mark);
  expect(desk.fake.pressed.map(({ name }) => name)).toEqual(["Ready"]);
});

describe("a mark is not followed to a new control that looks like the marked one did", () => {
  const group = { role: "group" as const, name: "Totals", actions: ["press" as const] };

  test("while the marked one is hidden in a window whose title changed", async () => {
    const desk = new Desk(store, { title: "One", children: [group] });
    const first = desk.find("Totals");
    const mark = await desk.markOf(first);
    first.isHidden = true;
    desk.app.windows[0]?.retitle("Two");
    desk.app.openWindow({ title: "One", children: [group] });
    await press(desk, mark);
    expect(desk.fake.pressed).toEqual([first]);
  });

  test("while the marked one is there with other words beside it", async () => {
    const children = [text("Price"), button("Delete"), text("Note"), button("Delete")];
    const desk = new Desk(store, { title: "One", children });
    const [first] = desk.findAll("Delete");
    if (first === undefined) throw new Error("no button");
    const mark = await desk.markOf(first);
    desk.find("Price").rename("Cost");
    desk.app.windows[0]?.retitle("Two");
    desk.app.openWindow({ title: "One", children });
    const pressed = await press(desk, mark);
    expect(desk.fake.pressed).toEqual([]);
    expect(pressed.ok ? "pressed" : pressed.failure.message).toContain("another control looks as it did");
  });
});

describe("a refused mark names the control that has its words now, with its mark", () => {
  const pane = (name: string, ...children: readonly ControlSketch[]) => ({ role: "group" as const, name, children });

  test("where the marked one is gone", async () => {
    const desk = new Desk(store, { title: "Form", children: [pane("Old", button("Send")), button("Sender")] });
    const old = await desk.markOf(desk.find("Send"));
    desk.find("Old").remove();
    desk.app.windows[0]?.listControls()[0]?.insert(pane("New", button("Send")), 0);
    const refused = await press(desk, old);
    const [first = ""] = refused.ok ? [] : (refused.failure.nearest ?? []);
    expect(first).toMatch(/^\d+ btn "Send" in App\d+$/);
    // The same order, given again by a client that retries, still presses nothing.
    expect(await press(desk, old)).toMatchObject({ ok: false });
    expect(desk.fake.pressed).toEqual([]);
    await press(desk, Number.parseInt(first, 10));
    expect(desk.fake.pressed).toEqual([desk.find("Send")]);
  });

  test("where the marked one has other words, beside those", async () => {
    const desk = new Desk(store, { title: "Form", children: [button("Send"), text("Hello")] });
    const sent = desk.find("Send");
    const mark = await desk.markOf(sent);
    sent.rename("Sent");
    desk.app.windows[0]?.listControls()[0]?.insert(pane("New", button("Send")), 0);
    const refused = await press(desk, mark);
    expect(refused.ok ? [] : refused.failure.nearest).toEqual(
      expect.arrayContaining(["btn Sent", expect.stringMatching(/^\d+ btn "Send" in /)]),
    );
    expect(await press(desk, mark)).toMatchObject({ ok: false });
    expect(desk.fake.pressed).toEqual([]);
  });

  test("where only their order would decide, and the mark itself is not given again", async () => {
    const children = [button("Remove"), button("Remove")];
    const desk = new Desk(store, { title: "List", children });
    const [first] = desk.findAll("Remove");
    if (first === undefined) throw new Error("no button");
    const mark = await desk.markOf(first);
    desk.app.restart();
    for (const _ of [1, 2]) {
      const refused = await press(desk, mark);
      const near = refused.ok ? [] : (refused.failure.nearest ?? []);
      expect(near).toHaveLength(2);
      expect(near.join(" ")).not.toMatch(new RegExp(`\\b${mark} btn`));
    }
    expect(desk.fake.pressed).toEqual([]);
  });
});
