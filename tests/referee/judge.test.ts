import { describe, expect, test } from "bun:test";
import { judgeTimeline, type Moment } from "./judge.ts";
import { makeReport } from "./report.ts";

const begunMs = Date.parse("2030-01-01T00:00:10.000Z");
const endedMs = begunMs + 1000;
const sender = ":1.5";
const label = { sender, path: "/label" };

const before: readonly Moment[] = [
  { t: begunMs - 5000, kind: "picture", digest: 1 },
  { t: begunMs - 5000, kind: "watching", part: "screen" },
  { t: begunMs - 5000, kind: "watching", part: "bus" },
  { t: begunMs - 5000, kind: "opened", id: 1, pid: 7, names: ["counter.py", "Counter.py"], title: "Counter" },
  { t: begunMs - 5000, kind: "sender", sender, pid: 7, names: ["python3"] },
];

/** The timeline of one press. */
function press(verdict: string, seen: readonly Moment[], from = begunMs, n = 1, app = "Counter.py"): readonly Moment[] {
  const at = (ms: number): string => new Date(ms).toISOString();
  const target = { app, role: "button", name: "Count" };
  const begin = { what: "begin", n, at: at(from), tool: "click", target };
  const end = { what: "end", n: n + 1, begin: n, at: at(from + 1000), effect: verdict };
  return [{ t: from, kind: "said", line: begin }, ...seen, { t: from + 1000, kind: "said", line: end }];
}

function judge(verdict: string, ...seen: readonly Moment[]) {
  const [judged] = judgeTimeline([...before, ...press(verdict, seen)]);
  return [judged?.truth, judged?.isFalse];
}

const t = begunMs + 100;
const renamed: Moment = { t, kind: "event", ...label, member: "PropertyChange", detail: "accessible-name", text: "1" };
const checked: Moment = { t, kind: "event", ...label, member: "StateChanged", detail: "checked", first: 1 };
const typed: Moment = { t, kind: "event", ...label, member: "TextChanged", detail: "insert", text: "1 press" };
const shown: Moment = { t: endedMs + 1, kind: "source", ...label, showing: true, states: ["checked"], role: "label" };
const drawn: Moment = { t, kind: "drawn" };

describe("the truth about a press", () => {
  test.each([
    ["a name", renamed],
    ["a state", checked],
    ["a text", typed],
    ["a window", { t, kind: "opened", id: 2, pid: 7, names: ["counter.py"], title: "More" }],
    ["a title", { t, kind: "renamed", id: 1, pid: 7, names: ["counter.py"], title: "Counter 1", before: "Counter" }],
  ])("%s of its application that changes is a change", (_what, moment) => {
    expect(judge("confirmed", moment)).toEqual(["changed", false]);
    expect(judge("no-change", moment, shown)).toEqual(["changed", true]);
    expect(judge("unverified", moment)).toEqual(["changed", false]);
  });

  test("the name that its target had before is no change", () => {
    const isFalse = (text: string) => judge("no-change", { ...renamed, text }, shown)[1];
    expect([isFalse("Count"), isFalse("Counted")]).toEqual([false, true]);
  });

  test("no sign of anything is nothing", () => {
    expect(judge("confirmed")).toEqual(["nothing", true]);
    expect(judge("no-change")).toEqual(["nothing", false]);
    expect(judge("STALE")).toEqual(["nothing", false]);
  });

  test("a button that goes down and up, takes the focus, and looks as before is nothing", () => {
    const down: Moment = { t, kind: "event", ...label, member: "StateChanged", detail: "pressed", first: 1 };
    const pictures: readonly Moment[] = [
      drawn,
      { t, kind: "picture", digest: 2 },
      drawn,
      { t, kind: "picture", digest: 1 },
    ];
    expect(judge("confirmed", down, { ...down, first: 0 }, { ...down, detail: "focused" }, ...pictures)).toEqual([
      "nothing",
      true,
    ]);
  });

  test("another picture is something, but not what", () => {
    const picture: Moment = { t, kind: "picture", digest: 2 };
    expect(judge("confirmed", drawn, picture)).toEqual(["drawn", false]);
    expect(judge("no-change", drawn, picture)).toEqual(["drawn", false]);
  });

  test.each<[string, readonly Moment[]]>([
    ["a picture that was not taken yet", [drawn]],
    ["a menu, or a window that moved", [{ t, kind: "display" }]],
    ["an event that tells nothing about a change", [{ ...checked, detail: "showing" }]],
    ["a change a moment after the end", [{ ...renamed, t: endedMs + 100 }]],
    ["a change of another application", [{ ...renamed, sender: ":1.9" }]],
    ["a state that goes on and off", [checked, { ...checked, first: 0 }]],
    ["a text that is replaced by itself", [typed, { ...typed, detail: "delete" }]],
    ["more events than can be read", [renamed, { t, kind: "storm" }]],
    ["a display that was lost", [{ t, kind: "lost", part: "screen" }]],
    ["an observer that was late", [{ t: endedMs + 2000, kind: "late", since: endedMs - 100 }]],
    ["a bus that was lost", [{ t, kind: "lost", part: "bus" }]],
  ])("%s proves nothing", (_what, moments) => {
    expect(judge("confirmed", ...moments)).toEqual(["unknown", false]);
    expect(judge("no-change", ...moments, shown)).toEqual(["unknown", false]);
  });

  test("a change of an object that is not shown, or did not answer, accuses nobody", () => {
    expect(judge("no-change", renamed)).toEqual(["unknown", false]);
    expect(judge("no-change", renamed, { ...shown, showing: false })).toEqual(["unknown", false]);
  });

  test("a state that an object reports and then denies accuses nobody", () => {
    expect(judge("no-change", checked, { ...shown, states: [] })).toEqual(["unknown", false]);
    expect(judge("no-change", { ...checked, first: 0 }, { ...shown, states: [] })).toEqual(["changed", true]);
  });

  test("what also changes while nobody acts accuses nobody", () => {
    const tick = { ...renamed, t: begunMs - 3000 };
    const [judged] = judgeTimeline([...before, tick, ...press("no-change", [renamed, shown])]);
    expect([judged?.truth, judged?.isFalse]).toEqual(["unknown", false]);
  });

  test("what changes again later in the same action, or shows the time, accuses nobody", () => {
    expect(judge("no-change", renamed, { ...renamed, t: t + 800, text: "2" }, shown)).toEqual(["unknown", false]);
    expect(judge("no-change", { ...renamed, text: "10:01:07" }, shown)).toEqual(["unknown", false]);
  });

  test("what changes often while nobody acts is no effect either", () => {
    const ticks = [1, 2, 3, 4].map((index) => ({ ...renamed, t: begunMs - index * 1000 }));
    const [judged] = judgeTimeline([...before, ...ticks, ...press("confirmed", [renamed])]);
    expect(judged?.truth).toBe("unknown");
  });

  test("a log that was removed begins to count again", () => {
    const timeline = [...before, ...press("confirmed", [renamed]), ...press("no-change", [], begunMs + 10_000)];
    expect(judgeTimeline(timeline)).toMatchObject([
      { said: "confirmed", truth: "changed", begunMs },
      { said: "no-change", truth: "nothing", begunMs: begunMs + 10_000 },
    ]);
  });

  test("a state that is said again is no change, and GTK 4 says one for the first time without a change", () => {
    const said: Moment = { ...checked, t: begunMs - 800 };
    const off: Moment = { ...said, first: 0 };
    const judgeAfter = (earlier: readonly Moment[]) =>
      judgeTimeline([
        ...before,
        ...press("confirmed", [], begunMs - 1000),
        ...earlier,
        ...press("no-change", [checked, shown]),
      ])[1];
    expect(judgeAfter([said])?.isFalse).toBe(false);
    expect(judgeAfter([off])?.isFalse).toBe(true);
    const path = "/org/gtk/row";
    expect(judge("no-change", { ...checked, path }, { ...shown, path })).toEqual(["unknown", false]);
  });

  test("an application that reports nothing, or a browser, may have changed out of sight", () => {
    const silent = before.filter(({ kind }) => kind !== "sender");
    expect(judgeTimeline([...silent, ...press("confirmed", [])])).toMatchObject([{ truth: "unknown", isFalse: false }]);
    const browser: readonly Moment[] = [...before, { t: begunMs - 5000, kind: "sender", pid: 8, names: ["chromium"] }];
    const pressed = press("confirmed", [], begunMs, 1, "Chromium");
    expect(judgeTimeline([...browser, ...pressed])).toMatchObject([{ truth: "unknown", isFalse: false }]);
  });

  test("on a busy machine an effect may be told later", () => {
    const late: Moment = { ...drawn, t: endedMs + 2000 };
    const judgeAt = (load: number) => {
      const told = press("confirmed", []).map((moment) => ({ ...moment, load }));
      return judgeTimeline([...before, ...told, late])[0]?.truth;
    };
    expect([judgeAt(0.5), judgeAt(6)]).toEqual(["nothing", "unknown"]);
  });

  test("an observer that came too late tells nothing", () => {
    expect(judgeTimeline(press("confirmed", []))).toMatchObject([{ truth: "unknown", isFalse: false }]);
  });
});

test("the table counts what was said by what was true, and names who said what is false", () => {
  const timeline = [
    ...before,
    ...press("confirmed", [renamed]),
    ...press("confirmed", [], begunMs + 10_000, 3),
    ...press("no-change", [], begunMs + 20_000, 5),
  ];
  expect(makeReport(judgeTimeline(timeline))).toEqual({
    table: {
      confirmed: { changed: 1, drawn: 0, nothing: 1, unknown: 0 },
      "no-change": { changed: 0, drawn: 0, nothing: 1, unknown: 0 },
    },
    accused: [
      'false "confirmed": click Counter.py button "Count" by , 00:00:20.000 to 00:00:21.000; ' +
        "the observer saw: no event, no window, no pixel was different",
    ],
  });
});
