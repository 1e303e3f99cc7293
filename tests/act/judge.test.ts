import { describe, expect, test } from "bun:test";
import { compare, type Part, type Seen } from "../../src/act/compare.ts";
import {
  isHalfDone,
  type Judge,
  type Judgement,
  judgeAnything,
  judgeFocus,
  judgeMenu,
  judgePress,
  judgeShown,
  judgeSilence,
  judgeState,
  judgeToggle,
  type Observation,
} from "../../src/act/judge.ts";
import { type Element, flatten } from "../../src/model/element.ts";
import { idOfContent } from "../../src/model/pair.ts";
import type { State } from "../../src/model/state.ts";
import type { Window } from "../../src/model/window.ts";
import { makeElement, makeWindow } from "../fixtures/elements.ts";

// The verdict drawn from two snapshots of an application, before and after an action.

const form = makeWindow();

function see(elements: readonly Element[], { windows = [form], isRead = true } = {}): Seen {
  const root = makeElement({ role: "window", handle: "root", children: elements });
  const reads = windows.map((window) => ({
    window,
    root: isRead && window === form ? root : undefined,
    notes: [],
    appKey: "mousepad",
  }));
  const own = reads.filter(({ window }) => window.pid === form.pid);
  return { snapshot: { takenAtMs: 0, windows: own, all: windows, includeHidden: false }, numbers: new Map() };
}

/** The observation at `target`. */
function observe(before: Seen, after: Seen, target: Element | undefined, more: Partial<Observation> = {}): Observation {
  const elements = flatten(after.snapshot.windows.flatMap(({ root }) => (root === undefined ? [] : [root])));
  const now = elements.find(({ handle }) => handle === target?.handle);
  return {
    comparison: compare(before, after),
    before,
    after,
    target: now,
    isTargetGone: target !== undefined && now === undefined,
    isRepainted: false,
    isPictured: false,
    hasPopup: false,
    isReadable: true,
    temperOf: () => undefined,
    isForeign: () => false,
    ...more,
  };
}

function change(element: Element, given: Partial<Omit<Element, "states">> & { states?: readonly State[] }): Element {
  return { ...element, ...given, states: new Set(given.states ?? element.states) };
}

async function verdictOf(judge: Judge, observation: Observation): Promise<Judgement["verdict"] | "not yet"> {
  return (await judge(observation))?.verdict ?? "not yet";
}

const go = makeElement({ name: "Go" });
const log = makeElement({ role: "text", name: "log" });
const wrap = makeElement({ role: "checkbox", name: "Wrap" });
const bold = makeElement({ role: "checkbox", name: "Bold" });
const name = makeElement({ role: "input", name: "Name", states: new Set<State>(["focusable"]) });

test("the text of an entry that is emptied is as restless as the list that drops its entries", async () => {
  const entry = (...children: readonly Element[]): Element => makeElement({ role: "item", handle: "entry", children });
  const list = (...children: readonly Element[]): Element => makeElement({ role: "list", handle: "list", children });
  const event = makeElement({ role: "text", name: "Event 28", handle: "event" });
  const temperOf = ({ own, around }: Part) => ([...own, ...around].includes(idOfContent("list")) ? "restless" : "calm");
  const observation = observe(see([go, list(entry(event))]), see([go, list(entry())]), go, { temperOf });
  expect(observation.comparison.gone).toEqual([event]);
  expect(await verdictOf(judgePress(go), observation)).toBe("not yet");
});

describe("a press is confirmed by", () => {
  test.each<[string, Seen]>([
    [
      "a window of the application that opens",
      see([go, log], { windows: [form, makeWindow({ id: 8, title: "Sure?" })] }),
    ],
    ["what it does to its target", see([change(go, { name: "Stop", ownName: "Stop" }), log])],
    ["its target going away", see([log])],
    ["a control that comes", see([go, log, makeElement({ name: "More" })])],
    ["a control that goes", see([go])],
  ])("%s", async (_what, after) => {
    const before = see([go, log]);
    expect(await verdictOf(judgePress(go), observe(before, after, go))).toBe("confirmed");
  });

  test("what is in a box without a name, and is called by that", async () => {
    const children = ["Save", "Print"].map((label) => makeElement({ name: label }));
    const box = makeElement({ role: "toolbar", children });
    expect(await judgePress(go)(observe(see([go]), see([go, box]), go))).toMatchObject({
      verdict: "confirmed",
      evidence: ['btn "Save" appeared'],
    });
  });

  test("its target going away with its bar, said once", async () => {
    const bar = makeElement({ role: "toolbar", children: [go, makeElement({ name: "Stop" })] });
    expect(await judgePress(go)(observe(see([bar]), see([]), go))).toMatchObject({ evidence: ['btn "Go" is gone'] });
  });

  test("a control that comes out of hiding, and says that it appeared", async () => {
    const bar = makeElement({ name: "Print", states: new Set<State>(["hidden"]) });
    const after = see([go, change(bar, { states: ["disabled"] })]);
    expect(await judgePress(go)(observe(see([go, bar]), after, go))).toMatchObject({
      evidence: ['btn "Print" appeared'],
    });
  });

  test("a menu whose content is not exposed", async () => {
    const seen = see([go]);
    expect(await judgePress(go)(observe(seen, seen, go, { hasPopup: true }))).toMatchObject({
      verdict: "confirmed",
      evidence: ["a menu opened that accessibility does not report"],
    });
  });
});

test("a press is confirmed by a button that is pressed now, if that means that it is on", async () => {
  const bar = makeElement({ ...go, traits: new Set(["pressed-means-on"]) });
  const after = see([change(bar, { states: ["pressed"] })]);
  expect(await verdictOf(judgePress(bar), observe(see([bar]), after, bar))).toBe("confirmed");
});

const foreign = makeWindow({ id: 9, pid: 99, title: "Foreign" });

describe("a press is not confirmed by", () => {
  test.each<[string, Seen, Seen]>([
    ["nothing", see([go]), see([go])],
    ["a window of another application that closes", see([go], { windows: [form, foreign] }), see([go])],
    ["the focus that moves", see([go, name]), see([go, change(name, { states: ["focusable", "focused"] })])],
    ["a button that goes down", see([go]), see([change(go, { states: ["pressed"] })])],
    ["a clock", see([go, makeClock("9:59:59")]), see([go, makeClock("10:00:00")])],
  ])("%s", async (_what, before, after) => {
    expect(await verdictOf(judgePress(go), observe(before, after, go))).toBe("not yet");
  });

  test("a text elsewhere known to change by itself; until that is known it confirms with doubt", async () => {
    const [before, after] = [see([go, log]), see([go, change(log, { name: "went", ownName: "went" })])];
    expect(await judgePress(go)(observe(before, after, go))).toMatchObject({
      verdict: "confirmed",
      doubtful: [{ own: [log.handle] }],
    });
    const temperOf = () => "restless" as const;
    expect(await verdictOf(judgePress(go), observe(before, after, go, { temperOf }))).toBe("not yet");
  });
});

function makeClock(time: string): Element {
  return makeElement({ role: "text", name: `it is ${time}`, ownName: `it is ${time}`, handle: "clock" });
}

describe("a press of a check box", () => {
  test("is confirmed by its own state", async () => {
    const after = see([change(wrap, { states: ["checked"] }), bold]);
    expect(await judgePress(wrap)(observe(see([wrap, bold]), after, wrap))).toMatchObject({
      verdict: "confirmed",
      evidence: ['chk "Wrap" is checked now'],
    });
  });

  test("hit the wrong target if another box changed and it did not", async () => {
    const after = see([wrap, change(bold, { states: ["checked"] })]);
    expect(await judgePress(wrap)(observe(see([wrap, bold]), after, wrap))).toMatchObject({
      verdict: "wrong-target",
      evidence: ['chk "Bold" is checked now, and chk "Wrap" did not'],
    });
  });

  test("is not confirmed by a text elsewhere", async () => {
    const after = see([wrap, change(log, { name: "went", ownName: "went" })]);
    expect(await verdictOf(judgePress(wrap), observe(see([wrap, log]), after, wrap))).toBe("not yet");
  });
});

describe("a press of a toggle that came up again by itself", () => {
  const seven = makeElement({ role: "toggle", name: "7" });
  const display = makeElement({ role: "input", name: "display", value: "0" });
  const [before, after] = [see([seven, display]), see([seven, change(display, { value: "7" })])];

  test("is confirmed by what it did, as that of a button is", async () => {
    expect(await judgePress(seven)(observe(before, after, seven))).toMatchObject({ verdict: "confirmed" });
  });

  test("is not, where another state was wanted", async () => {
    expect(await verdictOf(judgeToggle(seven), observe(before, after, seven))).toBe("not yet");
  });
});

describe("a wanted state", () => {
  const judge = judgeState(wrap, "checked", true, "checked");

  test("is reached", async () => {
    const after = see([change(wrap, { states: ["checked"] })]);
    expect(await judge(observe(see([wrap]), after, wrap))).toEqual({
      verdict: "confirmed",
      evidence: ["it is checked"],
    });
  });

  test("that another control of the same kind takes on is a wrong target", async () => {
    const after = see([wrap, change(bold, { states: ["checked"] })]);
    expect(await verdictOf(judge, observe(see([wrap, bold]), after, wrap))).toBe("wrong-target");
  });

  test("that another kind of control takes on is waited for", async () => {
    const after = see([wrap, change(go, { states: ["checked"] })]);
    expect(await verdictOf(judge, observe(see([wrap, go]), after, wrap))).toBe("not yet");
  });

  test("may also be the absence of a state", async () => {
    const ticked = change(wrap, { states: ["checked"] });
    const clear = judgeState(ticked, "checked", false, "not checked");
    expect(await verdictOf(clear, observe(see([ticked]), see([wrap]), wrap))).toBe("confirmed");
    expect(await verdictOf(clear, observe(see([ticked]), see([ticked]), wrap))).toBe("not yet");
  });
});

describe("the focus", () => {
  const focused = change(name, { states: ["focusable", "focused"] });

  test("is on the wanted control, or on something in it", async () => {
    const seen = see([focused]);
    expect(await verdictOf(judgeFocus, observe(see([name]), seen, name))).toBe("confirmed");
    const group = makeElement({ role: "group", name: "Address", children: [name] });
    const held = { ...group, children: [focused] };
    expect(await verdictOf(judgeFocus, observe(see([group]), see([held]), group))).toBe("confirmed");
  });

  test("that moved elsewhere is a wrong target", async () => {
    expect(await judgeFocus(observe(see([name, go]), see([focused, go]), go))).toEqual({
      verdict: "wrong-target",
      evidence: ['input "Name" has the focus instead'],
    });
  });

  test("that has not moved yet may still move", async () => {
    expect(await verdictOf(judgeFocus, observe(see([name]), see([name]), name))).toBe("not yet");
  });
});

describe("a right click", () => {
  test("is confirmed by a menu that opens", async () => {
    const menu = makeElement({ role: "menu", name: "Edit" });
    expect(await verdictOf(judgeMenu(go), observe(see([go]), see([go, menu]), go))).toBe("confirmed");
  });

  test("is not confirmed if it only closed an open menu", async () => {
    const menu = makeElement({ role: "menu", name: "Edit" });
    expect(await verdictOf(judgeMenu(go), observe(see([go, menu]), see([go]), go))).toBe("not yet");
  });
});

describe("an entry of a menu", () => {
  const entry = makeElement({ role: "menuitem", name: "Reload" });
  const menu = makeElement({ role: "menu", children: [entry, makeElement({ role: "menuitem", name: "Close" })] });
  const opener = change(makeElement({ role: "menuitem", name: "File" }), { states: ["expanded"] });
  const before = see([go, opener, menu]);
  const shut = change(opener, { states: [] });

  test("is not confirmed by its menu, which closes after any entry", async () => {
    const observation = observe(before, see([go, shut]), entry);
    expect(await verdictOf(judgePress(entry, true), observation)).toBe("not yet");
    expect(judgeSilence(observation)).toMatchObject({
      verdict: "unverified",
      evidence: ["only a menu closed, as it does after any entry"],
    });
  });

  test("is confirmed by what it does, in the menu or elsewhere", async () => {
    const submenu = makeElement({ role: "menuitem", name: "More" });
    const ticked = change(opener, { states: ["checked"] });
    for (const after of [[shut], [go, opener, menu, submenu], [go, ticked]]) {
      expect(await verdictOf(judgePress(entry, true), observe(before, see(after), entry))).toBe("confirmed");
    }
  });
});

test("a text that is typed where nothing is written is confirmed by what shows it, a single key by any change", async () => {
  const display = (shown: string): Element => change(log, { name: shown, ownName: shown });
  const seen = (shown: string): Observation =>
    observe(see([display("0")]), see([display(shown)]), undefined, { temperOf: () => "calm" });
  expect(await verdictOf(judgeShown("12+30"), seen("12+30"))).toBe("confirmed");
  // KCalc misses a digit that comes again while its button is still down.
  expect(await verdictOf(judgeShown("659+313"), seen("31"))).toBe("not yet");
  expect(await verdictOf(judgeShown("="), seen("42"))).toBe("confirmed");
});

test("keys are confirmed by the focus that they move", async () => {
  const after = see([change(name, { states: ["focusable", "focused"] })]);
  expect(await judgeAnything(observe(see([name]), after, undefined))).toMatchObject({
    verdict: "confirmed",
    evidence: ['input "Name" got the focus'],
  });
});

describe("if no judge was satisfied in time", () => {
  const seen = see([go, name]);

  test.each<[string, Judgement["verdict"], string, Observation]>([
    ["all is as it was", "no-change", "nothing changed", observe(seen, seen, go)],
    [
      "a window of another application closed",
      "unverified",
      'window "Foreign" closed',
      observe(see([go], { windows: [form, foreign] }), see([go]), go),
    ],
    ["its window closed", "partial", "closed", observe(seen, see([], { windows: [] }), go)],
    ["only pixels changed", "unverified", "was repainted", observe(seen, seen, go, { isRepainted: true })],
    ["its picture was read", "unverified", "may look different", observe(seen, seen, go, { isPictured: true })],
    ["it cannot be read", "unverified", "cannot be read", observe(seen, seen, go, { isReadable: false })],
    [
      "only the focus moved",
      "no-change",
      "only the focus moved",
      observe(seen, see([go, change(name, { states: ["focusable", "focused"] })]), go),
    ],
    [
      "something else changed",
      "unverified",
      "nothing that shows the wanted effect",
      observe(see([go, log]), see([go, change(log, { name: "went", ownName: "went" })]), go),
    ],
  ])("and %s: %s", (_what, verdict, words, observation) => {
    const judgement = judgeSilence(observation);
    expect(judgement.verdict).toBe(verdict);
    expect(judgement.evidence.join()).toContain(words);
  });
});

test("a window that could not be read completely does not prove that anything is gone", async () => {
  const windows: readonly Window[] = [form];
  const after = see([], { windows: [...windows], isRead: false });
  const observation = observe(see([go, log]), after, go, { isTargetGone: false, isReadable: false });
  expect(await verdictOf(judgePress(go), observation)).toBe("not yet");
});

describe("a control that opens something and is only expanded", () => {
  const tools = makeElement({
    role: "button",
    name: "Tools",
    handle: "tools",
    states: new Set(["haspopup", "collapsed"] as const),
  });
  const status = makeElement({ role: "text", name: "page.html", handle: "status" });
  const box = makeElement({ role: "checkbox", name: "Wrap", handle: "wrap" });
  const menu = makeElement({ role: "menu", name: "Tools", handle: "menu" });
  const opened = change(tools, { states: ["haspopup", "expanded"] });
  const isHalf = (...after: Element[]): boolean =>
    isHalfDone(tools, observe(see([tools, status, box]), see([opened, ...after]), tools));

  test("is half done, also if a text elsewhere changed meanwhile", () => {
    expect(isHalf(status, box)).toBe(true);
    expect(isHalf(change(status, { name: "file:///page.html#second" }), box)).toBe(true);
  });

  test("is done if something appeared, or another control changed", () => {
    expect(isHalf(status, box, menu)).toBe(false);
    expect(isHalf(status, change(box, { states: ["checked"] }))).toBe(false);
  });
});
