import { expect, test } from "bun:test";
import { planCheck, planClick, planToggle } from "../../src/act/intents.ts";
import { findFocused } from "../../src/act/untargeted.ts";
import { type Element, flatten } from "../../src/model/element.ts";
import type { WindowRead } from "../../src/model/snapshot.ts";
import type { Trait } from "../../src/model/trait.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import { traitsOf } from "../../src/platform/linux/atspi/states.ts";
import { makeElement } from "../fixtures/elements.ts";

async function read(...children: readonly ControlSketch[]): Promise<readonly WindowRead[]> {
  const desktop = new FakeDesktop({ applications: [{ name: "App", windows: [{ title: "App", children }] }] });
  const platform = desktop.open();
  const list = await platform.listWindows();
  if (!list.ok) throw new Error(list.failure.message);
  const reads = await platform.readWindows({ windows: list.value.windows, includeHidden: false, timeoutMs: 50 });
  if (!reads.ok) throw new Error(reads.failure.message);
  return reads.value;
}

function findNamed(reads: readonly WindowRead[], name: string): Element {
  const found = flatten(reads.flatMap(({ root }) => root ?? [])).find((element) => element.name === name);
  if (found === undefined) throw new Error(`nothing is called ${name}`);
  return found;
}

test("a control that may block its application is clicked before it is pressed through accessibility", async () => {
  const entry = { role: "menuitem", actions: ["press"] } as const;
  const reads = await read({ ...entry, name: "Plain" }, { ...entry, name: "Blocking", traits: ["action-may-block"] });
  const firstWay = (name: string): string | undefined =>
    planClick(findNamed(reads, name), { button: "left", count: 1 }).chain[0]?.name;
  expect(firstWay("Plain")).toBe("action press");
  expect(firstWay("Blocking")).toBe("pointer");
});

test("a button whose action may do less than a press is clicked first, whether it is pressed, toggled or checked", async () => {
  const button = { role: "toggle", actions: ["toggle"] } as const;
  const short: ControlSketch = { ...button, name: "Menu", traits: ["action-may-fall-short"] };
  const reads = await read({ ...button, name: "Bold" }, short);
  const listFirst = (name: string): (string | undefined)[] => {
    const element = findNamed(reads, name);
    const [toggle, check] = [planToggle(element), planCheck(element, true)];
    const intents = [
      planClick(element, { button: "left", count: 1 }),
      ...[toggle, check].flatMap((one) => (one.ok ? [one.value] : [])),
    ];
    return intents.map(({ chain }) => chain.find((way) => way.refuse?.(element) === undefined)?.name);
  };
  expect(listFirst("Bold")).toEqual(["action toggle", "action toggle", "action toggle"]);
  expect(listFirst("Menu")).toEqual(["pointer", "pointer", "pointer"]);
});

test("a button whose action comes late is clicked first where that does no harm, unless it is not on the screen", () => {
  const late = { role: "button", traits: new Set<Trait>(["action-comes-late"]) } as const;
  const listWays = (element: Element): string[] =>
    planClick(element, { button: "left", count: 1 }).chain.map((way) => way.name);
  expect(listWays(makeElement(late)).slice(0, 2)).toEqual(["pointer", "action press"]);
  expect(listWays(makeElement({ ...late, states: new Set(["hidden"]) }))[0]).toBe("action press");
});

test("the current entry of a list does not necessarily have the focus", async () => {
  const tab: ControlSketch = { role: "tab", name: "Tab", states: ["focusable", "focused"] };
  const field: ControlSketch = { role: "input", name: "Field", states: ["editable", "focusable", "focused"] };
  expect(findFocused(await read(tab, field))?.name).toBe("Tab");
  expect(findFocused(await read({ ...tab, traits: ["focus-means-current"] }, field))?.name).toBe("Field");
});

test("the accessibility bus gives elements their toolkit's traits", () => {
  expect([...(traitsOf("menuitem", "menu item") ?? [])]).toEqual(["action-may-block", "answers-for-content"]);
  expect([...(traitsOf("tab", "page tab") ?? [])]).toEqual(["selection-unreported", "focus-means-current"]);
  expect([...(traitsOf("web", "document web") ?? [])]).toEqual(["proves-places"]);
  expect(traitsOf("button", "toggle button")).toBeUndefined();
  expect([...(traitsOf("toggle", "toggle button", "action-may-fall-short") ?? [])]).toEqual(["action-may-fall-short"]);
  expect([...(traitsOf("tab", "page tab", "is-a-place") ?? [])]).toContain("is-a-place");
});
