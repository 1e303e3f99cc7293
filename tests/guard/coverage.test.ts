import { describe, expect, test } from "bun:test";
import type { Approver, Question } from "../../src/guard/approval/approver.ts";
import { bringBack, nameApproved, nameBound, rememberState } from "../../src/guard/approval/bring-back.ts";
import type { Gate, Request } from "../../src/guard/gate.ts";
import { sandboxPolicy } from "../../src/guard/policy/policy.ts";
import type { Command } from "../../src/model/command.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { Platform } from "../../src/platform/port.ts";
import type { Glimpse } from "../../src/sources/port.ts";
import { MemoryRecords, openGuard } from "./open-guard.ts";
import { about, click, control, keys, press, typing } from "./sample-commands.ts";

const remove = control("button", "Delete");
const other = control("button", "Delete all");
const request = about(remove);
const name = (command: Command, one: Request = request): string =>
  nameApproved({ command, request: one, receivers: [], warnings: [{ danger: "delete", because: "" }] });

describe("a yes covers what was shown", () => {
  test("whichever way a control is pressed", () => {
    const shown = name(press(remove));
    const ways: readonly Command[] = [
      { ...click, point: { x: 40, y: 10 } },
      keys(" "),
      keys("Return"),
      { kind: "invoke", element: remove, action: "press" },
    ];
    for (const way of ways) expect(name(way)).toBe(shown);
  });

  const point = { x: 40, y: 10 };
  const different: readonly (readonly [string, Command, Request])[] = [
    ["another control", press(other), about(other)],
    ["the same one in the request, another in the command", press(other), request],
    ["another action of it", { kind: "invoke", element: remove, action: "delete-everything" }, request],
    ["the right button", { ...click, point, button: "right" }, request],
    ["the middle button", { ...click, point, button: "middle" }, request],
    ["a double click", { ...click, point, count: 2 }, request],
    ["a click beside it", { ...click, point: { x: 400, y: 10 } }, request],
    ["another key", keys("Delete"), request],
    ["the key with a modifier", keys("Return", "ctrl"), request],
    ["typing", typing("Delete"), request],
    ["another tool", press(remove), { ...request, tool: "toggle" }],
    ["another window", press(remove), { ...request, window: { ...mustWindow(request), id: 8 } }],
    ["a drag", { kind: "drag", from: point, to: { x: 1, y: 1 }, button: "left" }, request],
  ];
  test.each(different)("and not %s", (_what, command, one) => {
    expect(name(command, one)).not.toBe(name(press(remove)));
  });

  const pairs: readonly (readonly [string, Command, Command])[] = [
    ["texts", typing("rm a\n"), typing("rm b\n")],
    [
      "texts of one length",
      { kind: "set-text", element: remove, text: "ab" },
      { kind: "set-text", element: remove, text: "ba" },
    ],
    ["combinations", keys("q", "ctrl"), keys("w", "ctrl")],
    ["numbers of presses", keys("z", "ctrl"), { ...keys("z", "ctrl"), times: 100 }],
    ["secrets", fillIn("A"), fillIn("B")],
    ["places", { ...click, count: 2, point }, { ...click, count: 2, point: { x: 41, y: 10 } }],
    ["ends of a drag", dragTo(1), dragTo(2)],
    ["numbers", { kind: "set-number", element: remove, value: 1 }, { kind: "set-number", element: remove, value: 100 }],
    ["programs", opening("/bin/a"), opening("/bin/b")],
    ["operations", arrange("close"), arrange("minimize")],
  ];
  test.each(pairs)("two different %s are distinct", (_what, one, two) => {
    expect(name(one)).not.toBe(name(two));
    expect(name(one)).toBe(name({ ...one }));
  });

  test("for the same reasons", () => {
    const command = press(remove);
    const warnings = [{ danger: "send", because: "" }] as const;
    expect(nameApproved({ command, request, receivers: [], warnings })).not.toBe(name(command));
  });

  test("a requested key is that key, wherever the focus is", () => {
    const one = { ...request, tool: "type" };
    expect(name(keys("Return"), one)).not.toBe(name(keys(" "), one));
  });
});

test("the digest in the log tells the points of one control apart that a question shows", () => {
  const bind = (x: number): string =>
    nameBound({ command: { ...click, point: { x, y: 10 } }, request, receivers: [], warnings: [] });
  expect(new Set([bind(40), bind(41), bind(42)]).size).toBe(3);
  // Its own point is not shown.
  expect(bind(40)).toBe(nameBound({ command: press(remove), request, receivers: [], warnings: [] }));
});

test("within one action every further sensitive command needs its own approval", async () => {
  const desktop = new FakeDesktop({ applications: [] });
  const asked: Question[] = [];
  const approver: Approver = {
    ask: async (question) => {
      asked.push(question);
      return succeed({ by: "a test" });
    },
  };
  const records = new MemoryRecords();
  const guard = openGuard(desktop, { policy: { sensitive: "ask", rules: [{ decision: "ask" }] }, records, approver });
  const deeds = [typing("one"), typing("one"), typing("two"), keys("q", "ctrl"), keys("q", "ctrl")];
  const work = async (gate: Gate): Promise<Result<never>> => {
    for (const command of deeds) await gate.carryOut(command, { tool: "type" });
    return fail({ code: "NOT_FOUND", message: "no more", done: nothingDone });
  };
  await guard.run({ tool: "type", isDryRun: false, timeoutMs: 100 }, work);
  expect(asked.map(({ words }) => words.split(" ")[0])).toEqual(["type", "type", "press"]);
});

test("a dry run gets nothing done, whatever it tries: it has no turn and no line in the log", async () => {
  const desktop = new FakeDesktop({ applications: [{ name: "pad", windows: [{ title: "Pad", children: [] }] }] });
  const records = new MemoryRecords();
  const guard = openGuard(desktop, { records });
  const tried = await guard.run({ tool: "click", isDryRun: true, timeoutMs: 100 }, async (gate) => {
    const done = await gate.carryOut(click, { tool: "click" });
    return done.ok ? fail({ code: "FAILED", message: "it was clicked", done: nothingDone }) : done;
  });
  expect(tried).toMatchObject({ ok: false, failure: { code: "NOT_VISIBLE" } });
  expect(desktop.pointer).toEqual({ x: 0, y: 0 });
  expect(records.entries).toEqual([]);
});

describe("a target that cannot be seen before asking", () => {
  const gone: Failure = { code: "UNAVAILABLE", message: "it does not answer", done: nothingDone };
  const glimpse: Glimpse = {
    platformRole: "button",
    ownName: "Delete",
    states: new Set(),
    place: "1",
    length: undefined,
  };
  const policy = { ...sandboxPolicy, standings: new Map([["x", "blind"]] as const) };

  function platform(glimpses: readonly Result<Glimpse | undefined>[], lists = true): Platform {
    const left = [...glimpses];
    const bare = new FakeDesktop({ applications: [] }).open();
    return Object.assign(bare, {
      glimpse: () => Promise.resolve(left.shift() ?? fail(gone)),
      ...(lists ? {} : { listPopups: () => Promise.resolve(fail(gone)) }),
    });
  }

  test("is not asked about: the control does not answer, or is gone, or its window is unknown", async () => {
    const asked = { command: press(remove), request, policy };
    expect(await rememberState(platform([]), asked)).toMatchObject({ failure: { reason: "unasked" } });
    expect(await rememberState(platform([succeed(undefined)]), asked)).toMatchObject({ ok: false });
    const pointed = { ...asked, command: click };
    expect(await rememberState(platform([succeed(glimpse)], false), pointed)).toMatchObject({ ok: false });
    expect(await rememberState(platform([succeed(glimpse)]), asked)).toMatchObject({ ok: true });
  });

  test("nor if the drop target of a drag does not answer", async () => {
    const asked = { command: press(remove), request: { ...request, onto: other }, policy };
    expect(await rememberState(platform([succeed(glimpse)]), asked)).toMatchObject({ ok: false });
  });

  test("and after the yes it must answer, and be the same", async () => {
    const asked = { command: press(remove), request, policy };
    const after = async (now: Result<Glimpse | undefined>): Promise<Failure | undefined> => {
      const meeting = await rememberState(platform([succeed(glimpse)]), asked);
      if (!meeting.ok) throw new Error(meeting.failure.message);
      const hands = () => Promise.reject(new Error("nothing is to be moved"));
      return bringBack(platform([now]), hands, asked, meeting.value);
    };
    expect(await after(succeed(glimpse))).toBeUndefined();
    for (const now of [fail<Glimpse>(gone), succeed(undefined)])
      expect(await after(now)).toMatchObject({ code: "FAILED" });
    expect(await after(succeed({ ...glimpse, ownName: "Delete all" }))).toMatchObject({ code: "FAILED" });
    expect(await after(succeed({ ...glimpse, platformRole: "menu item" }))).toMatchObject({ code: "FAILED" });
  });
});

function mustWindow({ window }: Request) {
  if (window === undefined) throw new Error("no window");
  return window;
}

function fillIn(secret: string): Command {
  return { kind: "fill-secret", element: remove, secret, by: "text" };
}

function dragTo(x: number): Command {
  return { kind: "drag", from: { x: 0, y: 0 }, to: { x, y: 0 }, button: "left" };
}

function opening(program: string): Command {
  return {
    kind: "open",
    opener: { what: "x", kind: "program", args: [], words: "x", command: [program], names: [] },
  };
}

function arrange(operation: "close" | "minimize"): Command {
  return { kind: "window", window: mustWindow(request), operation: { name: operation } };
}
