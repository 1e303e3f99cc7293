import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { raiseCounter } from "../../src/map/store/exchange.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import type { Tool } from "../../src/tools/define.ts";
import { clickElement, recordActionResult, typeInElement } from "../../src/tools/elements.ts";
import { find } from "../../src/tools/find.ts";
import { read } from "../../src/tools/read.ts";
import { getScreenContext, getScreenTargets } from "../../src/tools/screen-targets.ts";
import { teach, teachElement } from "../../src/tools/teach.ts";
import { button, makeMapFolder } from "../map/desk.ts";
import { runTool, toJson } from "./run-tool.ts";
import { makeActingSession } from "./session.ts";

let folder: ReturnType<typeof makeMapFolder>;
let store: SqliteStore;
beforeEach(() => {
  folder = makeMapFolder();
  store = folder.open();
});
afterEach(() => {
  store.close();
  folder.remove();
});

const bounds = { x: 0, y: 0, width: 400, height: 300 };
const log: ControlSketch = { role: "text", name: "nothing yet" };

/** A form with a button that has an effect and one that has none, a field and a link. */
function openForm() {
  const desktop: FakeDesktop = new FakeDesktop({
    applications: [
      {
        name: "Editor",
        windows: [
          {
            title: "Form",
            bounds,
            children: [
              log,
              button("Send", { onPress: () => findControl(desktop, "nothing yet")?.rename("sent") }),
              button("Idle", { onPress: () => {} }),
              { role: "input", name: "Email", actions: ["set", "focus"], states: ["focusable"] },
              { role: "link", name: "Help", actions: ["press"] },
              button("Extra one"),
            ],
          },
        ],
      },
      { name: "Other", windows: [{ title: "Else", bounds: { ...bounds, x: 400 }, children: [button("Far away")] }] },
    ],
  });
  const session = makeActingSession(desktop, store);
  const run = async (tool: Tool, input: Record<string, unknown> = {}) => {
    const result = await runTool(tool, input, session);
    if (!result.ok) return { code: result.failure.code, message: result.failure.message };
    return { ...toJson(result.value), exitCode: result.value.exitCode };
  };
  const idOf = async (label: string): Promise<string> => {
    const { elements } = await run(getScreenTargets);
    return elements.find((one: { label: string }) => one.label === label)?.id ?? "";
  };
  return { desktop, session, run, idOf };
}

function findControl(desktop: FakeDesktop, name: string) {
  const controls = desktop.applications.flatMap(({ windows }) => windows.flatMap((one) => one.listControls()));
  return controls.find((control) => control.name === name);
}

describe("get_screen_targets", () => {
  test("lists actionable elements in the seed's format, the active window first, and leaves texts out", async () => {
    const { run } = openForm();
    const list = await run(getScreenTargets);
    expect(list).toMatchObject({ app: "Editor", window: "Form", elementCount: 6 });
    expect(list.elements[0]).toMatchObject({ type: "button", label: "Send", confidence: "0.95", learned: false });
    expect(list.elements[0].id).toMatch(/^\d+$/);
    expect(list.elements[0].position).toMatch(/^\(\d+, \d+\)$/);
    expect(list.elements.at(-1).label).toBe("Far away");
  });

  test("accepts an application and a role, and lists thirty of however many it counts", async () => {
    const { run } = openForm();
    expect(await run(getScreenTargets, { appFilter: "oth" })).toMatchObject({
      elementCount: 1,
      elements: [{ label: "Far away" }],
    });
    const inputs = await run(getScreenTargets, { roleFilter: "input" });
    expect(inputs).toMatchObject({ elementCount: 1, elements: [{ type: "input", label: "Email" }] });
    const many = new FakeDesktop({
      applications: [
        {
          name: "Many",
          windows: [{ title: "M", bounds, children: Array.from({ length: 70 }, (_, at) => button(`B${at}`)) }],
        },
      ],
    });
    const result = await runTool(getScreenTargets, {}, makeActingSession(many, store));
    const list = result.ok ? toJson(result.value) : {};
    expect(list.elementCount).toBe(70);
    expect(list.elements).toHaveLength(30);
  });

  test("names in text the window of each target, not only the active one", async () => {
    const { session } = openForm();
    const all = await runTool(getScreenTargets, {}, session);
    const lines = all.ok ? all.value.text().split("\n") : [];
    expect([lines[0], lines.at(-2)]).toEqual(['# Editor "Form"', '# Other "Else"']);
    const other = await runTool(getScreenTargets, { appFilter: "oth" }, session);
    expect(other.ok && other.value.text()).toStartWith('# Other "Else"\n');
  });

  test("refuses an invalid area, and shows only what lies in a valid one", async () => {
    const { run } = openForm();
    expect(await run(getScreenTargets, { focusArea: "1,2" })).toMatchObject({ code: "USAGE" });
    const { elements } = await run(getScreenTargets, { focusArea: "400,0,400,300" });
    expect(elements.map(({ label }: { label: string }) => label)).toEqual(["Far away"]);
  });

  test("says that there is no picture reader if a picture is required", async () => {
    const { run } = openForm();
    const list = await run(getScreenTargets, { forceVision: true });
    expect(list.notes[0].text).toContain("nothing here reads pictures");
    expect(list.elementCount).toBe(6);
  });
});

describe("an action on an element", () => {
  test("succeeds only if its effect was seen, and is learned from", async () => {
    const { run, idOf } = openForm();
    const [send, idle] = [await idOf("Send"), await idOf("Idle")];
    expect(await run(clickElement, { elementId: send })).toMatchObject({
      success: true,
      clicked: "Send",
      confidence: 0.99,
      exitCode: 0,
    });
    expect(await run(clickElement, { elementId: idle })).toMatchObject({
      success: false,
      effect: "no-change",
      exitCode: 4,
    });
    const learned = store.findLearned([Number(send), Number(idle)]);
    expect(learned.get(Number(send))).toMatchObject({ hits: 1, misses: 0 });
    expect(learned.get(Number(idle))).toMatchObject({ hits: 0, misses: 1 });
    expect(await run(getScreenTargets, { learnedOnly: true })).toMatchObject({
      elementCount: 1,
      elements: [{ label: "Send" }],
    });
    const { elements } = await run(getScreenTargets, { appFilter: "editor" });
    expect(elements[0]).toMatchObject({ label: "Send", learned: true });
    // 0.99, because it stayed in place in the snapshot that showed the effect of Send; less 0.15.
    expect(elements.find(({ label }: { label: string }) => label === "Idle").confidence).toBe("0.84");
  });

  test("is not what a key does to the focused control", async () => {
    const { run, desktop } = openForm();
    findControl(desktop, "Send")?.states.add("focused");
    const { type } = await import("../../src/tools/type.ts");
    await run(type, { key: "enter", app: "Editor" });
    expect(store.listTargets({ minHits: 1 })).toEqual([]);
  });

  test("may be typing, and says what was typed where", async () => {
    const { run, idOf, desktop } = openForm();
    const typed = await run(typeInElement, { elementId: await idOf("Email"), text: "ann@example.org" });
    expect(typed).toMatchObject({ success: true, typed: "ann@example.org", in: "Email" });
    expect(findControl(desktop, "Email")?.value).toBe("ann@example.org");
  });

  test("is refused for an invalid or unknown id, and nothing is pressed", async () => {
    const { run, desktop } = openForm();
    expect(await run(clickElement, { elementId: "btn_submit" })).toMatchObject({ code: "USAGE" });
    expect(await run(clickElement, { elementId: "987654" })).toMatchObject({ code: "NOT_FOUND" });
    expect(desktop.pressed).toEqual([]);
  });

  test("also accepts a sixteen-digit id, as a process with an unwritable map gives out", async () => {
    raiseCounter(store.file, Number.MAX_SAFE_INTEGER - 100);
    const { run, idOf, desktop } = openForm();
    const send = await idOf("Send");
    expect(send).toMatch(/^\d{16}$/);
    expect(await run(clickElement, { elementId: send })).toMatchObject({ success: true, clicked: "Send" });
    expect(await run(recordActionResult, { elementId: send, success: true })).toMatchObject({ id: send });
    expect(desktop.pressed.map(({ name }) => name)).toEqual(["Send"]);
    // A number beyond JavaScript's safe integers is invalid.
    expect(await run(clickElement, { elementId: "9999999999999999" })).toMatchObject({ code: "USAGE" });
  });

  test("can be reported by a client that saw more", async () => {
    const { run, idOf } = openForm();
    const elementId = await idOf("Idle");
    expect(await run(recordActionResult, { elementId, success: true })).toMatchObject({ confidence: 0.99 });
    const told = await run(recordActionResult, { elementId, feedback: "paid with 4111 1111 1111 1111" });
    expect(told.success).toBe(false);
    const [target] = store.listTargets({ marks: [Number(elementId)] });
    expect(target?.learned).toMatchObject({ hits: 1, misses: 1 });
    expect(target?.feedback).not.toContain("4111");
    expect(await run(recordActionResult, { elementId: "5555", success: true })).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a taught name", () => {
  test("is bound to the control at the point, with its role", async () => {
    const { run, idOf, desktop } = openForm();
    const send = await idOf("Send");
    const place = findControl(desktop, "Send");
    const { elements } = await run(getScreenTargets);
    const [x, y] = /\((\d+), (\d+)\)/.exec(elements[0].position)?.slice(1).map(Number) ?? [];
    expect(await run(teachElement, { label: "Submit button", x, y })).toMatchObject({
      success: true,
      message: `Learned "Submit button" at (${x}, ${y}). I'll remember this for future sessions.`,
      targetId: send,
      role: "button",
    });
    expect(place).toBeDefined();
    expect(await run(find, { words: "submit button" })).toMatchObject({
      matches: [{ i: Number(send), n: "Submit button", why: "its taught name" }],
    });
    expect(JSON.stringify(await run(read, { app: "Editor" }))).toContain('"n":"Submit button"');
    expect((await run(getScreenTargets)).elements[0]).toMatchObject({
      id: send,
      label: "Submit button",
      learned: true,
    });
  });

  test("is given by mark, is understood by a click, and needs words and one control", async () => {
    const { run, idOf, desktop } = openForm();
    const send = await idOf("Send");
    expect(await run(teach, { id: Number(send), name: "Off it goes" })).toMatchObject({ targetId: send });
    expect(await run(teach, { name: "x" })).toMatchObject({ code: "USAGE" });
    expect(await run(teach, { id: 4711, name: "x" })).toMatchObject({ code: "NOT_FOUND" });
    expect(await run(teach, { id: Number(send), x: 1, y: 1, name: "x" })).toMatchObject({ code: "USAGE" });
    expect(await run(teach, { id: Number(send), name: "\u202e " })).toMatchObject({ code: "USAGE" });
    const { click } = await import("../../src/tools/click.ts");
    expect(await run(click, { words: "off it goes" })).toMatchObject({ effect: "confirmed" });
    expect(desktop.pressed.map(({ name }) => name)).toEqual(["Send"]);
  });

  test("survives a restart of the application", async () => {
    const first = openForm();
    const id = await first.idOf("Send");
    await first.run(teach, { id: Number(id), name: "Off it goes" });
    const again = openForm();
    expect(await again.run(find, { words: "off it goes" })).toMatchObject({ matches: [{ i: Number(id) }] });
  });
});

describe("a place outside any tree", () => {
  function openCanvas() {
    const desktop = new FakeDesktop({
      applications: [{ name: "Canvas", manner: "treeless", windows: [{ title: "Board", bounds }] }],
    });
    const session = makeActingSession(desktop, store);
    return async (tool: Tool, input: Record<string, unknown> = {}) => {
      const result = await runTool(tool, input, session);
      return result.ok ? toJson(result.value) : { code: result.failure.code, message: result.failure.message };
    };
  }

  test("is not taught if nothing is drawn there to recognise it by", async () => {
    const run = openCanvas();
    const refused = await run(teach, { name: "Brush", x: 100, y: 80 });
    expect(refused).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("nothing is drawn at 100,80"),
    });
    expect(store.listTargets({ isTaught: true })).toEqual([]);
  });
});

test("the context has the focus, its keys, the screen and what was learned about the window", async () => {
  const { run, idOf, desktop } = openForm();
  findControl(desktop, "Email")?.states.add("focused");
  await run(clickElement, { elementId: await idOf("Send") });
  const context = await run(getScreenContext);
  expect(context).toMatchObject({
    activeApp: { name: "Editor", windowTitle: "Form" },
    screenSize: { width: expect.any(Number), height: expect.any(Number) },
    focused: { label: "Email", keyboardActions: expect.arrayContaining([{ keys: "text", does: "type into it" }]) },
    learnedPatterns: { commonActions: ["Send"], layoutVersion: 1, appSignature: expect.stringMatching(/^-?\d+$/) },
  });
  expect(context.links).toHaveLength(1);
  expect(context.inputs).toEqual([await idOf("Email")]);
  const send = context.targets.find(({ label }: { label: string }) => label === "Send");
  expect(send).toMatchObject({ appName: "Editor", hitCount: 1, missCount: 0, source: "a11y", learned: true });
});

test("a control that mostly failed is listed below one that was never tried", async () => {
  const { run, idOf } = openForm();
  const send = Number(await idOf("Send"));
  for (const isHit of [true, false, false, false, false, false, false]) store.countAct(send, isHit);
  const { elements } = await run(getScreenTargets);
  const labels = elements.map(({ label }: { label: string }) => label);
  expect(labels.indexOf("Send")).toBeGreaterThan(labels.indexOf("Idle"));
});
